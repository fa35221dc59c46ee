/** Collateral, documents and updates of loans and borrowers (docs/product.md 5.35). */
import { z } from 'zod'
import { type Endpoint, idSchema } from '../base/endpoint.ts'
import { amountSchema, textSchema } from '../base/fields.ts'
import { dollarsSchema } from '../base/money.ts'
import { timestampSchema } from '../base/timestamp.ts'
import * as validation from '../base/validation.ts'
import { dateSchema } from './loanTerms.ts'

/** Most characters of an update. */
export const LONGEST_UPDATE = 2_000
/** Days without an update after which a late loan stands out. */
export const SILENT_DAYS = 14
/** Most characters of a link. */
export const LONGEST_LINK = 1_000

/** The withdrawal of a record. All three are null while it counts. */
const withdrawal = {
  withdrawnFor: z.string().nullable(),
  withdrawnBy: z.string().nullable(),
  withdrawnAt: timestampSchema.nullable(),
}
const recorded = { recordedBy: z.string(), at: timestampSchema }

export const collateralSchema = z.object({
  id: idSchema,
  description: z.string(),
  value: dollarsSchema,
  /** The day on which it was worth that. ISO text. */
  valuedOn: z.string(),
  ...recorded,
  ...withdrawal,
})

export const documentSchema = z.object({
  id: idSchema,
  title: z.string(),
  /** 64 hexadecimal digits. */
  sha256: z.string(),
  link: z.string(),
  ...recorded,
  ...withdrawal,
})
export type LoanDocument = z.infer<typeof documentSchema>

export const updateSchema = z.object({
  id: idSchema,
  text: z.string(),
  by: z.string(),
  at: timestampSchema,
})

const oneLine = (most: number) =>
  z
    .string({ error: () => validation.fillAllFields })
    .pipe(textSchema(most).min(1, validation.fillAllFields))

/** True for a link that a browser opens by HTTPS, without a password in it. */
export const isLink = (text: string): boolean => {
  if (!text.startsWith('https://') || !URL.canParse(text)) return false
  const { hostname, username, password } = new URL(text)
  return hostname !== '' && username === '' && password === ''
}

const linkSchema = oneLine(LONGEST_LINK).refine(isLink, validation.linkInvalid)

/** True for a SHA-256 in hexadecimal digits, of any case. */
export const isDigest = (text: string): boolean => /^[0-9a-f]{64}$/i.test(text)

const digestSchema = z
  .string({ error: () => validation.digestInvalid })
  .trim()
  .refine(isDigest, validation.digestInvalid)
  .toLowerCase()

/** True for a day up to today, by UTC. */
export const isPast = (day: string): boolean => day <= new Date().toISOString().slice(0, 10)

const pastDaySchema = dateSchema.refine(isPast, validation.dayFuture)

export const collateralShape = {
  description: z
    .string({ error: () => validation.fillAllFields })
    .pipe(textSchema().min(1, validation.fillAllFields)),
  value: amountSchema,
  valuedOn: pastDaySchema,
}
const documentShape = { title: oneLine(200), sha256: digestSchema, link: linkSchema }

const updateTextSchema = z
  .string({ error: () => validation.fillAllFields })
  .pipe(textSchema(LONGEST_UPDATE, validation.updateMaximum).min(1, validation.fillAllFields))

const LOANS = '/api/v1/admin/loans'
const params = z.object({ id: idSchema })
const added = z.object({ id: idSchema })
const why = z.object({ reason: textSchema().min(1, validation.reasonRequired) })

export const addCollateral = {
  method: 'POST',
  path: `${LOANS}/{id}/collateral`,
  access: 'staff',
  stepUp: true,
  summary:
    'Add collateral of a loan: a text, its value in dollars and the day of that value. It never changes; a wrong one is withdrawn',
  params,
  payload: z.object(collateralShape),
  narration: 'Collateral added.',
  body: added,
} as const satisfies Endpoint

export const withdrawCollateral = {
  method: 'POST',
  path: '/api/v1/admin/collateral/{id}/withdraw',
  access: 'staff',
  stepUp: true,
  summary: 'Mark collateral as withdrawn, with the reason. It stays on record',
  params,
  payload: why,
  narration: 'Collateral withdrawn.',
  body: z.null(),
} as const satisfies Endpoint

export const addLoanDocument = {
  method: 'POST',
  path: `${LOANS}/{id}/documents`,
  access: 'staff',
  stepUp: true,
  summary:
    'Add a document of a loan by its SHA-256 and a link by HTTPS, which the product never opens. It never changes; a wrong one is withdrawn',
  params,
  payload: z.object(documentShape),
  narration: 'Document added.',
  body: added,
} as const satisfies Endpoint

export const addBorrowerDocument = {
  ...addLoanDocument,
  path: '/api/v1/admin/borrowers/{id}/documents',
  summary: 'Add a document of a borrower, as one of a loan',
} as const satisfies Endpoint

export const withdrawDocument = {
  method: 'POST',
  path: '/api/v1/admin/documents/{id}/withdraw',
  access: 'staff',
  stepUp: true,
  summary: 'Mark a document as withdrawn, with the reason. It stays on record',
  params,
  payload: why,
  narration: 'Document withdrawn.',
  body: z.null(),
} as const satisfies Endpoint

export const writeUpdate = {
  method: 'POST',
  path: `${LOANS}/{id}/updates`,
  access: 'staff',
  stepUp: true,
  summary: `Write an update of a loan, at most ${LONGEST_UPDATE} characters. It never changes`,
  params,
  payload: z.object({ text: updateTextSchema }),
  narration: 'Update written.',
  body: added,
} as const satisfies Endpoint
