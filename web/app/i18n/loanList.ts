/** Sentences about the list of loans, its states and its filters. */
import catalogue from './en/loanList.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)

/** The word of a name that a newer server may have and this page does not know: as it came. */
export const named = (group: 'state' | 'bucket' | 'updates', name: string): string => {
  const key = `${group}.${name}`
  return Object.hasOwn(catalogue, key) ? t(key as keyof typeof catalogue) : name
}
