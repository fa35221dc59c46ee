/** The environment variables, from which docs/operating.md has its table. */
import { isIPv4, isIPv6 } from 'node:net'
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MAXIMUM_AMOUNT } from '@pool/contract/base/money'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { urlsOf } from './databaseUrls.ts'
import { readPriceUrls } from './priceUrls.ts'

/** A calendar day in seconds, the default length of an investment day. */
export const FULL_DAY_SECONDS = 86_400

/** The super admin of a first start that names none. It has no mailbox. */
export const DEFAULT_SUPER_ADMIN = 'admin@example.com'

/** Live mode's highest approval limits in dollars in 24 hours: one person, then all together. */
export const LIVE_SECOND_APPROVAL_ABOVE = 100_000
export const LIVE_POOL_SECOND_APPROVAL_ABOVE = 1_000_000
export const LIVE_LOSS_NOTICE_HOURS = 24
export const NEW_WALLETS = { perIp: 5, perHour: 100 }
/** Higher values would leave live mode practically without limits. */
export const MOST_NEW_WALLETS = { perIp: 100, perHour: 10_000 }

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** The path of a setting, from the root of the repository. */
export const fromRoot = (path: string): string => (isAbsolute(path) ? path : resolve(ROOT, path))

const flag = (yes: string, no: string, otherwise: string) =>
  z
    .enum([yes, no], `must be ${yes} or ${no}`)
    .default(otherwise)
    .transform((value) => value === yes)

