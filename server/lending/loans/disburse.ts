/** Loans that two people agree to disburse. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { refusal, refusalFrom } from '@pool/contract/base/refusals'
import { loanDay } from '@pool/contract/lending/loanDays'
import { LONGEST_FIRST } from '@pool/contract/lending/loanTerms'
import { type ScheduleLine, scheduleOf } from '@pool/contract/lending/schedules'
import { type Kysely, sql } from 'kysely'
import { canonicalEvidence } from '../../base/chains/networks.ts'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { queryOf, requireUnbooked } from '../../ledger/engine/within.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { mostFor, readLending } from '../../ledger/families/concentration.ts'
import { readLadder, refusedLadder } from '../../ledger/families/ladder.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { type OnRecord, SYSTEM } from '../../records/audit/record.ts'
import { fundingOf, readLoan, termsOf } from './terms.ts'

type AskedDisbursement = PayloadOf<'DISBURSE_LOAN'>

/**
 * A transaction as its network writes it, without an output: it pays out one loan. Throws
 * `evidenceInvalid`.
 */
export const evidenceOn = (networkName: string, typed: string): string => {
  const payment = canonicalEvidence(networkName, typed)
  if (payment === undefined) throw refusal('evidenceInvalid')
  return payment.id
}

/** Today, UTC, as ISO text. */
export const todayOf = (): string => new Date().toISOString().slice(0, 10)

/** Days from one day to another, each ISO text. NaN unless both are days. */
export const daysFrom = (from: string, to: string): number =>
  (loanDay(to)?.number ?? Number.NaN) - (loanDay(from)?.number ?? Number.NaN)

/**
 * Throws `loanFileOut` where the file of an earlier batch on another network could still pay the
 * loan. On its own network a new batch makes it void.
 */
export const requireNoFileOut = async (
  db: Kysely<Schema>,
  loanId: string,
  network: string | null,
): Promise<void> => {
  const { rows } = await sql`
    SELECT FROM loan_sendings AS s JOIN batch_payouts AS p ON p.sending_id = s.id JOIN batches AS b ON b.id = p.batch_id
    WHERE s.loan_id = ${loanId} AND b.network_name IS DISTINCT FROM ${network}
      AND EXISTS (SELECT FROM audit_entries AS e WHERE e.subject_type = 'batch' AND e.subject_id = b.id::text AND e.action = 'batch.fileTaken')
      AND NOT EXISTS (SELECT FROM batch_inputs AS i JOIN spent_coins AS c ON c.input = i.input JOIN spendings AS x ON x.id = c.spending_id
        WHERE i.batch_id = b.id AND x.network_name = b.network_name AND x.state = 'CONFIRMED' AND (x.batch_id <> b.id OR x.settled_at IS NOT NULL))
      AND NOT EXISTS (SELECT FROM batches AS o JOIN spendings AS x ON x.batch_id = o.id
        WHERE o.id <> b.id AND o.network_name = b.network_name AND o.payer = b.payer AND o.nonce = b.nonce AND x.state = 'CONFIRMED')`.execute(
    db,
  )
  if (rows.length > 0) throw refusal('loanFileOut')
}

type InTime = Pick<Awaited<ReturnType<typeof readLoan>>, 'approvedOn' | 'takenOverOn'>

/**
 * Throws `disbursedBefore` for a loan that was paid out before its approval, and `takenOverBefore`
 * for one that ran already and was paid out after it was taken over.
 */
export const requireInTime = ({ approvedOn, takenOverOn }: InTime, disbursedOn: string): void => {
  if (takenOverOn === null) {
    if (disbursedOn < (approvedOn ?? '')) throw refusal('disbursedBefore', { on: approvedOn ?? '' })
  } else if (disbursedOn > takenOverOn) throw refusal('takenOverBefore', { on: takenOverOn })
}

/**
 * Throws `loanIs`, `disbursedWhen`, `loanByBatch` of a followed network, `loanEvidenceUsed`,
 * `transactionBooked`, and as {@link requireInTime} and {@link requireNoFileOut}.
 */
