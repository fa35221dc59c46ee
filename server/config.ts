import { isIPv4, isIPv6 } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Cents, centsFromDollars, MAXIMUM_AMOUNT } from '@pool/contract/money'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { bitcoinNetworkOf } from './chains/addresses.ts'

/**
 * How many wallets investors at one IP address may be newly given in a day, and all investors
 * together in an hour.
 */
export type NewWalletLimits = { readonly perIp: number; readonly perHour: number }

/** How the operator set the product up: environment variables only, checked once at start. */
export type Config = {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** Undefined: the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined
  /**
   * The same database as the role that owns its tables, for migrations; undefined: `databaseUrl` is
   * all there is.
   */
  readonly databaseOwnerUrl: string | undefined
  readonly databasePoolSize: number
  /** How many processes serve on the port. */
  readonly workers: number
  /** How long a stop may take, in seconds. */
  readonly stopSeconds: number
  /**
   * Where the embedded PostgreSQL copies its write-ahead log, for restoring to a point in time;
   * undefined: nowhere.
   */
  readonly walArchive: string | undefined
  /**
   * The file of the keys that the database never holds; undefined: the product makes one in
   * `dataDir`.
   */
  readonly integrityKeyFile: string | undefined
  readonly superAdminEmail: string
  /** Undefined: one is made up and printed once. */
  readonly superAdminPassword: string | undefined
  readonly poolMode: 'sandbox' | 'live'
  /** Empty: none, and then a failed deposit shows its error instead (docs/product.md 5.6). */
  readonly fallbackDepositAddress: string
  readonly rateLimits: boolean
  /** How fast wallets are given to investors who have none; undefined: as fast as they ask. */
  readonly newWallets: NewWalletLimits | undefined
  readonly productName: string
  readonly supportEmail: string
  readonly supportPhone: string
  /** Where visitors find the product, without a path; empty when the operator did not say. */
  readonly publicUrl: string
  readonly allowedOrigins: readonly string[]
  /** The length of an investment day, in seconds. */
  readonly daySeconds: number
  readonly depositTtlDays: number
  /** One person decides alone up to this amount in 24 hours, about one investor and in all. */
  readonly secondApprovalAbove: Cents
  /** All who decide alone come together up to this amount in 24 hours. */
  readonly poolSecondApprovalAbove: Cents
  /**
   * The proxies' addresses: what only they may say in `X-Forwarded-For` is where a call came from.
   */
  readonly trustProxy: readonly string[]
  /** Whether what came over a network in the clear is refused, as far as the proxies tell. */
  readonly httpsOnly: boolean
  /** Whether the OpenAPI page is served. */
  readonly apiDocs: boolean
  readonly logLevel: string
  /** Where Prometheus may ask; undefined: nowhere. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** Where traces are sent; undefined: nowhere, and then nothing is traced. */
  readonly traceEndpoint: string | undefined
}

/**
 * A day of the calendar, in seconds: what an investment day lasts unless it is shortened for a
 * demonstration.
 */
export const FULL_DAY_SECONDS = 86_400

/**
 * What a fresh sandbox shows when a deposit cannot be recorded: an address of Bitcoin's test
 * network, which holds nothing.
 */
const SANDBOX_FALLBACK_ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'

/**
 * Connections of each process beside its pool, for jobs and notifications; and what the embedded
 * database has for all processes.
 */
const OTHER_CONNECTIONS = 5
const EMBEDDED_CONNECTIONS = 100

/**
 * The most that live mode lets one person decide alone, and all of them together, in dollars in 24
 * hours.
 */
const LIVE_SECOND_APPROVAL_ABOVE = 100_000
const LIVE_POOL_SECOND_APPROVAL_ABOVE = 1_000_000
const NEW_WALLETS: NewWalletLimits = { perIp: 5, perHour: 100 }
/** Above these, live mode would hardly have limits. */
const MOST_NEW_WALLETS: NewWalletLimits = { perIp: 100, perHour: 10_000 }

const ROOT = fileURLToPath(new URL('..', import.meta.url))

const fromRoot = (path: string): string => (isAbsolute(path) ? path : resolve(ROOT, path))

const flag = (yes: string, no: string, otherwise: string) =>
  z
    .enum([yes, no], `must be ${yes} or ${no}`)
    .default(otherwise)
    .transform((value) => value === yes)

