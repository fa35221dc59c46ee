import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { languages } from '@pool/contract/base/languages'
import type { Plugin } from 'vite'

type Catalogue = Readonly<Record<string, string>>

/** English files: those of app/i18n/en, and the contract's sentences. */
const ENGLISH = /\/app\/i18n\/en\/(?=\w+\.ts$)|\/contract\/base\/(?=(?:messages|validation)\.ts$)/
const translations = fileURLToPath(new URL('app/i18n', import.meta.url))

/**
 * Replaces English sentences by those of the build's language. Compiles messages, so that browsers
 * need no compiler.
 */
export const compileMessages = (language: string): Plugin => ({
  name: 'compile-messages',
  enforce: 'pre',
  load: {
    filter: { id: ENGLISH },
    handler(id) {
      if (language === languages[0]) return undefined
      const file = id.replace(new RegExp(`^.*(${ENGLISH.source})`), `${translations}/${language}/`)
      return `export * from ${JSON.stringify(file)}`
    },
  },
  transform: {
    filter: { id: /\/i18n\/en\/[^/]+\.json$/ },
    handler(english, id) {
      const file = id.replace('/i18n/en/', `/i18n/${language}/`)
      this.addWatchFile(file)
      const catalogue = JSON.parse(readFileSync(file, 'utf8')) as Catalogue
      const messages = Object.keys(JSON.parse(english) as Catalogue).map((key) => {
        const message = catalogue[key]
        if (message === undefined) return this.error(`${file} lacks '${key}'`)
        return [key, compileMessage(message)] as const
      })
      return { code: JSON.stringify(Object.fromEntries(messages)), map: null }
    },
  },
})
