import { z } from 'zod'
import { pageSchema } from './lists.ts'

/** Every response of the server (docs/product.md 10.1): a sentence for people, and the payload. */
export const envelopeSchema = <Body extends z.ZodType>(body: Body) =>
  z.object({ successful: z.literal(true), narration: z.string(), body })

/** The envelope of a list. `page` is present when the call gave a `limit`. */
export const pagedEnvelopeSchema = <Body extends z.ZodType>(body: Body) =>
  envelopeSchema(body).extend({ page: pageSchema.optional() })

/** The response to a refused or failed call. */
export const failureSchema = z.object({
  successful: z.literal(false),
  narration: z.string(),
  body: z.object({
    code: z.string(),
    field: z.string().optional(),
    /** The facts of the narration, by the code (`RefusalDetails`). */
    details: z.looseObject({}).optional(),
  }),
})

export type Failure = z.infer<typeof failureSchema>
