import type { z } from 'zod'

/**
 * A rule of the contract as a form's validator: the first sentence that the value breaks, or null.
 */
export const rule =
  (schema: z.ZodType) =>
  (value: unknown): string | null =>
    schema.safeParse(value).error?.issues[0]?.message ?? null
