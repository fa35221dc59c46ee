/** Everything about one loan, for its page. */
import type { LoanStory } from '@pool/contract/loans'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { refusal } from '@pool/contract/refusals'
import { scheduleOf } from '@pool/contract/schedules'
import { timestampFromDate } from '@pool/contract/timestamp'
import { yearlyRateOf } from '@pool/contract/yearlyRate'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { findLoan } from './queries.ts'
import { readLoan, termsOf } from './terms.ts'

const dollars = (amount: bigint) => dollarsFromCents(cents(amount))

type Paid = { readonly paid: bigint; readonly interestPaid: bigint }

/** Cents that are paid of each instalment, by number. */
const readPaid = async (db: Kysely<Schema>, id: string): Promise<ReadonlyMap<number, Paid>> => {
  const { rows } = await sql<Paid & { number: number }>`
    SELECT number, principal_paid + interest_paid AS paid, interest_paid AS "interestPaid"
    FROM loan_instalments WHERE loan_id = ${id}`.execute(db)
  return new Map(rows.map(({ number, ...paid }) => [number, paid]))
}

const readRepayments = async (db: Kysely<Schema>, id: string): Promise<LoanStory['repayments']> => {
  type Row = Omit<LoanStory['repayments'][number], 'principal' | 'interest' | 'at'> & {
    readonly principal: bigint
    readonly interest: bigint
    readonly at: Date
  }
  const { rows } = await sql<Row>`
    SELECT r.id, r.value_on::text AS "valueOn", r.reference, r.principal, r.interest, u.username AS "recordedBy",
      r.created_at AS at, v.reason AS "reversedFor"
    FROM loan_repayments AS r JOIN users AS u ON u.id = r.recorded_by LEFT JOIN loan_reversals AS v ON v.repayment_id = r.id
    WHERE r.loan_id = ${id} ORDER BY r.value_on, r.created_at, r.id`.execute(db)
  return rows.map(({ principal, interest, at, ...repayment }) => ({
    ...repayment,
    principal: dollars(principal),
    interest: dollars(interest),
    at: timestampFromDate(at),
  }))
}

const readEvents = async (db: Kysely<Schema>, id: string): Promise<LoanStory['events']> => {
  type Row = Omit<LoanStory['events'][number], 'amount' | 'at'> & {
    readonly amount: bigint | null
    readonly at: Date
  }
  const { rows } = await sql<Row>`
    SELECT what, at, amount, ARRAY(
      SELECT u.username FROM unnest(people) WITH ORDINALITY AS p (id, place) JOIN users AS u ON u.id = p.id ORDER BY place
    ) AS by
    FROM (
      SELECT 'recorded' AS what, created_at AS at, principal AS amount, ARRAY[recorded_by] AS people FROM loans WHERE id = ${id}
      UNION ALL
      SELECT 'approved', decided_at, NULL, ARRAY[asked_by, decided_by] FROM proposals
      WHERE kind = 'APPROVE_LOAN' AND subject = ${id} AND status = 'DONE'
      UNION ALL
      SELECT 'disbursed', d.created_at, d.principal, ARRAY[asked_by, decided_by]
      FROM loan_disbursements AS d JOIN proposals AS p ON p.id = d.id WHERE d.loan_id = ${id}
      UNION ALL
      SELECT 'repaid', created_at, principal + interest, ARRAY[recorded_by] FROM loan_repayments WHERE loan_id = ${id}
      UNION ALL
      SELECT 'reversed', v.created_at, v.principal + v.interest, ARRAY[reversed_by]
      FROM loan_reversals AS v JOIN loan_repayments AS r ON r.id = v.repayment_id WHERE r.loan_id = ${id}
    ) AS events ORDER BY at`.execute(db)
  return rows.map(({ amount, at, ...event }) => ({
    ...event,
    amount: amount === null ? null : dollars(amount),
    at: timestampFromDate(at),
  }))
}

const readDisbursement = async (db: Kysely<Schema>, id: string) => {
  const { rows } = await sql<{ evidence: string; networkName: string; isBooked: boolean }>`
    SELECT payload ->> 'evidence' AS evidence, payload ->> 'networkName' AS "networkName", d.id IS NOT NULL AS "isBooked"
    FROM proposals AS p LEFT JOIN loan_disbursements AS d ON d.id = p.id
    WHERE kind = 'DISBURSE_LOAN' AND subject = ${id} AND status = 'DONE'`.execute(db)
  return rows[0]
}

/** The story of a loan. Throws `loanNotFound`. */
export const readLoanStory = async (db: Kysely<Schema>, id: string): Promise<LoanStory> => {
  const loan = await findLoan(db, id)
  if (!loan) throw refusal('loanNotFound')
  const terms = termsOf(await readLoan(db, id), loan.disburseOn)
  const lines = scheduleOf(terms)
  const paid = await readPaid(db, id)
  const disbursement = await readDisbursement(db, id)
  return {
    loan,
    lines: lines.map(({ dueOn, principal, interest, balance }, index) => ({
      ...{ number: index + 1, dueOn },
      ...{ principal: dollars(principal), interest: dollars(interest), balance: dollars(balance) },
      paid: dollars(paid.get(index + 1)?.paid ?? 0n),
      interestPaid: dollars(paid.get(index + 1)?.interestPaid ?? 0n),
    })),
    yearlyRate: yearlyRateOf(terms, lines),
    repayments: await readRepayments(db, id),
    events: await readEvents(db, id),
    isAgreed: disbursement !== undefined && !disbursement.isBooked,
    evidence: disbursement?.isBooked ? disbursement.evidence : null,
    networkName: disbursement?.isBooked ? disbursement.networkName : null,
  }
}
