/** Sentences about payments on chains. */
import catalogue from './en/payments.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
