/** Sentences of the pages for staff beside the admin dashboard. */
import catalogue from './en/staffPage.json' with { type: 'json' }
import { translator } from './translator.ts'

export const t = translator(catalogue)
