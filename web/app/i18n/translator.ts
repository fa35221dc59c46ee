import { type Messages, setupI18n } from '@lingui/core'
import { language } from './language.ts'

/** What a sentence is to be filled in with. */
export type Values = Readonly<Record<string, string | number>>

/** A room's sentences by name: `t('title')`, `t('pages', { count: 3 })`. */
export type Translate<Key extends string> = (key: Key, values?: Values) => string

/**
 * Makes the `t` of a room from its catalogue, one file per language with the same names. Sentences
 * are ICU messages, compiled while the web app is built; a build carries those of its own language
 * only.
 */
export const translator = <Catalogue extends Readonly<Record<string, string>>>(
  catalogue: Catalogue,
): Translate<Extract<keyof Catalogue, string>> => {
  const i18n = setupI18n({ locale: language, messages: { [language]: catalogue as Messages } })
  return (key, values) => i18n._(key, values)
}
