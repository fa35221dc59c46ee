/**
 * Claims: coins went after their deposit was credited, so its investor owes the pool what it
 * credited. They are collected from what the investor can spend, or written off.
 */
import { type Cents, cents } from '@pool/contract/base/money'
import type { TransactionStatus } from '@pool/contract/requests/transactions'
import { type Kysely, sql } from 'kysely'
import { pagesOf } from '../../base/db/pages.ts'
import type { Schema } from '../../base/db/schema.ts'
import type {
  Causes,
  Expected,
  Movement,
  RowToWrite,
  SignedEntry,
  Statement,
  StateReading,
} from './movement.ts'
import { transactionsOf } from './requests.ts'

const CLAIMS: Statement = {
  name: 'claims',
  text: `
INSERT INTO claims (deposit_id, user_id, amount, open, payment_id, basis)
SELECT id, owner, amount, amount, payment, basis
FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[], $5::text[]) AS taken (id, owner, amount, payment, basis)`,
}

const REVERSED: Statement = {
  name: 'reversed',
  text: "\nUPDATE transactions SET status = 'REVERSED' WHERE id = ANY ($1::uuid[])",
}

const COLLECTED: Statement = {
  name: 'collected',
  text: `
INSERT INTO transactions (id, user_id, type, amount, status, claim_id, created_at, updated_at)
SELECT id, owner, 'reversal', amount, 'COMPLETED', claim, now(), now()
FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[]) AS paid (id, owner, amount, claim)`,
}

const WRITE_OFFS: Statement = {
  name: 'write_offs',
  text: `
INSERT INTO write_offs (id, claim_id, amount) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bigint[])`,
}

const SETTLED: Statement = {
  name: 'settle_claims',
  text: `
UPDATE claims AS c SET open = s.open FROM unnest($1::uuid[], $2::bigint[]) AS s (id, open) WHERE deposit_id = s.id`,
}

/** Claims that are read at once. */
const MOST = 500

type Payable = { readonly claimId: string; readonly ownerId: string; readonly amount: Cents }

/** The open claims that their investors can pay from, each with the cents, the oldest first. */
export const payable = (db: Kysely<Schema>): AsyncGenerator<readonly Payable[]> =>
  pagesOf<Payable & { readonly at: string }>(MOST, async (after) => {
    const { rows } = await sql<{ claimId: string; ownerId: string; amount: bigint; at: string }>`
    SELECT c.deposit_id AS "claimId", c.user_id AS "ownerId", least(c.open, a.balance) AS amount, c.created_at::text AS at
    FROM claims AS c JOIN accounts AS a ON a.owner_id = c.user_id AND a.kind = 'available'
    WHERE c.open > 0 AND a.balance > 0 AND (${after?.at ?? null}::timestamptz IS NULL OR (c.created_at, c.deposit_id) > (${after?.at ?? null}::timestamptz, ${after?.claimId ?? null}::uuid))
    ORDER BY c.created_at, c.deposit_id LIMIT ${MOST}`.execute(db)
    return rows.map(({ amount, ...claim }) => ({ ...claim, amount: cents(amount) }))
  })

type ByProduct = {
  readonly id: string
  readonly ownerId: string
  readonly amount: Cents
  readonly entry: SignedEntry
}

/** Its id is the deposit's, its amount what that credited. */
export type DepositReversed = ByProduct & {
  readonly movement: 'deposit_reversed'
  readonly paymentId: string
  /** In words, what the product saw. */
  readonly basis: string
}

export type ClaimCollected = ByProduct & {
  readonly movement: 'claim_collected'
  /** The deposit that was taken back. */
  readonly claimId: string
}

/** Its id is that of the proposal that two people agreed on. */
export type ClaimWrittenOff = ByProduct & {
  readonly movement: 'claim_written_off'
  readonly claimId: string
}

export type ClaimOperation = DepositReversed | ClaimCollected | ClaimWrittenOff

const CREDITED = `
SELECT id, user_id AS "ownerId", amount, status FROM transactions WHERE id = ANY ($1::uuid[]) AND type = 'deposit'`

type Deposit = { readonly ownerId: string; readonly amount: bigint; readonly status: string }

/** Deposits to take back, whose rows the movement locks. */
const credited: StateReading<DepositReversed, Map<string, Deposit>> = {
  read: async (query, operations) => {
    const rows = await query<Deposit & { id: string }>('read_credited', CREDITED, [
      operations.map(({ id }) => id),
    ])
    return new Map(rows.map(({ id, ...deposit }) => [id, deposit]))
  },
}

