/** The names of the pages, in the order of the rail. */
import catalogue from './en/map.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
