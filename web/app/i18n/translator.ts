import { type Messages, setupI18n } from '@lingui/core'
import { language } from './language.ts'

/** The values that fill a sentence. */
export type Values = Readonly<Record<string, string | number>>

/** A room's sentences by name: `t('title')`, `t('pages', { count: 3 })`. */
export type Translate<Key extends string> = (key: Key, values?: Values) => string

/**
 * Makes the `t` of a catalogue, which has one file per language. The build compiles its ICU
 * messages for one language.
 */
export const translator = <Catalogue extends Readonly<Record<string, string>>>(
  catalogue: Catalogue,
): Translate<Extract<keyof Catalogue, string>> => {
  const i18n = setupI18n({ locale: language, messages: { [language]: catalogue as Messages } })
  return (key, values) => i18n._(key, values)
}
