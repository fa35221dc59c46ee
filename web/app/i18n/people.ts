/** Sentences of a person's page, for staff. */
import catalogue from './en/people.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
