import { z } from 'zod'
import type { Offered } from './lists.ts'
import { validation } from './messages.ts'

/**
 * Who may make a call (docs/product.md 2.3). `public` answers without a token; every other call
 * needs one. `user` is anyone signed in, `staff` an admin or a super admin. The word "public" in
 * a path grants nothing.
 */
export type Access = 'public' | 'user' | 'staff' | 'superAdmin'

/** One call of the product (docs/product.md 9.1). */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `{name}` where a path parameter stands. */
  readonly path: string
  readonly access: Access
  /** One line for the OpenAPI page. */
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly payload?: z.ZodType
  /** A list, with its sorts and filters: for a `limit` the envelope also has a `page`. */
  readonly paged?: Offered
  /**
   * The answer is a `text/event-stream` that goes on, without an envelope; `body` is then the data
   * of its events.
   */
  readonly streams?: true
  /** The seconds for which anybody may cache the answer; without it, nobody may. */
  readonly maxAgeSeconds?: number
  /** What `body` of a successful envelope holds. */
  readonly body: z.ZodType
  /**
   * What a successful answer says to the user, where it depends on what happened, by the body; 'OK'
   * where there is nothing to say.
   */
  readonly narration?: string | ((body: never) => string)
  /** A call that moves money honours the `Idempotency-Key` header (docs/product.md 4.8). */
  readonly movesMoney?: true
}

export type Payload<E extends Endpoint> = E['payload'] extends z.ZodType
  ? z.infer<E['payload']>
  : undefined
export type Body<E extends Endpoint> = z.infer<E['body']>

/** The header with which a client may repeat a money call safely (docs/product.md 4.8). */
export const IDEMPOTENCY_HEADER = 'idempotency-key'
export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,200}$/, validation.idempotencyKeyInvalid)

/** An identifier of a row. */
export const idSchema = z.uuid(validation.idInvalid)
