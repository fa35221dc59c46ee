import type { z } from 'zod'
import { localized } from '../i18n/localized.ts'

/**
 * A rule of the contract as a form's validator: the first sentence that the value breaks, or null.
 */
export const rule =
  (schema: z.ZodType) =>
  (value: unknown): string | null =>
    localized(schema.safeParse(value).error?.issues[0]?.message ?? '') || null