const numberWithin = (least: number, most: number) =>
  z.coerce
    .number(`must be a whole number from ${least} to ${most}`)
    .int(`must be a whole number from ${least} to ${most}`)
    .min(least, `must be at least ${least}`)
    .max(most, `must be at most ${most}`)

const wholeNumber = (least: number, most: number, otherwise: number) =>
  numberWithin(least, most).default(otherwise)

// A browser sends an origin without a path or a closing slash: one that has more would never match.
const origin = (sentence: string) =>
  z.string().refine((text) => /^https?:/.test(text) && URL.parse(text)?.origin === text, sentence)

/** True for addresses that only this machine can reach. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')

const isAddressOrRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/')
  const most = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1
  return (
    rest.length === 0 &&
    most > 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= most))
  )
}

// To believe whoever says where a call came from would let anybody take any address, and a count of
// proxies says nothing of who is connected.
const trustedProxies = z
  .string()
  .default('false')
  .transform((text) => (text === 'false' ? [] : text.split(',').map((each) => each.trim())))
  .refine(
    (proxies) =>
      proxies.every(
        (each) => each === 'loopback' || each === 'uniquelocal' || isAddressOrRange(each),
      ),
    'must be false, or the addresses of your proxies, such as loopback or 10.0.0.7,10.1.0.0/16',
  )

const databaseAddress = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// or postgresql:// address' })
  .optional()

const environmentSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535, 3_000),
  DATA_DIR: z.string().default('.data').transform(fromRoot),
  DATABASE_URL: databaseAddress,
  DATABASE_OWNER_URL: databaseAddress,
  DATABASE_POOL_SIZE: wholeNumber(4, 1_000, 20),
  WORKERS: wholeNumber(1, 64, 1),
  STOP_SECONDS: wholeNumber(1, 600, 25),
  WAL_ARCHIVE: z
    .string()
    // It becomes part of a command.
    .regex(
      /^[^'"`$\\\n]*$/,
      'must be a path without quotes, dollar signs, backslashes or line breaks',
    )
    .transform(fromRoot)
    .optional(),
  INTEGRITY_KEY_FILE: z.string().transform(fromRoot).optional(),
  SUPER_ADMIN_EMAIL: z.email('must be an email address').default('admin@example.com'),
  SUPER_ADMIN_PASSWORD: z.string().min(6, 'must have at least 6 characters').optional(),
  POOL_MODE: z.enum(['sandbox', 'live'], 'must be sandbox or live').default('sandbox'),
  FALLBACK_DEPOSIT_ADDRESS: z.string().trim().optional(),
  RATE_LIMITS: flag('on', 'off', 'on'),
  NEW_WALLETS_PER_IP: numberWithin(1, 1_000_000).optional(),
  NEW_WALLETS_PER_HOUR: numberWithin(1, 1_000_000).optional(),
  PRODUCT_NAME: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(60, 'must have at most 60 characters')
    .default('Peer Lending Pool'),
  SUPPORT_EMAIL: z.email('must be an email address').default('support@example.com'),
  SUPPORT_PHONE: z
    .string()
    .regex(/^\+?[\d ()-]{5,25}$/, 'must be a phone number')
    .default('+1 555 0100'),
  PUBLIC_URL: origin('must be an origin such as https://pool.example.com').optional(),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
    )
    .pipe(z.array(origin('must be origins such as https://app.example.com, separated by commas'))),
  DAY_SECONDS: wholeNumber(1, FULL_DAY_SECONDS, FULL_DAY_SECONDS),
  DEPOSIT_TTL_DAYS: wholeNumber(1, 3_650, 30),
  SECOND_APPROVAL_ABOVE: wholeNumber(0, MAXIMUM_AMOUNT, 10_000),
  POOL_SECOND_APPROVAL_ABOVE: wholeNumber(0, 1_000_000_000, 50_000),
  TRUST_PROXY: trustedProxies,
  ALLOW_EMBEDDED_IN_LIVE: flag('true', 'false', 'false'),
  ALLOW_PLAIN_HTTP_IN_LIVE: flag('true', 'false', 'false'),
  API_DOCS: z.enum(['on', 'off'], 'must be on or off').optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: z.coerce
    .number('must be a port')
    .int('must be a port')
    .min(0, 'must be a port')
    .max(65_535, 'must be a port')
    .optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' })
    .optional(),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be a log level such as info',
    )
    .default('info'),
})

/** The names of all variables, in the order in which the README lists them. */
export const variableNames: readonly string[] = Object.keys(environmentSchema.shape)

