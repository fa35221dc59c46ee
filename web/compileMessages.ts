import { readFileSync } from 'node:fs'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

type Catalogue = Readonly<Record<string, string>>

/**
 * Sources import the English catalogues (app/i18n/en); a build for another language gets that
 * language's sentences in their place. Compiled here, so that browsers need not carry a compiler. A
 * sentence that a language lacks ends the build.
 */
export const compileMessages = (language: string): Plugin => ({
  name: 'compile-messages',
  enforce: 'pre',
  transform: {
    filter: { id: /\/i18n\/en\/[^/]+\.json$/ },
    handler(english, id) {
      const file = id.replace('/i18n/en/', `/i18n/${language}/`)
      this.addWatchFile(file)
      const told = JSON.parse(readFileSync(file, 'utf8')) as Catalogue
      const messages = Object.keys(JSON.parse(english) as Catalogue).map((key) => {
        const message = told[key]
        if (message === undefined) return this.error(`${file} lacks '${key}'`)
        return [key, compileMessage(message)] as const
      })
      return { code: JSON.stringify(Object.fromEntries(messages)), map: null }
    },
  },
})
