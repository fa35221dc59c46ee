import { type Cents, centsFromDollars } from '@pool/contract/base/money'
import type { z } from 'zod'
import { bitcoin, bitcoinNetworkOf } from '../chains/bitcoin.ts'
import { type ChainSettings, readChainsFile } from './chainsFile.ts'
import {
  environmentSchema,
  FULL_DAY_SECONDS,
  fromRoot,
  isLoopback,
  LIVE_LOSS_NOTICE_HOURS,
  LIVE_POOL_SECOND_APPROVAL_ABOVE,
  LIVE_SECOND_APPROVAL_ABOVE,
  MOST_NEW_WALLETS,
  NEW_WALLETS,
} from './environment.ts'
import type { PriceUrls } from './priceUrls.ts'

/** Most new wallets for one IP address in a day, and for all investors in an hour. */
export type NewWalletLimits = { readonly perIp: number; readonly perHour: number }

/** The operator's configuration, from environment variables and the file of price URLs. */
export type Config = {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  /** Undefined means the embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined
  /** The same database past a pooler. Undefined when `databaseUrl` leads through none. */
  readonly databaseDirectUrl: string | undefined
  /** The same database as its owner, for migrations. Undefined uses the product's role for both. */
  readonly databaseOwnerUrl: string | undefined
  /** Standbys of that database, for lists that may lag. Undefined reads all from the primary. */
  readonly databaseReplicaUrl: string | undefined
  readonly databasePoolSize: number
  /** Number of server processes on the port. */
  readonly workers: number
  /** Time limit of a stop, in seconds. */
  readonly stopSeconds: number
  /** Seconds before a stop, in which the process serves on and is not ready. */
  readonly drainSeconds: number
  /** Directory of the embedded PostgreSQL's log archive. Undefined turns archiving off. */
  readonly walArchive: string | undefined
  /** Path of the key file. Undefined makes one in `dataDir`. */
  readonly integrityKeyFile: string | undefined
  readonly superAdminEmail: string
  /** Undefined generates one and prints it once. */
  readonly superAdminPassword: string | undefined
  readonly poolMode: 'sandbox' | 'live'
  /** `POOL_MODE` as it was set. Undefined takes the mode on record, or makes a new sandbox. */
  readonly askedMode: 'sandbox' | 'live' | undefined
  /** Empty means none, so a failed deposit shows its error instead (docs/product.md 5.6). */
  readonly fallbackDepositAddress: string
  readonly rateLimits: boolean
  /** Pace of assigning wallets to new investors. Undefined sets no limit. */
  readonly newWallets: NewWalletLimits | undefined
  readonly productName: string
  readonly supportEmail: string
  readonly supportPhone: string
  /** The company or person that runs the pool, as visitors read it. */
  readonly operatorName: string
  /** Empty when not set, as is `privacyUrl`. */
  readonly termsUrl: string
  readonly privacyUrl: string
  /** Origin of the product's public URL. Empty when not set. */
  readonly publicUrl: string
  /** The SMTP server, and the sender's address. Undefined keeps mails in the sandbox. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | undefined
  /** Origin of the links in mails. */
  readonly linkOrigin: string
  /** The file that names the operator's nodes. */
  readonly chainsFile: string | undefined
  /** The operator's node of each network that has one. Their URLs hold secrets. */
  readonly chains: readonly ChainSettings[]
  readonly allowedOrigins: readonly string[]
  /** Length of an investment day, in seconds. */
  readonly daySeconds: number
  readonly depositTtlDays: number
  /** The URLs of prices by coin. Empty when not set. */
  readonly priceUrls: PriceUrls
  /** Hours for which a rate that people set counts. */
  readonly setRateHours: number
  /** The length of a deposit's quote. */
  readonly quoteMinutes: number
  /** Most that the product credits for one payment without a person. 0 is nothing. */
  readonly autoConfirmUpTo: Cents
  /** Breaks of the reconciliation above which withdrawals pause. */
  readonly breakLimit: Cents
  /** An instalment that owes at most this much is not past due. */
  readonly loanTolerance: Cents
  /** Percent of the operator's capital that one borrower may owe. */
  readonly loanConcentration: number
  /** True where loans may be funded by investors' principal, too. */
  readonly lendPrincipal: boolean
  /** Play coins of a sandbox at its first start, in cents. */
  readonly playCapital: Cents
  /** Percent of instalments that are expected to come when due. */
  readonly collectionRate: number
  /** Hours from an approval to the moment at which a loss is shared. */
  readonly lossNoticeHours: number
  /** Most that one person decides alone in 24 hours, for one investor and in total. */
  readonly secondApprovalAbove: Cents
  /** Most that all people decide alone in 24 hours, together. */
  readonly poolSecondApprovalAbove: Cents
  /** Dollars above which the web app asks before a decision. */
  readonly confirmAbove: number
  /** IP addresses of trusted proxies. Only they may set `X-Forwarded-For`. */
  readonly trustProxy: readonly string[]
  /** Refuses plain http from a network, as the proxies report it. */
  readonly httpsOnly: boolean
  /** Serves the OpenAPI page. */
  readonly apiDocs: boolean
  readonly logLevel: string
  /** `text` on a terminal, unless set. */
  readonly logFormat: 'text' | 'json'
  /** Address of the metrics port. Undefined opens none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** URL of the trace collector. Undefined turns tracing off. */
  readonly traceEndpoint: string | undefined
}

