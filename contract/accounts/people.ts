/** A person as staff see them: balances, access and notes. */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { textSchema } from '../base/fields.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'
import { factorSchema } from './factors.ts'
import { ownSessionSchema } from './sessions.ts'
import { ownUserSchema, roleSchema } from './users.ts'

const PERSON = '/api/v1/admin/users/{id}'
const params = z.object({ id: idSchema })

/** The most characters of a note. */
export const LONGEST_NOTE = 500

export const personSchema = ownUserSchema.omit({ roles: true }).extend({
  /** In dollars. `held` waits in pending withdrawals, `invested` is at work. */
  balances: z.object({ available: dollarsSchema, held: dollarsSchema, invested: dollarsSchema }),
})
export type Person = z.infer<typeof personSchema>

export const person = {
  method: 'GET',
  path: PERSON,
  access: 'staff',
  summary: 'A user with their balances, for staff',
  params,
  body: personSchema,
} as const satisfies Endpoint

export const personAccessSchema = z.object({
  roles: z.array(roleSchema),
  sessions: z.array(ownSessionSchema.omit({ current: true })),
  /** Kinds and names. Secrets never leave the server. */
  factors: z.array(factorSchema),
  /** The recovery codes that are left. */
  recoveryCodes: z.number().int(),
})
export type PersonAccess = z.infer<typeof personAccessSchema>

export const personAccess = {
  method: 'GET',
  path: `${PERSON}/access`,
  access: 'superAdmin',
  summary: "A user's roles, living sessions and second factors",
  params,
  body: personAccessSchema,
} as const satisfies Endpoint

export const noteSchema = z.object({
  id: idSchema,
  /** The email of its author. */
  author: z.string(),
  at: timestampSchema,
  text: z.string(),
})
export type Note = z.infer<typeof noteSchema>

export const listNotes = {
  method: 'GET',
  path: `${PERSON}/notes`,
  access: 'staff',
  summary: 'List the notes of staff about a user, newest first',
  params,
  body: z.array(noteSchema),
} as const satisfies Endpoint

export const addNote = {
  method: 'POST',
  path: `${PERSON}/notes`,
  access: 'staff',
  withoutStepUp: 'A note decides nothing, and bears the name of its author.',
  summary: 'Add a note about a user. Notes are neither changed nor removed',
  params,
  payload: z.object({ text: textSchema(LONGEST_NOTE).min(1, validation.fillAllFields) }),
  body: noteSchema,
} as const satisfies Endpoint
