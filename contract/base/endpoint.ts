import { z } from 'zod'
import type { Offered } from './lists.ts'
import * as validation from './validation.ts'

/**
 * The callers that a call admits (docs/product.md 2.3). `public` needs no token, `user` any
 * session, `staff` an admin's. Auditors make every GET call, and others with `ownAccount` alone.
 */
export type Access = 'public' | 'user' | 'staff' | 'superAdmin'

type Writing = 'POST' | 'PUT' | 'DELETE'

/** The right to a call. A writing call of staff needs a recent factor, or gives a reason. */
type Right =
  | { readonly method: 'GET'; readonly access: Access }
  | { readonly method: Writing; readonly access: 'public' | 'user' }
  | { readonly method: Writing; readonly access: 'staff' | 'superAdmin'; readonly stepUp: true }
  | {
      readonly method: Writing
      readonly access: 'staff' | 'superAdmin'
      /** A sentence that says why a session of hours is enough. */
      readonly withoutStepUp: string
    }

/** One call of the product (docs/product.md 9.1). */
export type Endpoint = Right & {
  /** Holds `{name}` for a path parameter. */
  readonly path: string
  /** One line for the OpenAPI page. */
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly payload?: z.ZodType
  /** The sorts and filters of a list. A call with a `limit` gets a `page` in its envelope. */
  readonly paged?: Offered
  /** Its rows for staff may come from a replica (docs/decisions/036). */
  readonly lags?: true
  /** The response is a `text/event-stream` without an envelope; `body` is its events' data. */
  readonly streams?: true
  /** The response is a file of this type without an envelope; failures have one. */
  readonly downloads?: 'application/zip' | 'text/csv; charset=utf-8' | 'application/json'
  /** The seconds for which any cache may hold the response. Without it no cache may. */
  readonly maxAgeSeconds?: number
  /** The schema of `body` in a successful envelope. */
  readonly body: z.ZodType
  /** The sentence of a successful response, fixed or made from the body; 'OK' without one. */
  readonly narration?: string | ((body: never) => string)
  /** Accepts the `Idempotency-Key` header (docs/product.md 4.8). */
  readonly movesMoney?: true
  /** Needs a factor proven in the last 5 minutes, from users who have one (`factors.ts`). */
  readonly stepUp?: true
  readonly withoutStepUp?: string
  /** Open to staff who must add a factor first. */
  readonly withoutFactor?: true
  /** Concerns the caller's own sign-in or notices, so auditors may make it. */
  readonly ownAccount?: true
  /** Reads the caller's own records, also by a key for reading (`readingKeys.ts`). */
  readonly forReadingKeys?: true
  /** Of a public call: tells more to a session of staff. Any other token changes nothing. */
  readonly tellsStaffMore?: true
  /** Open to users whose account is frozen, as all GET calls are (docs/decisions/028). */
  readonly whileFrozen?: true
}

export type Payload<E extends Endpoint> = E['payload'] extends z.ZodType
  ? z.infer<E['payload']>
  : undefined
export type Body<E extends Endpoint> = z.infer<E['body']>

/** A client may repeat a money call safely under one key (docs/product.md 4.8). */
export const IDEMPOTENCY_HEADER = 'idempotency-key'
export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, validation.idempotencyKeyInvalid)

/** The id of a row. */
export const idSchema = z.uuid(validation.idInvalid)

/** The filter of a list of rows that have owners. */
export const ownerSchema = idSchema.optional().describe('The id of a user: their rows alone.')

/** The most ids that one query may name. They fit in a URL. */
export const IDS_AT_ONCE = 100

export const idsSchema = z
  .string(validation.idInvalid)
  .transform((text) => text.split(','))
  .refine(
    (ids) => ids.length <= IDS_AT_ONCE && ids.every((id) => idSchema.safeParse(id).success),
    validation.idInvalid,
  )
  .optional()
  .describe(`Ids of rows, separated by commas, at most ${IDS_AT_ONCE}.`)
