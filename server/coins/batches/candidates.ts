/** The withdrawals and loans that a batch may pay. */
import { type Cents, cents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import type { BatchLeftOut } from '@pool/contract/coins/batches'
import { type Kysely, sql } from 'kysely'
import { networksOf } from '../../base/chains/networks.ts'
import type { Config } from '../../base/configuration/config.ts'
import type { Schema } from '../../base/db/schema.ts'
import { isHeldBack, isInBatch } from '../../money/claims/batched.ts'
import type { LeftOut, PlannedPayout } from './plan.ts'
import { readUnexplained } from './unexplained.ts'

/** True of a loan or a payee `l` whose first instalment is due. */
const IS_DUE = sql<boolean>`(l.first_due_on <= (now() AT TIME ZONE 'UTC')::date)`

/**
 * Throws `batchLeavesOut` where a payee's account was frozen, suspended or came to owe after the
 * batch was made, or a loan is due by now: its file must not be signed any more.
 */
export const requirePayable = async (db: Kysely<Schema>, batchId: string): Promise<void> => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM payees_of(${batchId}) AS l
    WHERE ${isHeldBack(sql.ref('l.user_id'))} OR ${IS_DUE}`.execute(db)
  const count = rows[0]?.count ?? 0
  if (count > 0) throw refusal('batchLeavesOut', { count })
}

export type Candidate = Pick<PlannedPayout, 'withdrawalId' | 'loanId' | 'address'> & {
  readonly amount: Cents
  readonly share: Cents
}

export type Candidates = {
  readonly payable: readonly Candidate[]
  readonly leftOut: readonly LeftOut[]
}

type CandidateRow = {
  readonly id: string
  /** True where the maker of the batch and the payee count as one person. */
  readonly own: boolean
  /** False for a withdrawal or loan in another state. */
  readonly waits: boolean
  readonly amount: bigint
  /** Cents of the network's fee that the investor of a withdrawal bears. */
  readonly share: bigint
  readonly network: string
  readonly address: string | null
  readonly batched: boolean
  /** True for a withdrawal that was given back. */
  readonly returned: boolean
  readonly held: boolean
  /** True once the first instalment of a loan is due. */
  readonly due: boolean
}

type AskedCandidates = {
  readonly ids: readonly string[]
  readonly loanIds: readonly string[]
  readonly network: NetworkName
  /** The member of staff who makes the batch. */
  readonly by: string
}

const readWithdrawals = async (db: Kysely<Schema>, ids: readonly string[], by: string) => {
  const { rows } = await sql<CandidateRow>`
    SELECT t.id, is_same_person(t.user_id, ${by}) AS own, t.status = 'APPROVED' AS waits, t.amount, t.fee AS share, t.destination_network AS network, t.payee_address AS address,
      ${isInBatch(sql.ref('t.id'))} AS batched, t.status = 'RETURNED' AS returned, ${isHeldBack(sql.ref('t.user_id'))} AS held, false AS due
    FROM transactions AS t
    WHERE t.id = ANY (${ids}::uuid[]) AND t.type = 'withdrawal'`.execute(db)
  return rows
}

/** Reserved loans, by the id of the loan. */
const readLoans = async (db: Kysely<Schema>, ids: readonly string[], by: string) => {
  const { rows } = await sql<CandidateRow>`
    SELECT l.id, b.user_id IS NOT NULL AND is_same_person(b.user_id, ${by}) AS own, l.status = 'SENDING' AS waits, s.principal AS amount, 0::bigint AS share, s.network_name AS network, s.address,
      EXISTS (SELECT FROM batch_payouts AS p WHERE p.sending_id = s.id AND p.is_open)
        OR EXISTS (SELECT FROM loan_confirmations AS c WHERE c.sending_id = s.id) AS batched,
      false AS returned, ${isHeldBack(sql.ref('b.user_id'))} AS held, ${IS_DUE} AS due
    FROM loan_sendings AS s JOIN loans AS l ON l.id = s.loan_id JOIN borrowers AS b ON b.id = l.borrower_id
    WHERE s.loan_id = ANY (${ids}::uuid[]) AND s.status = 'OPEN'`.execute(db)
  return rows
}

/** Sorts withdrawals and loans into those to pay on a network, and others with reasons. */
export const readCandidates = async (
  db: Kysely<Schema>,
  { poolMode }: Pick<Config, 'poolMode'>,
  { ids, loanIds, network, by }: AskedCandidates,
): Promise<Candidates> => {
  const payable: Candidate[] = []
  const leftOut: LeftOut[] = []
  const isUnexplained = await readUnexplained(db, network)
  const sort = (rows: readonly CandidateRow[], of: readonly string[], isLoan: boolean): void => {
    const found = new Map(rows.map((row) => [row.id, row]))
    for (const id of new Set(of)) {
      const row = found.get(id)
      const named = { withdrawalId: isLoan ? null : id, loanId: isLoan ? id : null }
      const why = row ? problemOf(row, { network, poolMode }) : 'notToSend'
      if (why) leftOut.push({ ...named, why })
      else if (row?.address && isUnexplained(row.address))
        leftOut.push({ ...named, why: 'unexplained' })
      else if (row?.address)
        payable.push({
          ...named,
          address: row.address,
          amount: cents(row.amount),
          share: cents(row.share),
        })
    }
  }
  sort(await readWithdrawals(db, ids, by), ids, false)
  sort(await readLoans(db, loanIds, by), loanIds, true)
  return { payable, leftOut }
}

type CandidateFilter = Pick<AskedCandidates, 'network'> & Pick<Config, 'poolMode'>

const problemOf = (
  row: CandidateRow,
  { network, poolMode }: CandidateFilter,
): BatchLeftOut | undefined => {
  const { own, waits, address, batched, returned, held, due } = row
  if (batched) return 'inBatch'
  if (returned) return 'returned'
  if (!waits) return 'notToSend'
  if (own) return 'own'
  if (held) return 'frozen'
  if (due) return 'firstDue'
  const possible = networksOf(address ?? '', poolMode)
  if (possible.length === 0) return 'noAddress'
  // An address of several networks, without a named one, is no order to pay on this one.
  const meant = row.network || (possible.length === 1 ? possible[0] : '')
  return meant === network && possible.some((name) => name === network) ? undefined : 'otherNetwork'
}
