/** Sentences about one loan, borrowers, and the forms of both. */
import catalogue from './en/loans.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)

type Group =
  | 'purpose'
  | 'schedule'
  | 'period'
  | 'dayCount'
  | 'event'
  | 'kind'
  | 'relation'
  | 'defaulted'

/** The word of a name that a newer server may have and this page does not know: as it came. */
export const named = (group: Group, name: string): string => {
  const key = `${group}.${name}`
  return Object.hasOwn(catalogue, key) ? t(key as keyof typeof catalogue) : name
}
