/** Losses of investors' principal, and how an open one ends (docs/decisions/063 and 064). */
import { type Cents, cents, dollarsFromCents } from '@pool/contract/base/money'
import { LOSS_REASON, pausedByLosses } from '@pool/contract/money/pauses'
import { POOL_OWNER } from './accounts.ts'
import type {
  Causes,
  CompanionRule,
  Movement,
  Refused,
  RowToWrite,
  SignedEntry,
  Statement,
  StateReading,
} from './movement.ts'
import { transactionsOf } from './requests.ts'

const COVERS: Statement = {
  name: 'loss_covers',
  text: '\nINSERT INTO loss_covers (id, amount) SELECT * FROM unnest($1::uuid[], $2::bigint[])',
}

/** Its trigger takes each investor's part, and writes the movements. */
const SHARINGS: Statement = {
  name: 'loss_sharings',
  text: '\nINSERT INTO loss_sharings (id, amount, invested) SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[])',
}

/**
 * A pause by a person or a break keeps its reason. The trigger relies on the lock of a group that
 * runs alone.
 */
const PAUSED: Statement = {
  name: 'paused_by_loss',
  text: `
UPDATE pauses AS p SET by_loss = true, paused_at = coalesce(paused_at, now()), paused_by = coalesce(paused_by, 'system'), reason = coalesce(p.reason, s.reason)
FROM unnest($1::text[], $2::text[]) AS s (name, reason) WHERE p.name = s.name`,
}

const RESUMED: Statement = {
  name: 'resumed_by_loss',
  text: `
UPDATE pauses AS p SET by_loss = false, paused_at = CASE WHEN p.reason <> s.reason THEN paused_at END,
  paused_by = CASE WHEN p.reason <> s.reason THEN paused_by END, reason = nullif(p.reason, s.reason)
FROM unnest($1::text[], $2::text[]) AS s (name, reason) WHERE p.name = s.name AND by_loss`,
}

const each = (into: Statement): readonly RowToWrite[] =>
  pausedByLosses.map((name) => ({ into, values: [name, LOSS_REASON] }))

/** The rows of a write-off that opens a loss. */
export const pausedByLoss = each(PAUSED)

const writeOffs: Causes = {
  noun: 'write-off of a loan',
  table: 'loan_write_offs',
  owned: false,
  status: 'MADE',
}
export const writtenOff = { rows: writeOffs, statuses: ['MADE'] }

/**
 * A loss of investors' principal opens beside the write-off that found it. A trigger gives back
 * what is recovered, in a transaction and a movement for each who bore the loss.
 */
export const companionsOfLosses: Readonly<Record<'loan_lost' | 'loss_returned', CompanionRule>> = {
  loan_lost: { legs: [{ from: 'loss', to: 'loans', moves: 'lost' }], expected: writtenOff },
  loss_returned: {
    legs: [{ from: 'custody', to: 'available', moves: 'amount' }],
    expected: { rows: transactionsOf('recovery'), statuses: ['COMPLETED'] },
  },
}

const FREE = `
SELECT balance FROM accounts WHERE owner_id = '${POOL_OWNER}' AND kind = 'reserve'`

/** The free reserve. Exact for an operation that is decided alone. */
export type FreeReserve = { readonly reserve: bigint }

export const freeReserve: StateReading<unknown, FreeReserve> = {
  read: async (query) => {
    const [row] = await query<{ balance: bigint }>('read_free_reserve', FREE)
    return { reserve: row?.balance ?? 0n }
  },
}

/** The parts of investors' principal that the free reserve bears, and that it does not reach. */
export const splitLoss = (
  theirs: Cents,
  { reserve }: FreeReserve,
): { readonly covered: Cents; readonly lost: Cents } => {
  const covered = theirs < reserve ? theirs : cents(reserve)
  return { covered, lost: cents(theirs - covered) }
}

/** An open loss ends, wholly. Its id is that of the proposal of two super admins. */
type LossEnded = {
  readonly id: string
  /** A write-off of the loss that they agreed about. */
  readonly lossId: string
  readonly amount: Cents
  readonly entry: SignedEntry
  /** The entries of pauses that end. */
  readonly resuming: readonly SignedEntry[]
}
/** The operator bears it. */
export type LossCovered = LossEnded & { readonly movement: 'loss_covered' }
/** All investments bear it. */
export type LossShared = LossEnded & { readonly movement: 'loss_shared' }

export type LossOperation = LossCovered | LossShared

