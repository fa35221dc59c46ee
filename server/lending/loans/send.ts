/** Loans that a batch pays: reserved and freed as two people agree, and lent once coins arrived. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import { LONGEST_FIRST } from '@pool/contract/lending/loanTerms'
import { scheduleOf } from '@pool/contract/lending/schedules'
import { type Kysely, sql } from 'kysely'
import { requireAddress } from '../../base/chains/networks.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { OnLedger, WithConfig, WithDb } from '../../http/context.ts'
import { evidenceText } from '../../ledger/families/decisions.ts'
import {
  type LoanConfirmation,
  requireOwnConfirmation,
} from '../../ledger/families/loanConfirmations.ts'
import type { Operation } from '../../ledger/families/movements.ts'
import { signEntry } from '../../records/audit/entry.ts'
import { type OnRecord, SYSTEM } from '../../records/audit/record.ts'
import { daysFrom, rateOf, requireInTime, requireNoFileOut, todayOf } from './disburse.ts'
import { postEach } from './postEach.ts'
import { fundingOf, readLoan, termsOf } from './terms.ts'

type AskedSending = PayloadOf<'SEND_LOAN'>

/**
 * The network of a loan that a batch may pay. Throws `loanIs`, `disbursedWhen`, `loanByHand`,
 * `addressOurs`, and as requireAddress, requireInTime and {@link requireNoFileOut}.
 */
export const requireSendable = async (
  { db, config }: WithDb & WithConfig,
  { loanId, networkName, address }: Pick<AskedSending, 'loanId' | 'networkName' | 'address'>,
): Promise<NetworkName> => {
  const loan = await readLoan(db, loanId)
  const { status, firstDueOn } = loan
  if (status !== 'APPROVED') throw refusal('loanIs', { status })
  const days = daysFrom(todayOf(), firstDueOn)
  if (!(days > 0 && days <= LONGEST_FIRST)) throw refusal('disbursedWhen')
  requireInTime(loan, todayOf())
  const mode = config.poolMode
  const network = requireAddress({ address, networkName, mode, field: 'address' })
  if (!config.chains.some((each) => each.network === network)) throw refusal('loanByHand')
  const { rows } = await sql<{ ours: boolean }>`
    SELECT coin_account(${network}, ${address}) IS NOT NULL AS ours`.execute(db)
  if (rows[0]?.ours) throw refusal('addressOurs')
  await requireNoFileOut(db, loanId, network)
  return network
}

/**
 * Returns the id of the reserved loan, `loan_sendings`. Throws `loanIs` unless its money is
 * reserved, and `loanInBatch` while a batch may pay it or has paid it.
 */
export const requireReleasable = async (db: Kysely<Schema>, loanId: string): Promise<string> => {
  const { rows } = await sql<{ id: string; batched: boolean }>`
    SELECT s.id, may_be_signed(s.id) AS batched
    FROM loan_sendings AS s WHERE s.loan_id = ${loanId} AND s.status = 'OPEN'`.execute(db)
  const [open] = rows
  if (!open) throw refusal('loanIs', { status: (await readLoan(db, loanId)).status })
  if (open.batched) throw refusal('loanInBatch')
  return open.id
}

/** The operation that reserves the money of a loan for a batch (docs/product.md 5.41). */
export const reservationOf = async (
  { db, keys, config }: OnRecord & WithConfig,
  proposalId: string,
  { loanId, networkName, address }: AskedSending,
): Promise<Operation> => {
  const loan = await readLoan(db, loanId)
  const principal = cents(loan.principal)
  const entry = signEntry(keys, {
    by: SYSTEM,
    action: 'loan.reserved',
    subject: { type: 'loan', id: loanId },
    after: { amount: dollarsFromCents(principal), networkName, address, ...fundingOf(loan) },
  })
  return {
    movement: 'loan_reserved',
    id: newId(),
    proposalId,
    loanId,
    principal,
    networkName,
    address,
    entry,
    lines: scheduleOf(termsOf(loan, todayOf())),
    concentration: config.loanConcentration,
    fromInvestors: cents(loan.fromInvestors),
    collectionRate: rateOf(config),
  }
}

