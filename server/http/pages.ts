import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONFIGURATION_ELEMENT, type Configuration, configurationMarks } from '@pool/contract/configuration'
import type { Language } from '@pool/contract/languages'
import type { Config } from '../config.ts'

const BUILD = fileURLToPath(new URL('../../web/build/client', import.meta.url))
const FALLBACK = '__spa-fallback.html'

/** The web app's documents as they are sent, by path, and the hashes of the scripts that stand in them. */
export type Pages = {
  readonly directory: string
  /** The document for a path: its own where one was prerendered, else the one that starts the app. Undefined without a build. */
  readonly find: (path: string, language: Language) => string | undefined
  /** Sources for the Content-Security-Policy: only the scripts that the build put there may run. */
  readonly scriptHashes: readonly string[]
}

/** Reads the built web app once and puts the operator's configuration into its documents (design §4). */
export const readPages = (config: Config): Pages => {
  const documents = new Map<string, string>()
  for (const file of existsSync(BUILD) ? globSync('**/*.html', { cwd: BUILD }) : []) {
    documents.set(file, configured(readFileSync(join(BUILD, file), 'utf8'), configurationOf(config)))
  }
  return {
    directory: BUILD,
    find: (path, language) => documents.get(join(language, path, 'index.html')) ?? documents.get(join(language, FALLBACK)),
    scriptHashes: [...new Set([...documents.values()].flatMap(inlineScripts).map(hashSource))],
  }
}

const configurationOf = (config: Config): Configuration => ({
  apiHost: '',
  productName: config.productName,
  supportEmail: config.supportEmail,
  supportPhone: config.supportPhone,
  fallbackDepositAddress: config.fallbackDepositAddress,
  daySeconds: String(config.daySeconds),
})

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1).replace(/</g, '\\u003c')

const replaceMarks = (text: string, configuration: Configuration, encode: (value: string) => string): string =>
  Object.entries(configurationMarks).reduce(
    (result, [name, mark]) => result.replaceAll(mark, () => encode(configuration[name as keyof Configuration])),
    text,
  )

/** The document with the operator's values in place of the marks: as JSON in the configuration block, as text everywhere else. */
const configured = (html: string, configuration: Configuration): string =>
  html
    .split(/(<script\b[^>]*>[\s\S]*?<\/script>)/)
    .map((part) =>
      replaceMarks(
        part,
        configuration,
        part.startsWith('<script') && part.includes(`id="${CONFIGURATION_ELEMENT}"`) ? escapeJson : escapeHtml,
      ),
    )
    .join('')

const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '']) => !/\bsrc=|application\/json/.test(attributes))
    .map(([, , content = '']) => content)

const hashSource = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`
