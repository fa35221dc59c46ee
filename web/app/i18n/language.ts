import { isLanguage, type Language, languages } from '@pool/contract/languages'

const built: unknown = import.meta.env.VITE_LANGUAGE

/**
 * The language of this build: the web app is built once for each (web/build.mjs), and the server
 * chooses which one a visitor gets.
 */
export const language: Language = isLanguage(built) ? built : languages[0]

/**
 * The reader's own way to write dates and numbers, where it goes with the language of the words;
 * else the language's usual one.
 */
export const locale = (): string => {
  const usual = { en: 'en-US', es: 'es' }[language]
  if (typeof navigator === 'undefined') return usual
  return (
    navigator.languages.find(
      (preferred) => preferred.split('-')[0] === language && preferred !== language,
    ) ?? usual
  )
}
