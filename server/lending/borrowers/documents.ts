/** Documents of borrowers and loans: a digest and a link, whose file is elsewhere (5.35). */
import type { Payload } from '@pool/contract/base/endpoint'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { addLoanDocument as call, LoanDocument } from '@pool/contract/lending/loanRecords'
import { type Kysely, sql } from 'kysely'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { isSamePerson } from '../../base/sessions/samePerson.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'

/** A document belongs to one of the two. */
type Subject = { readonly type: 'borrower' | 'loan'; readonly id: string }

/** The withdrawal of a record, as its row has it. */
export type Withdrawal = {
  readonly withdrawnFor: string | null
  readonly withdrawnBy: string | null
  readonly withdrawnAt: Date | null
}
type DocumentRow = Omit<LoanDocument, 'at' | keyof Withdrawal> & Withdrawal & { readonly at: Date }

/** The documents of a borrower or of a loan, the oldest first, also withdrawn ones. */
export const readDocuments = async (
  db: Kysely<Schema>,
  { type, id }: Subject,
): Promise<LoanDocument[]> => {
  const { rows } = await sql<DocumentRow>`
    SELECT d.id, d.title, d.sha256, d.link, r.username AS "recordedBy", d.created_at AS at,
      d.withdrawn_for AS "withdrawnFor", w.username AS "withdrawnBy", d.withdrawn_at AS "withdrawnAt"
    FROM loan_documents AS d JOIN users AS r ON r.id = d.recorded_by LEFT JOIN users AS w ON w.id = d.withdrawn_by
    WHERE ${sql.ref(`d.${type}_id`)} = ${id} ORDER BY d.created_at, d.id`.execute(db)
  return rows.map(({ at, withdrawnAt, ...row }) => ({
    ...row,
    at: timestampFromDate(at),
    withdrawnAt: withdrawnAt && timestampFromDate(withdrawnAt),
  }))
}

/** The account of the borrower of a subject. Throws `borrowerNotFound` and `loanNotFound`. */
const ownerOf = async (db: Kysely<Schema>, { type, id }: Subject): Promise<string | null> => {
  const { rows } = await (type === 'borrower'
    ? sql<{ userId: string | null }>`SELECT user_id AS "userId" FROM borrowers WHERE id = ${id}`
    : sql<{ userId: string | null }>`
        SELECT b.user_id AS "userId" FROM loans AS l JOIN borrowers AS b ON b.id = l.borrower_id WHERE l.id = ${id}`
  ).execute(db)
  if (!rows[0]) throw refusal(type === 'borrower' ? 'borrowerNotFound' : 'loanNotFound')
  return rows[0].userId
}

/** Throws `ownLoan` to the person who owns the account, and as {@link ownerOf} does. */
export const requireOthers = async (
  db: Kysely<Schema>,
  subject: Subject,
  by: Caller,
): Promise<void> => {
  if (await isSamePerson(db, await ownerOf(db, subject), by.id)) throw refusal('ownLoan')
}

/** The action and the subject of an entry about a document. */
const aboutOne = ({ type, id }: Subject, act: 'Added' | 'Withdrawn') =>
  type === 'borrower'
    ? { action: `borrower.document${act}` as const, subject: { type, id } }
    : { action: `loan.document${act}` as const, subject: { type, id } }

type Adding = {
  readonly subject: Subject
  readonly payload: Payload<typeof call>
  readonly by: Caller
}

/** Adds a document (docs/product.md 5.35). Throws as {@link requireOthers} does. */
export const addDocument = (
  { db, keys }: OnRecord,
  { subject, payload, by }: Adding,
): Promise<{ readonly id: string }> =>
  db.transaction().execute(async (transaction) => {
    await requireOthers(transaction, subject, by)
    const id = newId()
    await transaction
      .insertInto('loan_documents')
      .values({
        id,
        ...payload,
        recorded_by: by.id,
        ...(subject.type === 'borrower' ? { borrower_id: subject.id } : { loan_id: subject.id }),
      })
      .execute()
    await record(transaction, keys, {
      by,
      ...aboutOne(subject, 'Added'),
      after: { document: id, ...payload },
    })
    return { id }
  })

type Withdrawing = { readonly id: string; readonly reason: string; readonly by: Caller }

/**
 * Marks a document as withdrawn. Throws `documentNotFound`, `recordWithdrawn`, and `ownLoan` to the
 * owner of the borrower's account.
 */
export const withdrawDocument = (
  { db, keys }: OnRecord,
  { id, reason, by }: Withdrawing,
): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    const document = await transaction
      .selectFrom('loan_documents')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!document) throw refusal('documentNotFound')
    const subject: Subject =
      document.loan_id === null
        ? { type: 'borrower', id: document.borrower_id ?? '' }
        : { type: 'loan', id: document.loan_id }
    await requireOthers(transaction, subject, by)
    if (document.withdrawn_at !== null) throw refusal('recordWithdrawn')
    await transaction
      .updateTable('loan_documents')
      .set({ withdrawn_for: reason, withdrawn_by: by.id, withdrawn_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    await record(transaction, keys, {
      by,
      ...aboutOne(subject, 'Withdrawn'),
      before: { document: id, title: document.title, sha256: document.sha256 },
      reason,
    })
  })
