import { isIPv4, isIPv6 } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Cents, centsFromDollars, MAXIMUM_AMOUNT } from '@pool/contract/money'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { bitcoinNetworkOf } from './chains/addresses.ts'

/** Most new wallets for one IP address in a day, and for all investors in an hour. */
export type NewWalletLimits = { readonly perIp: number; readonly perHour: number }

/** The operator's configuration, from environment variables only, checked once at start. */
export type Config = {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** Undefined means the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** The same database as its owner, for migrations. Undefined uses `databaseUrl` for both. */
  readonly databaseOwnerUrl: string | undefined
  readonly databasePoolSize: number
  /** Number of server processes on the port. */
  readonly workers: number
  /** Time limit of a stop, in seconds. */
  readonly stopSeconds: number
  /** Directory of the embedded PostgreSQL's log archive. Undefined turns archiving off. */
  readonly walArchive: string | undefined
  /** Path of the key file. Undefined makes one in `dataDir`. */
  readonly integrityKeyFile: string | undefined
  readonly superAdminEmail: string
  /** Undefined generates one and prints it once. */
  readonly superAdminPassword: string | undefined
  readonly poolMode: 'sandbox' | 'live'
  /** Empty means none, so a failed deposit shows its error instead (docs/product.md 5.6). */
  readonly fallbackDepositAddress: string
  readonly rateLimits: boolean
  /** Pace of assigning wallets to new investors. Undefined sets no limit. */
  readonly newWallets: NewWalletLimits | undefined
  readonly productName: string
  readonly supportEmail: string
  readonly supportPhone: string
  /** Origin of the product's public URL. Empty when not set. */
  readonly publicUrl: string
  readonly allowedOrigins: readonly string[]
  /** Length of an investment day, in seconds. */
  readonly daySeconds: number
  readonly depositTtlDays: number
  /** Most that one person decides alone in 24 hours, for one investor and in total. */
  readonly secondApprovalAbove: Cents
  /** Most that all people decide alone in 24 hours, together. */
  readonly poolSecondApprovalAbove: Cents
  /** IP addresses of trusted proxies. Only they may set `X-Forwarded-For`. */
  readonly trustProxy: readonly string[]
  /** Refuses plain http from a network, as the proxies report it. */
  readonly httpsOnly: boolean
  /** Serves the OpenAPI page. */
  readonly apiDocs: boolean
  readonly logLevel: string
  /** Address of the metrics port. Undefined opens none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** URL of the trace collector. Undefined turns tracing off. */
  readonly traceEndpoint: string | undefined
}

/** A calendar day in seconds, the default length of an investment day. */
export const FULL_DAY_SECONDS = 86_400

/** A fresh sandbox shows this test network address when a deposit fails. It holds no coins. */
const SANDBOX_FALLBACK_ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'

/** Connections per process beside its pool, and the embedded database's connections in all. */
const OTHER_CONNECTIONS = 5
const EMBEDDED_CONNECTIONS = 100

/** Live mode's highest approval limits in dollars in 24 hours: one person, then all together. */
const LIVE_SECOND_APPROVAL_ABOVE = 100_000
const LIVE_POOL_SECOND_APPROVAL_ABOVE = 1_000_000
const NEW_WALLETS: NewWalletLimits = { perIp: 5, perHour: 100 }
/** Higher values would leave live mode practically without limits. */
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

// A browser's origin has no path and no final slash, so others would never match.
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

// Trust proxies by IP: a hop count would let any client spoof X-Forwarded-For.
const trustedProxies = z
  .string()
  .default('false')
  .transform((text) => (text === 'false' ? [] : text.split(',').map((each) => each.trim())))
  .refine(
    (proxies) =>
      proxies.every(
        (each) => each === 'loopback' || each === 'uniquelocal' || isAddressOrRange(each),
      ),
    'must be false, or the IP addresses of your proxies, such as loopback or 10.0.0.7,10.1.0.0/16',
  )

const databaseAddress = z
  .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// or postgresql:// URL' })
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
    // The path becomes part of a shell command.
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
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .optional(),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be a log level such as info',
    )
    .default('info'),
})

/** Names of all variables, in the order of the README. */
export const variableNames: readonly string[] = Object.keys(environmentSchema.shape)

type Environment = z.output<typeof environmentSchema>

/** Reads the configuration. Throws one Error that names every wrong variable and its fault. */
export const readConfig = (environment: NodeJS.ProcessEnv): Config => {
  // An empty variable counts as unset, except the fallback address.
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
      `The configuration has errors:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
  }
  return configOf(read.data)
}

/** Faults of combinations. Live mode refuses settings for demonstrations. */
const problemsTogether = (environment: Environment): string[] => {
  const live = environment.POOL_MODE === 'live'
  const address = environment.FALLBACK_DEPOSIT_ADDRESS
  const network = address ? bitcoinNetworkOf(address) : undefined
  const rules: readonly [boolean, string][] = [
    [
      environment.WAL_ARCHIVE !== undefined && environment.DATABASE_URL !== undefined,
      'WAL_ARCHIVE is for the embedded database only. With DATABASE_URL, let that server archive its own log',
    ],
    [
      environment.DATABASE_OWNER_URL !== undefined && environment.DATABASE_URL === undefined,
      'DATABASE_OWNER_URL must come with DATABASE_URL',
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
      'FALLBACK_DEPOSIT_ADDRESS is not a Bitcoin address with a valid checksum',
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
      'DATABASE_URL must be set when POOL_MODE=live, or ALLOW_EMBEDDED_IN_LIVE=true must allow the embedded database',
    ],
    [
      live &&
        !isLoopback(environment.HOST) &&
        environment.TRUST_PROXY.length === 0 &&
        !environment.ALLOW_PLAIN_HTTP_IN_LIVE,
      'TRUST_PROXY must name the proxies that do TLS when POOL_MODE=live listens beyond loopback, or ALLOW_PLAIN_HTTP_IN_LIVE=true must allow passwords over plain http',
    ],
    [
      live &&
        environment.DATABASE_URL !== undefined &&
        environment.INTEGRITY_KEY_FILE === undefined,
      'INTEGRITY_KEY_FILE must be set when POOL_MODE=live and DATABASE_URL is set. Name a file that the database’s host cannot read, create it with npm run keys -- rotate and keep a copy',
    ],
  ]
  return rules.filter(([broken]) => broken).map(([, problem]) => problem)
}

/** A sandbox has no limits by default, since many people may try it from one IP. */
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