type Environment = z.output<typeof environmentSchema>

/** Reads the configuration. Throws one Error that names every variable that is wrong, and how. */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => {
  // A variable set to nothing is one that is not set; only of the fallback address does that mean
  // something.
  const given = Object.fromEntries(
    variableNames.map((name) => [
      name,
      environment[name] === '' && name !== 'FALLBACK_DEPOSIT_ADDRESS'
        ? undefined
        : environment[name],
    ]),
  )
  const read = environmentSchema.safeParse(given)
  const problems = read.success
    ? problemsTogether(read.data)
    : read.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`)
  if (!read.success || problems.length > 0) {
    throw new Error(
      `The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
  }
  return configOf(read.data)
}

/** What is wrong only in combination: live mode refuses whatever is for demonstrations. */
const problemsTogether = (environment: Environment): string[] => {
  const live = environment.POOL_MODE === 'live'
  const address = environment.FALLBACK_DEPOSIT_ADDRESS
  const network = address ? bitcoinNetworkOf(address) : undefined
  const rules: readonly [boolean, string][] = [
    [
      environment.WAL_ARCHIVE !== undefined && environment.DATABASE_URL !== undefined,
      'WAL_ARCHIVE is for the embedded database: with DATABASE_URL, have that server archive its own log',
    ],
    [
      environment.DATABASE_OWNER_URL !== undefined && environment.DATABASE_URL === undefined,
      'DATABASE_OWNER_URL is for the migrations of the database at DATABASE_URL, which is not set',
    ],
    [
      environment.DATABASE_URL === undefined &&
        environment.WORKERS > 1 &&
        environment.WORKERS * (environment.DATABASE_POOL_SIZE + OTHER_CONNECTIONS) >
          EMBEDDED_CONNECTIONS,
      `WORKERS times DATABASE_POOL_SIZE + ${OTHER_CONNECTIONS} must be at most ${EMBEDDED_CONNECTIONS} with the embedded database`,
    ],
    [
      Boolean(address) && network === undefined,
      'FALLBACK_DEPOSIT_ADDRESS is not a Bitcoin address: its checksum does not hold',
    ],
    [
      live && network !== undefined && network !== 'mainnet',
      'FALLBACK_DEPOSIT_ADDRESS is an address of a test network, which POOL_MODE=live refuses',
    ],
    [
      live && environment.DAY_SECONDS !== FULL_DAY_SECONDS,
      `DAY_SECONDS must be ${FULL_DAY_SECONDS} when POOL_MODE=live`,
    ],
    [
      environment.POOL_SECOND_APPROVAL_ABOVE < environment.SECOND_APPROVAL_ABOVE,
      'POOL_SECOND_APPROVAL_ABOVE must be at least SECOND_APPROVAL_ABOVE',
    ],
    [
      live && environment.SECOND_APPROVAL_ABOVE > LIVE_SECOND_APPROVAL_ABOVE,
      `SECOND_APPROVAL_ABOVE must be at most ${LIVE_SECOND_APPROVAL_ABOVE} when POOL_MODE=live`,
    ],
    [
      live && environment.POOL_SECOND_APPROVAL_ABOVE > LIVE_POOL_SECOND_APPROVAL_ABOVE,
      `POOL_SECOND_APPROVAL_ABOVE must be at most ${LIVE_POOL_SECOND_APPROVAL_ABOVE} when POOL_MODE=live`,
    ],
    [live && !environment.RATE_LIMITS, 'RATE_LIMITS must be on when POOL_MODE=live'],
    [
      live && (environment.NEW_WALLETS_PER_IP ?? 0) > MOST_NEW_WALLETS.perIp,
      `NEW_WALLETS_PER_IP must be at most ${MOST_NEW_WALLETS.perIp} when POOL_MODE=live`,
    ],
    [
      live && (environment.NEW_WALLETS_PER_HOUR ?? 0) > MOST_NEW_WALLETS.perHour,
      `NEW_WALLETS_PER_HOUR must be at most ${MOST_NEW_WALLETS.perHour} when POOL_MODE=live`,
    ],
    [
      live && environment.DATABASE_URL === undefined && !environment.ALLOW_EMBEDDED_IN_LIVE,
      'DATABASE_URL must be set when POOL_MODE=live, or ALLOW_EMBEDDED_IN_LIVE=true says that the embedded database is meant',
    ],
    [
      live &&
        !isLoopback(environment.HOST) &&
        environment.TRUST_PROXY.length === 0 &&
        !environment.ALLOW_PLAIN_HTTP_IN_LIVE,
      'TRUST_PROXY must name the proxies that do TLS when POOL_MODE=live listens beyond loopback, or ALLOW_PLAIN_HTTP_IN_LIVE=true says that passwords may travel in the clear',
    ],
    [
      live &&
        environment.DATABASE_URL !== undefined &&
        environment.INTEGRITY_KEY_FILE === undefined,
      'INTEGRITY_KEY_FILE must be set when POOL_MODE=live and DATABASE_URL is set: name a file that the database’s host cannot read, make it with npm run keys -- rotate, and keep a copy of it',
    ],
  ]
  return rules.filter(([broken]) => broken).map(([, problem]) => problem)
}

