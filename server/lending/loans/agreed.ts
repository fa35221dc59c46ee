/**
 * Defaults, write-offs, recoveries and new terms that two people agreed on. The product books each
 * once.
 */
import { type PayloadOf, PROPOSAL_DAYS } from '@pool/contract/agreements/proposals'
import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { loanDay } from '@pool/contract/lending/loanDays'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { OnLedger, WithConfig, WithKeys } from '../../http/context.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import { pausingOf } from './covers.ts'
import { postEach } from './postEach.ts'

type Kinds = 'DEFAULT_LOAN' | 'WRITE_OFF_LOAN' | 'RECOVER_LOAN' | 'RESTRUCTURE_LOAN'
type AgreedLoanAct = {
  readonly id: string
  readonly kind: Kinds
  readonly payload: PayloadOf<Kinds>
  readonly outstanding: bigint
  readonly fromInvestors: bigint
  /** The id of who asked for it. */
  readonly askedBy: string
}

/**
 * Approved proposals that are not booked, of loans in their status, the oldest first. After a week
 * they count for nothing.
 */
const readAgreed = async (db: Kysely<Schema>): Promise<readonly AgreedLoanAct[]> => {
  const { rows } = await sql<AgreedLoanAct>`
    SELECT p.id, p.kind, p.payload, l.outstanding, l.from_investors AS "fromInvestors", p.asked_by AS "askedBy" FROM proposals AS p JOIN loans AS l ON l.id::text = p.subject
    WHERE p.kind IN ('DEFAULT_LOAN', 'WRITE_OFF_LOAN', 'RECOVER_LOAN', 'RESTRUCTURE_LOAN') AND p.status = 'DONE'
      AND p.decided_at > now() - make_interval(days => ${PROPOSAL_DAYS})
      AND l.status = CASE p.kind WHEN 'WRITE_OFF_LOAN' THEN 'DEFAULTED' WHEN 'RECOVER_LOAN' THEN 'WRITTEN_OFF' ELSE 'ACTIVE' END
      AND NOT EXISTS (SELECT FROM loan_restructurings WHERE id = p.id)
      AND NOT EXISTS (SELECT FROM loan_repayments WHERE id = p.id)
    ORDER BY p.asked_at, p.id`.execute(db)
  return rows
}

const actions = {
  DEFAULT_LOAN: 'loan.defaulted',
  WRITE_OFF_LOAN: 'loan.writtenOff',
  RECOVER_LOAN: 'loan.recovered',
  RESTRUCTURE_LOAN: 'loan.restructured',
} as const satisfies Readonly<Record<Kinds, string>>

/** The operation of an agreed proposal. Undefined for terms that no calendar has. */
const operationOf = (
  { keys, config }: WithKeys & WithConfig,
  { id, kind, payload, outstanding, fromInvestors, askedBy }: AgreedLoanAct,
): Operation | undefined => {
  const { loanId } = payload
  const isRecovery = 'reference' in payload
  const amount = isRecovery ? payload.amount : dollarsFromCents(cents(outstanding))
  const entry = signEntry(keys, {
    by: SYSTEM,
    action: actions[kind],
    subject: { type: 'loan', id: loanId },
    after: {
      amount,
      ...(isRecovery && {
        repayment: id,
        valueOn: payload.valueOn,
        reference: payload.reference,
      }),
      ...(kind === 'DEFAULT_LOAN' && { reason: 'unlikelyToPay' }),
      ...('terms' in payload && payload.terms),
    },
  })
  const named = { id, loanId, entry }
  if (kind === 'DEFAULT_LOAN') {
    const { loanTolerance: tolerance } = config
    return { movement: 'loan_defaulted', ...named, reason: 'unlikelyToPay', tolerance }
  }
  if (isRecovery) {
    const { valueOn, reference } = payload
    return {
      movement: 'loan_recovered',
      ...named,
      valueOn,
      reference,
      recordedBy: askedBy,
      recovered: centsFromDollars(amount),
      fromInvestors: cents(fromInvestors),
    }
  }
  if (!('terms' in payload))
    // Two people agreed to that sum and no other.
    return amount === payload.amount
      ? {
          movement: 'loan_written_off',
          ...named,
          principal: cents(outstanding),
          fromInvestors: cents(fromInvestors),
          pausing: pausingOf(keys),
        }
      : undefined
  const { isDistressed, terms } = payload
  const { schedule: kindOf, firstDueOn, ...rest } = terms
  const day = loanDay(firstDueOn)
  return day
    ? {
        movement: 'loan_restructured',
        ...named,
        isDistressed,
        terms: { ...rest, kind: kindOf, firstDueOn: day },
      }
    : undefined
}

/** Refusals after which the next call tries again, or the status of the loan rules it out. */
const RETRYABLE = [
  'loanIs',
  'proposalClosed',
  'amountDiffers',
  'badTerms',
  'recoveredTooMuch',
  'recoveredWhen',
  'referenceUsed',
  'busy',
  'unavailable',
  'outcomeUnknown',
]

/** Books what two people agreed on, each once (docs/product.md 5.28). Returns their number. */
export const postAgreed = async (context: OnLedger & WithConfig): Promise<number> =>
  postEach(
    await readAgreed(context.db),
    async (agreed) => {
      const operation = operationOf(context, agreed)
      if (!operation) return false
      await context.ledger.post(operation)
      return true
    },
    RETRYABLE,
  )
