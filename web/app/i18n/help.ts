/** Two sentences about each page. */
import catalogue from './en/help.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