/** The sandbox has limits only where one of the two is set: many people try it from one place. */
const newWalletLimits = ({
  RATE_LIMITS,
  POOL_MODE,
  NEW_WALLETS_PER_IP,
  NEW_WALLETS_PER_HOUR,
}: Environment) => {
  const isLimited =
    POOL_MODE === 'live' || (NEW_WALLETS_PER_IP ?? NEW_WALLETS_PER_HOUR) !== undefined
  if (!RATE_LIMITS || !isLimited) return undefined
  return {
    perIp: NEW_WALLETS_PER_IP ?? NEW_WALLETS.perIp,
    perHour: NEW_WALLETS_PER_HOUR ?? NEW_WALLETS.perHour,
  }
}

const configOf = (environment: Environment): Config => ({
  host: environment.HOST,
  port: environment.PORT,
  dataDir: environment.DATA_DIR,
  databaseUrl: environment.DATABASE_URL,
  databaseOwnerUrl: environment.DATABASE_OWNER_URL,
  databasePoolSize: environment.DATABASE_POOL_SIZE,
  workers: environment.WORKERS,
  stopSeconds: environment.STOP_SECONDS,
  walArchive: environment.WAL_ARCHIVE,
  integrityKeyFile: environment.INTEGRITY_KEY_FILE,
  superAdminEmail: environment.SUPER_ADMIN_EMAIL,
  superAdminPassword: environment.SUPER_ADMIN_PASSWORD,
  poolMode: environment.POOL_MODE,
  fallbackDepositAddress:
    environment.FALLBACK_DEPOSIT_ADDRESS ??
    (environment.POOL_MODE === 'sandbox' ? SANDBOX_FALLBACK_ADDRESS : ''),
  rateLimits: environment.RATE_LIMITS,
  newWallets: newWalletLimits(environment),
  productName: environment.PRODUCT_NAME,
  supportEmail: environment.SUPPORT_EMAIL,
  supportPhone: environment.SUPPORT_PHONE,
  publicUrl: environment.PUBLIC_URL ?? '',
  allowedOrigins: environment.ALLOWED_ORIGINS,
  daySeconds: environment.DAY_SECONDS,
  depositTtlDays: environment.DEPOSIT_TTL_DAYS,
  secondApprovalAbove: centsFromDollars(environment.SECOND_APPROVAL_ABOVE),
  poolSecondApprovalAbove: centsFromDollars(environment.POOL_SECOND_APPROVAL_ABOVE),
  trustProxy: environment.TRUST_PROXY,
  httpsOnly:
    environment.POOL_MODE === 'live' &&
    environment.TRUST_PROXY.length > 0 &&
    !environment.ALLOW_PLAIN_HTTP_IN_LIVE,
  apiDocs: (environment.API_DOCS ?? (environment.POOL_MODE === 'live' ? 'off' : 'on')) === 'on',
  logLevel: environment.LOG_LEVEL,
  metrics:
    environment.METRICS_PORT === undefined
      ? undefined
      : { host: environment.METRICS_HOST, port: environment.METRICS_PORT },
  traceEndpoint: environment.OTEL_EXPORTER_OTLP_ENDPOINT,
})