/** A fresh sandbox shows this test network address when a deposit fails. It holds no coins. */
const SANDBOX_FALLBACK_ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'

/** Connections per process beside its pool, and the embedded database's connections in all. */
const OTHER_CONNECTIONS = 8
const EMBEDDED_CONNECTIONS = 120

/** The names of all variables. */
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
  // Read beside other mistakes, so that one message names all.
  const { chains, problems: ofChains } =
    given.CHAINS === undefined
      ? { chains: [], problems: [] }
      : readChainsFile(fromRoot(given.CHAINS), given.POOL_MODE === 'live')
  const ofVariables = read.success
    ? problemsTogether(read.data, chains.length)
    : read.error.issues.map(({ path, message }) => `${String(path[0])} ${message}`)
  const problems = [...ofVariables, ...ofChains]
  if (!read.success || problems.length > 0) {
    throw new Error(
      `The configuration has errors:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
  }
  return configOf(read.data, chains)
}

/** A combination, if it is refused, and its sentence. */
type Rule = readonly [boolean, string]

/**
 * Faults of combinations. Live mode refuses settings for demonstrations. Each network with a node
 * takes one connection more.
 */
const problemsTogether = (environment: Environment, networks: number): string[] =>
  [
    ...databaseRules(environment, OTHER_CONNECTIONS + networks),
    ...depositAddressRules(environment),
    ...limitRules(environment, networks),
    ...liveServiceRules(environment),
  ]
    .filter(([isRefused]) => isRefused)
    .map(([, problem]) => problem)

/** The settings of the database, which fit each other. `others` are connections beside a pool. */
const databaseRules = (environment: Environment, others: number): readonly Rule[] => {
  return [
    [
      environment.WAL_ARCHIVE !== undefined && environment.DATABASE_URL !== undefined,
      'WAL_ARCHIVE is for the embedded database only. With DATABASE_URL, let that server archive its own log',
    ],
    ...(['DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL', 'DATABASE_REPLICA_URL'] as const).map(
      (name): [boolean, string] => [
        environment[name] !== undefined && environment.DATABASE_URL === undefined,
        `${name} must come with DATABASE_URL`,
      ],
    ),
    [
      environment.DATABASE_URL === undefined &&
        environment.WORKERS > 1 &&
        environment.WORKERS * (environment.DATABASE_POOL_SIZE + others) > EMBEDDED_CONNECTIONS,
      `WORKERS times DATABASE_POOL_SIZE + ${others} must be at most ${EMBEDDED_CONNECTIONS} with the embedded database`,
    ],
  ]
}

/** The deposit address of a sandbox has an owner, and a live pool has none of a test network. */
const depositAddressRules = (environment: Environment): readonly Rule[] => {
  const live = environment.POOL_MODE === 'live'
  const address = environment.FALLBACK_DEPOSIT_ADDRESS
  const network = address ? bitcoinNetworkOf(address) : undefined
  return [
    [
      Boolean(address) && network === undefined,
      'FALLBACK_DEPOSIT_ADDRESS is not a Bitcoin address with a valid checksum',
    ],
    [
      network !== undefined && !bitcoin.hasOwner(address ?? ''),
      'FALLBACK_DEPOSIT_ADDRESS is an address without an owner: coins sent to it are lost, or free for all',
    ],
    [
      live && network !== undefined && network !== 'mainnet',
      'FALLBACK_DEPOSIT_ADDRESS is an address of a test network, which POOL_MODE=live refuses',
    ],
  ]
}

/** The limits of money and time, which live mode bounds. */
const limitRules = (environment: Environment, networks: number): readonly Rule[] => {
  const live = environment.POOL_MODE === 'live'
  return [
    [
      live && environment.DAY_SECONDS !== FULL_DAY_SECONDS,
      `DAY_SECONDS must be ${FULL_DAY_SECONDS} when POOL_MODE=live`,
    ],
    [
      environment.AUTO_CONFIRM_UP_TO > 0 && networks === 0,
      'AUTO_CONFIRM_UP_TO needs CHAINS, the nodes whose payments are credited',
    ],
    [
      environment.AUTO_CONFIRM_UP_TO > environment.SECOND_APPROVAL_ABOVE,
      'AUTO_CONFIRM_UP_TO must be at most SECOND_APPROVAL_ABOVE, above which a second person decides',
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
    [
      live && environment.LOSS_NOTICE_HOURS < LIVE_LOSS_NOTICE_HOURS,
      `LOSS_NOTICE_HOURS must be at least ${LIVE_LOSS_NOTICE_HOURS} when POOL_MODE=live`,
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
  ]
}

/** The services around a live pool: its database, its proxy, its mails and its keys. */
const liveServiceRules = (environment: Environment): readonly Rule[] => {
  const live = environment.POOL_MODE === 'live'
  return [
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
      live && environment.SMTP_URL === undefined,
      'SMTP_URL must be set when POOL_MODE=live, since forgotten passwords need mail',
    ],
    [
      (live || environment.SMTP_URL !== undefined) && environment.MAIL_FROM === undefined,
      'MAIL_FROM must be the address that mails come from, whenever mails are sent',
    ],
    [
      live && environment.PUBLIC_URL === undefined,
      'PUBLIC_URL must be set when POOL_MODE=live, since mails hold links',
    ],
    [
      live &&
        environment.DATABASE_URL !== undefined &&
        environment.INTEGRITY_KEY_FILE === undefined,
      'INTEGRITY_KEY_FILE must be set when POOL_MODE=live and DATABASE_URL is set. Name a file that the database’s host cannot read, create it with npm run keys -- rotate and keep a copy',
    ],
  ]
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

// Long: a table from variables to settings, a line each.
const configOf = (environment: Environment, chains: readonly ChainSettings[]): Config => ({
  host: environment.HOST,
  port: environment.PORT,
  dataDir: environment.DATA_DIR,
  databaseUrl: environment.DATABASE_URL,
  databaseDirectUrl: environment.DATABASE_DIRECT_URL,
  databaseOwnerUrl: environment.DATABASE_OWNER_URL,
  databaseReplicaUrl: environment.DATABASE_REPLICA_URL,
  databasePoolSize: environment.DATABASE_POOL_SIZE,
  workers: environment.WORKERS,
  stopSeconds: environment.STOP_SECONDS,
  drainSeconds: environment.DRAIN_SECONDS,
  walArchive: environment.WAL_ARCHIVE,
  integrityKeyFile: environment.INTEGRITY_KEY_FILE,
  superAdminEmail: environment.SUPER_ADMIN_EMAIL,
  superAdminPassword: environment.SUPER_ADMIN_PASSWORD,
  poolMode: environment.POOL_MODE ?? 'sandbox',
  askedMode: environment.POOL_MODE,
  fallbackDepositAddress:
    environment.FALLBACK_DEPOSIT_ADDRESS ??
    (environment.POOL_MODE === 'live' ? '' : SANDBOX_FALLBACK_ADDRESS),
  rateLimits: environment.RATE_LIMITS,
  newWallets: newWalletLimits(environment),
  productName: environment.PRODUCT_NAME,
  supportEmail: environment.SUPPORT_EMAIL,
  supportPhone: environment.SUPPORT_PHONE,
  operatorName:
    environment.OPERATOR_NAME ??
    (environment.POOL_MODE === 'live'
      ? environment.PRODUCT_NAME
      : `${environment.PRODUCT_NAME} (sandbox)`),
  termsUrl: environment.TERMS_URL ?? '',
  privacyUrl: environment.PRIVACY_URL ?? '',
  publicUrl: environment.PUBLIC_URL ?? '',
  mail:
    environment.SMTP_URL === undefined || environment.MAIL_FROM === undefined
      ? undefined
      : { smtpUrl: environment.SMTP_URL, from: environment.MAIL_FROM },
  linkOrigin: environment.PUBLIC_URL ?? `http://localhost:${environment.PORT}`,
  chainsFile: environment.CHAINS === undefined ? undefined : fromRoot(environment.CHAINS),
  chains,
  allowedOrigins: environment.ALLOWED_ORIGINS,
  daySeconds: environment.DAY_SECONDS,
  depositTtlDays: environment.DEPOSIT_TTL_DAYS,
  priceUrls: environment.PRICE_URLS ?? {},
  setRateHours: environment.SET_RATE_HOURS,
  quoteMinutes: environment.QUOTE_MINUTES,
  autoConfirmUpTo: centsFromDollars(environment.AUTO_CONFIRM_UP_TO),
  breakLimit: centsFromDollars(environment.BREAK_LIMIT),
  loanTolerance: centsFromDollars(environment.LOAN_TOLERANCE),
  loanConcentration: environment.LOAN_CONCENTRATION,
  lendPrincipal: environment.LEND_PRINCIPAL,
  playCapital: centsFromDollars(environment.PLAY_CAPITAL),
  collectionRate: environment.COLLECTION_RATE,
  lossNoticeHours: environment.LOSS_NOTICE_HOURS,
  secondApprovalAbove: centsFromDollars(environment.SECOND_APPROVAL_ABOVE),
  poolSecondApprovalAbove: centsFromDollars(environment.POOL_SECOND_APPROVAL_ABOVE),
  confirmAbove: environment.CONFIRM_ABOVE,
  trustProxy: environment.TRUST_PROXY,
  httpsOnly:
    environment.POOL_MODE === 'live' &&
    environment.TRUST_PROXY.length > 0 &&
    !environment.ALLOW_PLAIN_HTTP_IN_LIVE,
  apiDocs: (environment.API_DOCS ?? (environment.POOL_MODE === 'live' ? 'off' : 'on')) === 'on',
  logLevel: environment.LOG_LEVEL,
  logFormat: environment.LOG_FORMAT ?? (process.stdout.isTTY ? 'text' : 'json'),
  metrics:
    environment.METRICS_PORT === undefined
      ? undefined
      : { host: environment.METRICS_HOST, port: environment.METRICS_PORT },
  traceEndpoint: environment.OTEL_EXPORTER_OTLP_ENDPOINT,
})
