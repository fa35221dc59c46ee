import type { z } from 'zod'

/** Makes a form's validator from a schema: the first broken rule's sentence, or null. */
export const rule =
  (schema: z.ZodType) =>
  (value: unknown): string | null =>
    schema.safeParse(value).error?.issues[0]?.message ?? null
