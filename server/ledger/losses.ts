/** Losses of investors' principal, and how an open one ends (docs/decisions/063). */
import { type Cents, cents } from '@pool/contract/money'
import { LOSS_REASON, pausedByLosses } from '@pool/contract/pauses'
import { POOL_OWNER } from './accounts.ts'
import { OPEN_LOSS } from './ladder.ts'
import type { Brought, Causes, Movement, Reading, Row, SignedEntry, Statement } from './movement.ts'

const COVERS: Statement = {
  name: 'loss_covers',
  text: '\nINSERT INTO loss_covers (id, amount) SELECT * FROM unnest($1::uuid[], $2::bigint[])',
}

/** A pause of a person or a break keeps its reason. The trigger finds the lock of a lone group. */
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

const each = (into: Statement): readonly Row[] =>
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

/** A loss of investors' principal opens beside the write-off that found it. */
export const broughtByLosses: Readonly<Record<'loan_lost', Brought>> = {
  loan_lost: { legs: [{ from: 'loss', to: 'loans', moves: 'lost' }], expected: writtenOff },
}

const FREE = `
SELECT balance FROM accounts WHERE owner_id = '${POOL_OWNER}' AND kind = 'reserve'`

/** The free reserve. Exact for an operation that is decided alone. */
export type Free = { readonly reserve: bigint }

export const free: Reading<unknown, Free> = {
  read: async (query) => {
    const [row] = await query<{ balance: bigint }>('read_free_reserve', FREE)
    return { reserve: row?.balance ?? 0n }
  },
}

/** The parts of investors' principal that the free reserve bears, and that it does not reach. */
export const borneBy = (
  theirs: Cents,
  { reserve }: Free,
): { readonly covered: Cents; readonly lost: Cents } => {
  const covered = theirs < reserve ? theirs : cents(reserve)
  return { covered, lost: cents(theirs - covered) }
}

/** The operator bears an open loss, wholly. Its id is that of the proposal of two super admins. */
export type LossCovered = {
  readonly movement: 'loss_covered'
  readonly id: string
  readonly amount: Cents
  readonly entry: SignedEntry
  /** The entries of pauses that end. */
  readonly resuming: readonly SignedEntry[]
}

export type LossOperation = LossCovered

const AGREED = `
SELECT id FROM proposals WHERE id = ANY ($1::uuid[]) AND kind = 'COVER_LOSS' AND status = 'DONE'
  AND NOT EXISTS (SELECT FROM loss_covers AS c WHERE c.id = proposals.id)`

const agreed: Reading<LossCovered, Set<string>> = {
  read: async (query, operations) => {
    const rows = await query<{ id: string }>('read_agreed_covers', AGREED, [
      operations.map(({ id }) => id),
    ])
    return new Set(rows.map(({ id }) => id))
  },
}

/** Cents of losses that nothing bears yet. */
type Open = { cents: bigint }

const open: Reading<LossCovered, Open> = {
  read: async (query) => {
    const [row] = await query<Open>('read_open_loss', `SELECT ${OPEN_LOSS} AS cents`)
    return { cents: row?.cents ?? 0n }
  },
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
    rule: ({ id, amount, entry, resuming }, { agreed, open }) => {
      if (!agreed.has(id)) return { refused: 'proposalClosed' }
      if (open.cents !== amount) return { refused: 'lossChanged' }
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
  } satisfies Movement<LossCovered, { agreed: Set<string>; open: Open }>,
}
