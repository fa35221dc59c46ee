/** The environment variables, in the order of docs/operating.md. */
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

/** Every variable with its form, its default and the sentence of its fault. */
export const environmentSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535, 3_000),
  DATA_DIR: z.string().default('.data').transform(fromRoot),
  DATABASE_URL: databaseAddress,
  DATABASE_DIRECT_URL: databaseAddress,
  DATABASE_OWNER_URL: databaseAddress,
  DATABASE_REPLICA_URL: databaseAddress,
  DATABASE_POOL_SIZE: wholeNumber(4, 1_000, 20),
  WORKERS: wholeNumber(1, 64, 1),
  STOP_SECONDS: wholeNumber(1, 600, 25),
  DRAIN_SECONDS: wholeNumber(0, 600, 0),
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
  SUPER_ADMIN_EMAIL: z.email('must be an email address').default(DEFAULT_SUPER_ADMIN),
  SUPER_ADMIN_PASSWORD: z.string().min(6, 'must have at least 6 characters').optional(),
  POOL_MODE: z.enum(['sandbox', 'live'], 'must be sandbox or live').optional(),
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
  SMTP_URL: z
    .string()
    .refine(
      (text) => /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text),
      'must be a URL such as smtps://user:password@mail.example.com',
    )
    .optional(),
  MAIL_FROM: z.email('must be an email address').optional(),
  CHAINS: z.string().optional(),
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
  PRICE_URLS: priceUrls,
  SET_RATE_HOURS: wholeNumber(1, 24, 4),
  QUOTE_MINUTES: wholeNumber(1, 1_440, 15),
  SECOND_APPROVAL_ABOVE: wholeNumber(0, MAXIMUM_AMOUNT, 10_000),
  POOL_SECOND_APPROVAL_ABOVE: wholeNumber(0, 1_000_000_000, 50_000),
  AUTO_CONFIRM_UP_TO: wholeNumber(0, MAXIMUM_AMOUNT, 0),
  BREAK_LIMIT: wholeNumber(0, MAXIMUM_AMOUNT, 1_000),
  LOAN_TOLERANCE: wholeNumber(0, 1_000, 1),
  LOAN_CONCENTRATION: wholeNumber(1, 100, 10),
  LEND_PRINCIPAL: flag('true', 'false', 'false'),
  COLLECTION_RATE: wholeNumber(0, 100, 90),
  LOSS_NOTICE_HOURS: wholeNumber(0, 720, 48),
  CONFIRM_ABOVE: wholeNumber(0, MAXIMUM_AMOUNT, 10_000),
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
  LOG_FORMAT: z.enum(['text', 'json'], 'must be text or json').optional(),
})