type AgreedRelease = {
  readonly id: string
  readonly payload: PayloadOf<'RELEASE_LOAN'>
  readonly reason: string
}

/** The operation that frees the reserved money of a loan. */
export const releaseOf = async (
  { db, keys }: OnRecord,
  { id: proposalId, payload: { loanId, sendingId }, reason }: AgreedRelease,
): Promise<Operation> => {
  const { principal } = await db
    .selectFrom('loan_sendings')
    .select('principal')
    .where('id', '=', sendingId)
    .executeTakeFirstOrThrow()
  const entry = signEntry(keys, {
    by: SYSTEM,
    action: 'loan.released',
    subject: { type: 'loan', id: loanId },
    after: { amount: dollarsFromCents(cents(principal)) },
    reason,
  })
  return { movement: 'loan_released', id: sendingId, loanId, proposalId, entry }
}

type SentLoan = LoanConfirmation & {
  readonly proposalId: string
  readonly loanId: string
  readonly networkName: string
  readonly mac: string
}

/** Confirmed loans that have not begun, the oldest first. */
const readSent = async (db: Kysely<Schema>): Promise<readonly SentLoan[]> => {
  const { rows } = await sql<SentLoan>`
    SELECT s.id AS "sendingId", s.proposal_id AS "proposalId", s.loan_id AS "loanId", s.network_name AS "networkName",
      c.transaction_id AS transaction, c.output, c.mined_at AS "minedAt", c.basis, c.mac
    FROM loan_confirmations AS c JOIN loan_sendings AS s ON s.id = c.sending_id
    WHERE s.status = 'OPEN' ORDER BY c.created_at, s.id`.execute(db)
  return rows
}

const MS_PER_DAY = 86_400_000

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/**
 * The day of a block, UTC, or today where its time is ahead of the clock. It is before the first
 * instalment, as the schedule stays.
 */
const dayOf = (minedAt: Date | null, firstDueOn: string): string => {
  const days = [todayOf(), isoDay(Date.parse(firstDueOn) - MS_PER_DAY)]
  if (minedAt !== null) days.push(isoDay(minedAt.getTime()))
  return days.sort()[0] ?? todayOf()
}

const begin = async ({ db, keys, ledger }: OnLedger, sent: SentLoan): Promise<boolean> => {
  const { sendingId, proposalId, loanId, networkName, transaction, output, minedAt, basis } = sent
  requireOwnConfirmation(keys, sent, sent.mac)
  const loan = await readLoan(db, loanId)
  const principal = cents(loan.principal)
  const disbursedOn = dayOf(minedAt, loan.firstDueOn)
  const entry = signEntry(keys, {
    by: SYSTEM,
    action: 'loan.disbursed',
    subject: { type: 'loan', id: loanId },
    after: {
      amount: dollarsFromCents(principal),
      networkName,
      evidence: evidenceText({ id: transaction, output: output ?? undefined }),
      disbursedOn,
      ...fundingOf(loan),
    },
    reason: basis,
  })
  await ledger.post({
    movement: 'loan_sent',
    id: proposalId,
    sendingId,
    loanId,
    principal,
    disbursedOn,
    networkName,
    evidence: transaction,
    entry,
    output,
    lines: scheduleOf(termsOf(loan, disbursedOn)),
  })
  return true
}

/** Refusals that skip a loan: another process began it, or the next run tries again. */
const SKIPPED = ['loanIs', 'windingDown', 'busy', 'unavailable', 'outcomeUnknown']

/**
 * Begins each reserved loan whose coins are confirmed, once. Returns their number. Neither reserve
 * nor ladder refuses one, since its coins are gone.
 */
export const postSentLoans = async (context: OnLedger): Promise<number> =>
  postEach(await readSent(context.db), (each) => begin(context, each), SKIPPED)
