import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { MAILBOX_PATH } from '@pool/contract/accounts/mails'
import {
  CONFIGURATION_ELEMENT,
  type Configuration,
  configurationMarks,
} from '@pool/contract/base/configuration'
import type { Language } from '@pool/contract/base/languages'
import { networks } from '@pool/contract/base/networks'
import { defaultPlans } from '@pool/contract/money/plans'
import type { Config } from '../../base/configuration/config.ts'
import { paidNetworkOf } from '../../base/configuration/paidNetworks.ts'
import type { WithConfig } from '../context.ts'

const BUILD = fileURLToPath(new URL('../../../web/build/client', import.meta.url))
const FALLBACK = '__spa-fallback.html'
const MANIFEST = 'manifest.webmanifest'

/** A document with the operator's values in it. */
export type Page = {
  readonly type: string
  /** Digest of the document, for 304 responses. */
  readonly etag: string
  readonly plain: string
  /** Compresses the document once, at the first request. */
  readonly compressed: (encoding: Encoding) => Promise<Buffer>
}

/** Encodings of a document, smallest first. */
export const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

const compress = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** The web app's documents by path, and the hashes of their inline scripts. */
export type Pages = {
  /** Of the other files. Undefined serves none. */
  readonly directory: string | undefined
  /**
   * Document of a path, else the app's start document. Undefined without a build, and for the
   * mailbox in live mode.
   */
  readonly find: (path: string, language: Language) => Page | undefined
  /** Sources for the Content-Security-Policy. Only scripts of the build may run. */
  readonly scriptHashes: readonly string[]
}

/** No web app. Its files take most of the time in which a test of the API builds the server. */
export const noPages: Pages = { directory: undefined, find: () => undefined, scriptHashes: [] }

/**
 * Reads the web app's build once and inserts the operator's configuration
 * (docs/product.md 14.1).
 */
export const readPages = ({ config }: WithConfig): Pages => {
  const documents = new Map<string, Page>()
  const configuration = configurationOf(config)
  const read = (file: string) => readFileSync(join(BUILD, file), 'utf8')
  if (existsSync(join(BUILD, MANIFEST))) {
    for (const file of globSync('**/*.html', { cwd: BUILD }))
      documents.set(file, pageOf('text/html', configured(read(file), configuration)))
    documents.set(
      MANIFEST,
      pageOf('application/manifest+json', replaceMarks(read(MANIFEST), configuration, escapeJson)),
    )
  }
  const inAnyLanguage = new Map([[`/${MANIFEST}`, documents.get(MANIFEST)]])
  return {
    directory: BUILD,
    find: (path, language) => {
      if (path === MAILBOX_PATH && config.poolMode === 'live') return undefined
      return (
        inAnyLanguage.get(path) ??
        documents.get(join(language, path, 'index.html')) ??
        // A path with a dot names a file, and the start document stands for pages alone.
        (path.includes('.') ? undefined : documents.get(join(language, FALLBACK)))
      )
    },
    scriptHashes: [
      ...new Set(
        [...documents.values()].flatMap(({ plain }) => inlineScripts(plain)).map(hashSource),
      ),
    ],
  }
}

const pageOf = (type: string, plain: string): Page => {
  const known = new Map<Encoding, Promise<Buffer>>()
  return {
    type: `${type}; charset=utf-8`,
    etag: `W/"${createHash('sha256').update(plain).digest('base64url')}"`,
    plain,
    compressed: (encoding) => {
      const result = known.get(encoding) ?? compress[encoding](plain)
      known.set(encoding, result)
      return result
    },
  }
}

const configurationOf = (config: Config): Configuration => ({
  apiHost: '',
  productName: config.productName,
  supportEmail: config.supportEmail,
  supportPhone: config.supportPhone,
  operatorName: config.operatorName,
  termsUrl: config.termsUrl,
  privacyUrl: config.privacyUrl,
  fallbackDepositAddress: config.fallbackDepositAddress,
  daySeconds: String(config.daySeconds),
  publicUrl: config.publicUrl,
  poolMode: config.poolMode,
  chains: config.chains.map(({ network }) => network).join(','),
  paidNetworks: JSON.stringify(
    Object.fromEntries(networks.map(({ name }) => [name, paidNetworkOf(config, name)])),
  ),
  confirmAbove: String(config.confirmAbove),
  lendPrincipal: config.lendPrincipal ? 'yes' : '',
  // Shown until the server tells which plans count.
  plans: JSON.stringify(defaultPlans),
})

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const escapeJson = (text: string): string =>
  JSON.stringify(text).slice(1, -1).replace(/</g, '\\u003c')

const replaceMarks = (
  text: string,
  configuration: Configuration,
  encode: (value: string) => string,
): string =>
  Object.entries(configurationMarks).reduce(
    (result, [name, mark]) =>
      result.replaceAll(mark, () => encode(configuration[name as keyof Configuration])),
    text,
  )

// Removes tags that need a public URL when there is none, since search engines want whole URLs.
const withoutAddresses = (html: string): string =>
  html.replaceAll(
    new RegExp(`<(?:link|meta)\\b[^>]*${configurationMarks.publicUrl}[^>]*>`, 'g'),
    '',
  )

/**
 * Replaces the marks by the operator's values, as JSON in the configuration block, else as text.
 */
const configured = (html: string, configuration: Configuration): string =>
  (configuration.publicUrl === '' ? withoutAddresses(html) : html)
    .split(/(<script\b[^>]*>[\s\S]*?<\/script>)/)
    .map((part) =>
      replaceMarks(
        part,
        configuration,
        part.startsWith('<script') && part.includes(`id="${CONFIGURATION_ELEMENT}"`)
          ? escapeJson
          : escapeHtml,
      ),
    )
    .join('')

const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '']) => !/\bsrc=|application\/json/.test(attributes))
    .map(([, , content = '']) => content)

const hashSource = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`
