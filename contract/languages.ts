/** The languages of the interface, the first one for everybody whose own is not among them. */
export const languages = ['en', 'es'] as const
export type Language = (typeof languages)[number]

/** The query parameter of a page's address that asks for a language. */
export const LANGUAGE_PARAMETER = 'lang'

export const isLanguage = (value: unknown): value is Language =>
  languages.some((language) => language === value)