// Digits only: `10.000` is ten to JavaScript, and ten thousand to an operator in Spain.
const numberWithin = (least: number, most: number) =>
  z
    .string()
    .trim()
    .regex(/^-?\d+$/, `must be a whole number from ${least} to ${most}, in digits only`)
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`))

const wholeNumber = (least: number, most: number, otherwise: number) =>
  numberWithin(least, most).default(otherwise)

// A browser's origin has no path and no final slash, so others would never match.
const origin = (sentence: string) =>
  z.string().refine((text) => /^https?:/.test(text) && URL.parse(text)?.origin === text, sentence)

const page = z.url({ protocol: /^https$/, error: 'must be a URL that begins with https://' })

/** The host in a URL of a server that listens on `host`. `::` and `0.0.0.0` are all addresses. */
export const hostInUrl = (host: string): string => {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}

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
  .string()
  .refine(
    (text) => urlsOf(text).every((url) => /^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '')),
    'must be a postgres:// or postgresql:// URL',
  )
  .optional()

const priceUrls = z
  .string()
  .transform((path, { issues }) => {
    const read = readPriceUrls(fromRoot(path))
    if ('urls' in read) return read.urls
    for (const message of read.faults) issues.push({ code: 'custom', message, input: path })
    return z.NEVER
  })
  .optional()

/**
 * Every variable with its form, its default, the sentence of its fault, and its meaning in the
 * table of docs/operating.md. `otherwise` is a default in words.
 */
export const environmentSchema = z.object({
  HOST: z.string().default('127.0.0.1').describe('host to listen on'),
  PORT: wholeNumber(0, 65_535, 3_000).describe('port to listen on'),
  DATA_DIR: z
    .string()
    .default('.data')
    .transform(fromRoot)
    .describe('directory of the embedded database'),
  DATABASE_URL: databaseAddress.describe(
    'PostgreSQL 15 or newer in place of the embedded one, as a role that owns nothing; of several hosts (`first:5432,second:5432`) the one that takes writes is used',
  ),
  DATABASE_DIRECT_URL: databaseAddress.describe(
    'the same database and role without the connection pooler that `DATABASE_URL` leads through; [what a pooler needs](runbook.md#a-connection-pooler)',
  ),
  DATABASE_OWNER_URL: databaseAddress.describe(
    'the same database as the owner of its tables, for migrations, backups and restores; [how to make both](runbook.md#the-roles-of-the-database)',
  ),
  DATABASE_REPLICA_URL: databaseAddress.describe(
    'standbys of the same database, each host with the product’s role and without a pooler; long lists and exports of staff come from one that is at most 5 seconds behind ([cluster.md](cluster.md#reads-from-a-standby))',
  ),
  DATABASE_POOL_SIZE: wholeNumber(4, 1_000, 20).describe('database connections of each process'),
  WORKERS: wholeNumber(1, 64, 1).describe(
    'serving processes on the port, one for each core to use; each has its own connections and rate limits',
  ),
  STOP_SECONDS: wholeNumber(1, 600, 25).describe(
    'timeout of a stop; afterwards the log names what hangs, and the process exits with code 1',
  ),
  DRAIN_SECONDS: wholeNumber(0, 600, 0).describe(
    'time before a stop in which the product serves on and `/health/ready` says that it is stopping, for load balancers',
  ),
  WAL_ARCHIVE: z
    .string()
    // The path becomes part of a shell command.
    .regex(
      /^[^'"`$\\\n]*$/,
      'must be a path without quotes, dollar signs, backslashes or line breaks',
    )
    .transform(fromRoot)
    .optional()
    .describe('directory for the embedded database’s log, for restoring to a point in time'),
  INTEGRITY_KEY_FILE: z.string().transform(fromRoot).optional().meta({
    otherwise: '`DATA_DIR/keys/integrity`, made at the first start',
    description:
      'file of the signing keys; live mode with `DATABASE_URL` requires one, made by `npm run keys -- rotate`',
  }),
  SUPER_ADMIN_EMAIL: z
    .email('must be an email address')
    .default(DEFAULT_SUPER_ADMIN)
    .describe(
      'the super admin made at the first start; live mode needs it without a `SUPER_ADMIN_PASSWORD`',
    ),
  SUPER_ADMIN_PASSWORD: z.string().min(6, 'must have at least 6 characters').optional().meta({
    otherwise:
      'random, printed once; in live mode a mailed link sets it, and *Forgot password?* mails another',
    description: 'the password of that super admin; live mode refuses a common one',
  }),
  POOL_MODE: z.enum(['sandbox', 'live'], 'must be sandbox or live').optional().meta({
    otherwise: 'the pool’s own; `sandbox` at the first start',
    description:
      '`live` starts without play capital and refuses settings for demonstrations; the first start keeps the mode for good, and one that names the other mode is refused',
  }),
  FALLBACK_DEPOSIT_ADDRESS: z.string().trim().optional().meta({
    otherwise: 'a test-network address in the sandbox',
    description:
      'the operator’s Bitcoin address, shown when a deposit cannot be recorded; empty for none',
  }),
  RATE_LIMITS: flag('on', 'off', 'on').describe(
    '`off` for load and test runs; live mode refuses it',
  ),
  NEW_WALLETS_PER_IP: numberWithin(1, 1_000_000)
    .optional()
    .meta({
      otherwise: `\`${NEW_WALLETS.perIp}\` in live mode`,
      description: `deposit wallets newly given to investors at one IP address (IPv6: /48) in 24 hours; at most ${MOST_NEW_WALLETS.perIp} in live mode; the sandbox has no limit until this or the next is set`,
    }),
  NEW_WALLETS_PER_HOUR: numberWithin(1, 1_000_000)
    .optional()
    .meta({
      otherwise: `\`${NEW_WALLETS.perHour}\` in live mode`,
      description: `deposit wallets newly given to all investors in an hour; at most ${MOST_NEW_WALLETS.perHour} in live mode`,
    }),
  PRODUCT_NAME: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(60, 'must have at most 60 characters')
    .default('Peer Lending Pool')
    .describe('the name on every page'),
  SUPPORT_EMAIL: z
    .email('must be an email address')
    .default('support@example.com')
    .describe('shown in the footer'),
  SUPPORT_PHONE: z
    .string()
    .regex(/^\+?[\d ()-]{5,25}$/, 'must be a phone number')
    .default('+1 555 0100')
    .describe('shown in the footer, for the messaging app'),
  OPERATOR_NAME: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(120, 'must have at most 120 characters')
    .optional()
    .meta({
      otherwise: '`PRODUCT_NAME`, in a sandbox with that word',
      description:
        'who runs the pool, with the country, such as `Example Lending Ltd, Ireland`; in the foot of public pages',
    }),
  TERMS_URL: page.optional().describe("the operator's terms, linked in the foot of public pages"),
  PRIVACY_URL: page
    .optional()
    .describe("the operator's privacy notice, linked in the foot of public pages"),
  PUBLIC_URL: origin('must be an origin such as https://pool.example.com')
    .optional()
    .describe(
      'the public origin, for links in mails, search engines and link previews; live mode requires it',
    ),
  SMTP_URL: z
    .string()
    .refine(
      (text) => /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text),
      'must be a URL such as smtps://user:password@mail.example.com',
    )
    .optional()
    .describe(
      'mail server, such as `smtps://user:password@mail.example.com`; without it a sandbox keeps its mails; live mode requires it, and TLS beyond this machine',
    ),
  MAIL_FROM: z
    .email('must be an email address')
    .optional()
    .describe('address that mails come from; required with `SMTP_URL`'),
  CHAINS: z
    .string()
    .optional()
    .describe(
      'JSON file that names your node of each network, whose state staff then see ([form](chains.md)); the file may hold passwords',
    ),
  ALLOWED_ORIGINS: z
    .string()
    .default('')
    .transform((list) =>
      list
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
    )
    .pipe(z.array(origin('must be origins such as https://app.example.com, separated by commas')))
    .describe('other sites whose pages may call the API, separated by commas'),
  DAY_SECONDS: wholeNumber(1, FULL_DAY_SECONDS, FULL_DAY_SECONDS).describe(
    'seconds in an investment day; shorter only for demonstrations, refused in live mode',
  ),
  DEPOSIT_TTL_DAYS: wholeNumber(1, 3_650, 30).describe('days until an unconfirmed deposit expires'),
  PRICE_URLS: priceUrls.describe(
    'JSON file with at least three price URLs for each coin, of different hosts ([form](runbook.md#the-prices-of-coins)); without it two members of staff set rates',
  ),
  SET_RATE_HOURS: wholeNumber(1, 24, 4).describe(
    'hours for which a rate that staff set counts; one of USDC or USDT does not age',
  ),
  QUOTE_MINUTES: wholeNumber(1, 1_440, 15).describe('minutes for which a deposit’s quote lasts'),
  SECOND_APPROVAL_ABOVE: wholeNumber(0, MAXIMUM_AMOUNT, 10_000).describe(
    `dollars of deposits, withdrawals, repayments and reversals that one admin decides alone in 24 hours, about one investor or borrower and in all; at most ${LIVE_SECOND_APPROVAL_ABOVE} in live mode`,
  ),
  POOL_SECOND_APPROVAL_ABOVE: wholeNumber(0, 1_000_000_000, 50_000).describe(
    `dollars of such decisions by single admins in 24 hours, of all admins and investors together; at most ${LIVE_POOL_SECOND_APPROVAL_ABOVE} in live mode`,
  ),
  AUTO_CONFIRM_UP_TO: wholeNumber(0, MAXIMUM_AMOUNT, 0).describe(
    'dollars of a payment that the product credits by itself once a node confirms it (`CHAINS`); each credit uses up the two limits above, and one person gets at most a fifth of the pool’s; 0 credits nothing; at most `SECOND_APPROVAL_ABOVE`',
  ),
  BREAK_LIMIT: wholeNumber(0, MAXIMUM_AMOUNT, 1_000).describe(
    'dollars by which coins on the chains may differ from the books before withdrawals pause by themselves ([product.md](product.md) 5.25)',
  ),
  LOAN_TOLERANCE: wholeNumber(0, 1_000, 1).describe(
    'dollars that an instalment may owe without being past due ([product.md](product.md) 5.28)',
  ),
  LOAN_CONCENTRATION: wholeNumber(1, 100, 10).describe(
    'percent of the operator’s capital, lent or free, that one borrower may owe; related parties count together',
  ),
  LEND_PRINCIPAL: flag('true', 'false', 'false').describe(
    '`true` permits loans of investors’ principal, along the ladder ([product.md](product.md) 5.32)',
  ),
  PLAY_CAPITAL: wholeNumber(0, MAXIMUM_AMOUNT, 100_000).describe(
    'dollars of play coins that a sandbox starts with; 0 where its capital comes by a play chain',
  ),
  COLLECTION_RATE: wholeNumber(0, 100, 90).describe(
    'percent of instalments to come that the ladder counts as coins',
  ),
  LOSS_NOTICE_HOURS: wholeNumber(0, 720, 48).describe(
    `hours between the agreement to share a loss and its moment ([product.md](product.md) 5.34); at least ${LIVE_LOSS_NOTICE_HOURS} in live mode`,
  ),
  CONFIRM_ABOVE: wholeNumber(0, MAXIMUM_AMOUNT, 10_000).describe(
    'dollars above which the screens of staff ask once more before a decision',
  ),
  TRUST_PROXY: trustedProxies.describe(
    'IP addresses of the proxies whose `X-Forwarded-For` counts: `loopback`, `uniquelocal`, `10.0.0.7,10.1.0.0/16`; live mode also needs `X-Forwarded-Proto: https` from them, and refuses all other calls but health, from this machine too',
  ),
  ALLOW_EMBEDDED_IN_LIVE: flag('true', 'false', 'false').describe(
    '`true` permits the embedded database in live mode',
  ),
  ALLOW_PLAIN_HTTP_IN_LIVE: flag('true', 'false', 'false').describe(
    '`true` permits plain http in live mode: beyond loopback without `TRUST_PROXY`, or to a trusted proxy',
  ),
  API_DOCS: z.enum(['on', 'off'], 'must be on or off').optional().meta({
    otherwise: '`on` in the sandbox, `off` in live mode',
    description: 'serves the API’s description at `/api/docs`',
  }),
  METRICS_PORT: z.coerce
    .number('must be a port')
    .int('must be a port')
    .min(0, 'must be a port')
    .max(65_535, 'must be a port')
    .optional()
    .describe('port for Prometheus at `/metrics`; no metrics without it'),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('host of the metrics; every caller that reaches it may read them'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
    .optional()
    .describe(
      'receiver of OpenTelemetry traces (OTLP over HTTP); no traces without it; other variables such as `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_SERVICE_NAME` work too',
    ),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be a log level such as info',
    )
    .default('info')
    .describe('the least level of a line in the log'),
  LOG_FORMAT: z.enum(['text', 'json'], 'must be text or json').optional().meta({
    otherwise: '`text` on a terminal, else `json`',
    description: '`text` for people, without requests; `json` for collectors of logs',
  }),
})
