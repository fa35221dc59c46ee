/** The languages of the interface. Readers of other languages get the first. */
export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** The query parameter that asks for a language. */
export const LANGUAGE_PARAMETER = 'lang'

export const isLanguage = (value: unknown): value is Language =>
  languages.some((language) => language === value)