export const requireDisbursable = async (
  { db, config }: WithDb & WithConfig,
  {
    loanId,
    networkName,
    evidence,
    disbursedOn,
  }: Omit<AskedDisbursement, 'userId' | 'borrower' | 'amount'>,
): Promise<void> => {
  const loan = await readLoan(db, loanId)
  const { status, firstDueOn } = loan
  if (status !== 'APPROVED') throw refusal('loanIs', { status })
  if (config.chains.some(({ network }) => network === networkName)) throw refusal('loanByBatch')
  const today = todayOf()
  const days = daysFrom(disbursedOn, firstDueOn)
  if (disbursedOn > today || !(days > 0 && days <= LONGEST_FIRST)) throw refusal('disbursedWhen')
  requireInTime(loan, disbursedOn)
  await requireNoFileOut(db, loanId, null)
  const { rows } = await sql`
    SELECT FROM loan_disbursements WHERE (network_name, evidence) = (${networkName}, ${evidence})`.execute(
    db,
  )
  if (rows.length > 0) throw refusal('loanEvidenceUsed')
  await requireUnbooked(db, { movement: 'loan_disbursed', id: loanId, networkName, evidence })
}

/** Throws `loanConcentrated` if the borrower would owe more than `percent` of the capital. */
export const requireSpread = async (
  db: Kysely<Schema>,
  { loanId, principal, percent }: { loanId: string; principal: bigint; percent: number },
): Promise<void> => {
  const query = queryOf(db)
  const lending = await readLending((text, values) => query('', text, values), [loanId])
  const most = mostFor(lending, loanId, percent)
  if (principal > most) throw refusal('loanConcentrated', { most: dollarsFromCents(cents(most)) })
}

type Funding = { readonly principal: bigint; readonly fromInvestors: bigint }

/**
 * Throws `loanReserveShort` if the free reserve does not cover the operator's part of a loan,
 * `lossOpen`, `principalNotLent` and `ladderShort` as the ledger will.
 */
export const requireFunds = async (
  { db, config }: WithDb & WithConfig,
  { principal, fromInvestors }: Funding,
  lines: readonly ScheduleLine[],
): Promise<void> => {
  const free = await poolBalance(db, 'reserve')
  if (free < principal - fromInvestors)
    throw refusal('loanReserveShort', { free: dollarsFromCents(free) })
  const query = queryOf(db)
  const state = await readLadder((text, values) => query('', text, values), fromInvestors > 0n)
  const lent = {
    principal: cents(principal),
    fromInvestors: cents(fromInvestors),
    lines,
    collectionRate: rateOf(config),
  }
  const refused = refusedLadder(lent, state)
  if (refused) throw refusalFrom(refused) ?? refusal('loanNotFound')
}

/** Percent of instalments that the ladder counts. Null if no principal of investors is lent. */
export const rateOf = ({ lendPrincipal, collectionRate }: Config): number | null =>
  lendPrincipal ? collectionRate : null

/** The operation of a disbursement (docs/product.md 5.26). */
export const disbursementOf = async (
  { db, keys, config }: OnRecord & WithConfig,
  id: string,
  { loanId, networkName, evidence, disbursedOn }: AskedDisbursement,
): Promise<Operation> => {
  const loan = await readLoan(db, loanId)
  const principal = cents(loan.principal)
  const entry = signEntry(keys, {
    by: SYSTEM,
    action: 'loan.disbursed',
    subject: { type: 'loan', id: loanId },
    after: {
      amount: dollarsFromCents(principal),
      networkName,
      evidence,
      disbursedOn,
      ...fundingOf(loan),
    },
  })
  return {
    movement: 'loan_disbursed',
    id,
    loanId,
    principal,
    disbursedOn,
    networkName,
    evidence,
    entry,
    lines: scheduleOf(termsOf(loan, disbursedOn)),
    concentration: config.loanConcentration,
    fromInvestors: cents(loan.fromInvestors),
    collectionRate: rateOf(config),
  }
}
