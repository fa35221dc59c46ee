/** Sentences about batches of payments that staff sign outside. */
import catalogue from './en/batches.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)

/** The sentence of a name that a newer server may have and this page does not know. */
export const named = (name: string): string | null =>
  Object.hasOwn(catalogue, name) ? t(name as keyof typeof catalogue) : null