/** A sharing counts from its announced moment on. */
const AGREED = `
SELECT p.id FROM proposals AS p LEFT JOIN loss_announcements AS a USING (id)
WHERE p.id = ANY ($1::uuid[]) AND p.status = 'DONE' AND CASE p.kind
  WHEN 'COVER_LOSS' THEN NOT EXISTS (SELECT FROM loss_covers WHERE id = p.id)
  WHEN 'SHARE_LOSS' THEN a.counts_at <= now() AND NOT EXISTS (SELECT FROM loss_sharings WHERE id = p.id)
  ELSE false END`

const agreed: StateReading<LossEnded, Set<string>> = {
  read: async (query, operations) => {
    const rows = await query<{ id: string }>('read_agreed_losses', AGREED, [
      operations.map(({ id }) => id),
    ])
    return new Set(rows.map(({ id }) => id))
  },
}

/** Cents of losses that nothing bears yet, and the write-offs that they come from. */
type OpenLoss = { cents: bigint; readonly ids: ReadonlySet<string> }

const OPEN = `
SELECT open_loss() AS cents, ARRAY(SELECT id::text FROM open_losses()) AS ids`

const open: StateReading<LossEnded, OpenLoss> = {
  read: async (query) => {
    const [row] = await query<{ cents: bigint; ids: string[] }>('read_open_loss', OPEN)
    return { cents: row?.cents ?? 0n, ids: new Set(row?.ids) }
  },
}

/** The principal that works now. Its rows are locked, so that no maturity takes any of it. */
const INVESTED = `
WITH works AS (
  SELECT amount - borne AS cents FROM transactions WHERE investment_status = 'ACTIVE' ORDER BY id FOR NO KEY UPDATE
)
SELECT coalesce(sum(cents), 0)::bigint AS cents FROM works`

const invested: StateReading<LossShared, { readonly cents: bigint }> = {
  read: async (query) => {
    const [row] = await query<{ cents: bigint }>('read_invested', INVESTED)
    return { cents: row?.cents ?? 0n }
  },
}

/** The refusal of an end that two people did not agree to, or that is of another loss. */
const refusedEnd = (
  { id, lossId, amount }: LossEnded,
  { agreed, open }: { readonly agreed: ReadonlySet<string>; readonly open: OpenLoss },
): Refused | undefined => {
  if (!agreed.has(id)) return { refused: 'proposalClosed' }
  // A loss only grows until it ends, so one of its write-offs and the sum name it.
  return open.cents === amount && open.ids.has(lossId) ? undefined : { refused: 'lossChanged' }
}

const covers: Causes = {
  noun: 'cover of a loss',
  table: 'loss_covers',
  owned: false,
  status: 'MADE',
}

export const lossMovements = {
  /** Capital of the operator bore what investors' principal had lost. Its pauses end. */
  loss_covered: {
    legs: [{ from: 'reserve', to: 'loss', moves: 'amount' }],
    expected: { rows: covers, statuses: ['MADE'] },
    isAlone: () => true,
    reads: { agreed, open },
    rule: (covered, { agreed, open }) => {
      const { id, amount, entry, resuming } = covered
      const refused = refusedEnd(covered, { agreed, open })
      if (refused) return refused
      return {
        rows: [{ into: COVERS, values: [id, amount] }, ...each(RESUMED)],
        entry,
        more: resuming,
        note: () => {
          agreed.delete(id)
          open.cents = 0n
        },
      }
    },
  } satisfies Movement<LossCovered, { agreed: Set<string>; open: OpenLoss }>,

  /** All invested principal bore the same share of a loss. Its pauses end. */
  loss_shared: {
    legs: [{ from: 'invested', to: 'loss', moves: 'amount' }],
    expected: { rows: transactionsOf('loss'), statuses: ['COMPLETED'] },
    isAlone: () => true,
    reads: { agreed, open, invested },
    rule: (shared, { agreed, open, invested }) => {
      const { id, amount, entry, resuming } = shared
      const refused = refusedEnd(shared, { agreed, open })
      if (refused) return refused
      if (invested.cents < amount)
        return { refused: 'lossTooLarge', invested: dollarsFromCents(cents(invested.cents)) }
      return {
        rows: [{ into: SHARINGS, values: [id, amount, invested.cents] }, ...each(RESUMED)],
        // The trigger has moved each part.
        movesNothing: true,
        entry,
        more: resuming,
        note: () => {
          agreed.delete(id)
          open.cents = 0n
        },
      }
    },
  } satisfies Movement<
    LossShared,
    { agreed: Set<string>; open: OpenLoss; invested: { readonly cents: bigint } }
  >,
}
