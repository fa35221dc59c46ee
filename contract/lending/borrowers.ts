/** The people and companies that the pool lends to (docs/product.md 5.26). */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { countrySchema, emailSchema, textSchema } from '../base/fields.ts'
import { listQuery, mayLag } from '../base/lists.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'
import { documentSchema } from './loanRecords.ts'

export const borrowerKinds = ['person', 'company'] as const
/** Relations to the pool. Anything but `none` makes a related party. */
export const relations = ['none', 'staff', 'operator', 'investor'] as const
/** Grades of risk, the best first. */
export const grades = ['A', 'B', 'C', 'D', 'E'] as const

const nameSchema = z.string({ error: () => validation.fillAllFields }).pipe(
  textSchema(200)
    .min(1, validation.fillAllFields)
    // A line break would let a name pass for more than one fact of a proposal.
    .refine((name) => !/\p{Cc}/u.test(name), validation.nameCharacters),
)

export const borrowerSchema = z.object({
  id: idSchema,
  name: z.string(),
  country: z.string(),
  kind: z.enum(borrowerKinds),
  relation: z.enum(relations),
  /** Their own account of the product. Null without one. */
  userId: idSchema.nullable(),
  userEmail: z.string().nullable(),
  grade: z.enum(grades),
  gradeReason: z.string(),
  gradedAt: timestampSchema,
  /** Principal that all their loans still owe. */
  outstanding: dollarsSchema,
  loans: z.number().int(),
  recordedAt: timestampSchema,
})
export type Borrower = z.infer<typeof borrowerSchema>

const BORROWERS = '/api/v1/admin/borrowers'

const lists = { sorts: ['createdAt', 'name'], filters: {} } as const

/** `search` finds a part of the name, or the id. */
export const listBorrowers = {
  method: 'GET',
  path: BORROWERS,
  access: 'staff',
  summary: 'List the borrowers, the newest first by default',
  query: listQuery(lists).extend({ mayLag }),
  paged: lists,
  lags: true,
  body: z.array(borrowerSchema),
} as const satisfies Endpoint

export const borrowerStorySchema = z.object({
  borrower: borrowerSchema,
  /** Each grade, the newest first. */
  grades: z.array(
    z.object({
      grade: z.enum(grades),
      reason: z.string(),
      /** The email of the person who gave it. */
      by: z.string(),
      at: timestampSchema,
    }),
  ),
  /** The oldest first, also withdrawn ones. */
  documents: z.array(documentSchema),
})
export type BorrowerStory = z.infer<typeof borrowerStorySchema>

export const borrowerStory = {
  method: 'GET',
  path: `${BORROWERS}/{id}`,
  access: 'staff',
  summary: 'Show a borrower with the documents and each grade',
  params: z.object({ id: idSchema }),
  body: borrowerStorySchema,
} as const satisfies Endpoint

const facts = {
  name: nameSchema,
  country: countrySchema,
  kind: z.enum(borrowerKinds, { error: () => validation.fillAllFields }),
  relation: z.enum(relations, { error: () => validation.fillAllFields }),
  userEmail: emailSchema.optional(),
  grade: z.enum(grades, { error: () => validation.fillAllFields }),
  gradeReason: textSchema().min(1, validation.reasonRequired),
}

export const recordBorrower = {
  method: 'POST',
  path: BORROWERS,
  access: 'staff',
  stepUp: true,
  summary:
    'Record a borrower with a grade of risk and its reason. A borrower with an account of the product is named by its email, and never decides about an own loan',
  payload: z.object(facts),
  narration: 'Borrower recorded.',
  body: z.object({ id: idSchema }),
} as const satisfies Endpoint

export const correctBorrower = {
  method: 'POST',
  path: `${BORROWERS}/{id}`,
  access: 'staff',
  stepUp: true,
  summary:
    'Correct the record of a borrower, with the reason. The audit trail keeps each version. The owner of its account does not',
  params: z.object({ id: idSchema }),
  payload: z.object({ ...facts, reason: textSchema().min(1, validation.reasonRequired) }),
  narration: 'Borrower corrected.',
  body: z.null(),
} as const satisfies Endpoint
