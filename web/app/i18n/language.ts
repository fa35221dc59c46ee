import { isLanguage, type Language, languages } from '@pool/contract/base/languages'

const built: unknown = import.meta.env.VITE_LANGUAGE

/**
 * The language of this build. The app is built once per language (web/build.mjs), and the server
 * chooses the build.
 */
export const language: Language = isLanguage(built) ? built : languages[0]

/** The reader's own locale if it fits the language, else the language's usual one. */
export const locale = (): string => {
  const usual = { en: 'en-US', es: 'es' }[language]
  if (typeof navigator === 'undefined') return usual
  return (
    navigator.languages.find(
      (preferred) => preferred.split('-')[0] === language && preferred !== language,
    ) ?? usual
  )
}