/** Locks them by id, so that two processes cannot deadlock. */
const OPEN_CLAIMS = `
SELECT deposit_id AS id, user_id AS "ownerId", open FROM claims WHERE deposit_id = ANY ($1::uuid[]) ORDER BY deposit_id FOR NO KEY UPDATE`

type Claim = { readonly ownerId: string; readonly open: bigint; readonly isSettled?: true }

const claims: StateReading<ClaimCollected | ClaimWrittenOff, Map<string, Claim>> = {
  read: async (query, operations) => {
    const rows = await query<Claim & { id: string }>('read_claims', OPEN_CLAIMS, [
      operations.map(({ claimId }) => claimId),
    ])
    return new Map(rows.map(({ id, ...claim }) => [id, claim]))
  },
  write: (state) => {
    const settled = [...state].filter(([, { isSettled }]) => isSettled)
    return [{ into: SETTLED, rows: settled.map(([id, { open }]) => [id, open]) }]
  },
}

const AGREED = `
SELECT id, subject FROM proposals WHERE id = ANY ($1::uuid[]) AND kind = 'WRITE_OFF' AND status = 'DONE'`

/** Approved proposals to write off, by id, each with its claim. `audit:check` looks for entries. */
const agreed: StateReading<ClaimWrittenOff, Map<string, string>> = {
  read: async (query, operations) => {
    const rows = await query<{ id: string; subject: string }>('read_agreed', AGREED, [
      operations.map(({ id }) => id),
    ])
    return new Map(rows.map(({ id, subject }) => [id, subject]))
  },
}

/** Settles a part of a claim. `row` tells of it. */
const settle = (
  { claimId, ownerId, amount, entry }: ClaimCollected | ClaimWrittenOff,
  state: Map<string, Claim>,
  row: RowToWrite,
) => {
  const claim = state.get(claimId)
  if (!claim || claim.ownerId !== ownerId || claim.open < amount)
    return { refused: 'claimSettled' } as const
  return {
    rows: [row],
    entry,
    note: () => {
      state.set(claimId, { ...claim, open: claim.open - amount, isSettled: true })
    },
  }
}

const writeOffs: Causes = {
  noun: 'write-off',
  table: 'write_offs',
  owned: false,
  status: 'MADE',
}

export const claimMovements = {
  /** The coins of a credited deposit are gone. */
  deposit_reversed: {
    legs: [{ from: 'claims', to: 'custody', moves: 'amount' }],
    expected: {
      rows: transactionsOf('deposit'),
      statuses: ['REVERSED'],
    } satisfies Expected<TransactionStatus>,
    locks: 'transactions',
    reads: { credited },
    rule: ({ id, ownerId, amount, paymentId, basis, entry }, { credited }) => {
      const deposit = credited.get(id)
      if (deposit?.ownerId !== ownerId) return { refused: 'transactionNotFound' }
      if (deposit.status !== 'APPROVED')
        return { refused: 'alreadyDecided', status: deposit.status }
      if (deposit.amount !== amount)
        return { refused: 'amountDiffers', amount: String(deposit.amount) }
      return {
        rows: [
          { into: CLAIMS, values: [id, ownerId, amount, paymentId, basis] },
          { into: REVERSED, values: [id] },
        ],
        entry,
        note: () => void credited.set(id, { ...deposit, status: 'REVERSED' }),
      }
    },
  } satisfies Movement<DepositReversed, { credited: Map<string, Deposit> }>,

  /** An investor paid a part of a claim from the available balance. */
  claim_collected: {
    legs: [{ from: 'available', to: 'claims', moves: 'amount' }],
    expected: {
      rows: transactionsOf('reversal'),
      statuses: ['COMPLETED'],
    } satisfies Expected<TransactionStatus>,
    reads: { claims },
    rule: (collected, { claims }) => {
      const { id, ownerId, amount, claimId } = collected
      return settle(collected, claims, { into: COLLECTED, values: [id, ownerId, amount, claimId] })
    },
  } satisfies Movement<ClaimCollected, { claims: Map<string, Claim> }>,

  /** The reserve paid a claim that two people gave up. */
  claim_written_off: {
    legs: [{ from: 'reserve', to: 'claims', moves: 'amount' }],
    expected: { rows: writeOffs, statuses: ['MADE'] },
    reads: { claims, agreed },
    rule: (written, { claims, agreed }) => {
      const { id, claimId, amount } = written
      if (agreed.get(id) !== claimId) return { refused: 'proposalClosed' }
      return settle(written, claims, { into: WRITE_OFFS, values: [id, claimId, amount] })
    },
  } satisfies Movement<
    ClaimWrittenOff,
    { claims: Map<string, Claim>; agreed: Map<string, string> }
  >,
}
