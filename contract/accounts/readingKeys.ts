/** Keys with which programs of a user read the own records (docs/product.md 3.42). */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { textSchema } from '../base/fields.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'

/** The start of each key, so that people and scanners of files know what they found. */
export const READING_KEY = 'read_'
/** Living keys of one user. */
export const MOST_READING_KEYS = 10
/** Days for which a key can work at most. */
export const READING_KEY_DAYS = 365

const PATH = '/api/v1/user/reading-keys'

export const readingKeySchema = z.object({
  id: idSchema,
  name: z.string(),
  madeAt: timestampSchema,
  endsAt: timestampSchema,
  /** Recorded every 30 seconds of use. Null before the first. */
  lastUsedAt: timestampSchema.nullable(),
})
export type ReadingKey = z.infer<typeof readingKeySchema>

export const listReadingKeys = {
  method: 'GET',
  path: PATH,
  access: 'user',
  summary: "List the caller's keys for reading, the newest first. None shows the key itself",
  body: z.array(readingKeySchema),
} as const satisfies Endpoint

export const makeReadingKey = {
  method: 'POST',
  path: PATH,
  access: 'user',
  stepUp: true,
  ownAccount: true,
  summary: `Make a key with which a program reads the caller's own transactions, investments, balance and statements. Send it as \`Authorization: Bearer ${READING_KEY}…\`: \`curl -H "Authorization: Bearer $KEY" https://…/api/v1/statements\`. It is shown once; other calls answer 403`,
  payload: z.object({
    name: textSchema(60).min(1, validation.fillAllFields),
    /** Days from now. */
    days: z.number().int().min(1).max(READING_KEY_DAYS),
  }),
  narration: 'Key made. It is shown this once.',
  body: z.object({ id: idSchema, key: z.string(), endsAt: timestampSchema }),
} as const satisfies Endpoint

export const endReadingKey = {
  method: 'DELETE',
  path: `${PATH}/{id}`,
  access: 'user',
  whileFrozen: true,
  ownAccount: true,
  summary: 'End a key for reading of the caller. It answers 401 from the next call on',
  params: z.object({ id: idSchema }),
  body: z.null(),
} as const satisfies Endpoint
