/** Capital that the operator puts into the reserve (docs/product.md 4.5). */
import type { Cents } from '@pool/contract/money'
import { sql } from 'kysely'
import type { Causes, Idempotency, Movement, SignedEntry, Statement } from './movement.ts'

const CONTRIBUTIONS: Statement = {
  name: 'contributions',
  text: `
INSERT INTO contributions (id, amount, note, contributed_by, created_at)
SELECT *, now() FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[])`,
}

/** Selects the ids of all contributions. */
export const selectContributions = sql<{ readonly id: string }>`(SELECT id FROM contributions)`

export type CapitalContributed = {
  readonly movement: 'capital_contributed'
  readonly id: string
  readonly amount: Cents
  readonly note: string
  readonly contributedBy: string
  readonly entry: SignedEntry
  readonly idempotency?: Idempotency | undefined
}

export type CapitalOperation = CapitalContributed

const contributions: Causes = {
  noun: 'contribution',
  table: 'contributions',
  owned: false,
  status: 'MADE',
}

export const capital = {
  /** The operator put capital into the reserve. */
  capital_contributed: {
    legs: [{ from: 'operator', to: 'reserve', moves: 'amount' }],
    expected: { rows: contributions, statuses: ['MADE'] },
    reads: {},
    rule: ({ id, amount, note, contributedBy, entry }) => ({
      rows: [{ into: CONTRIBUTIONS, values: [id, amount, note, contributedBy] }],
      entry,
    }),
  } satisfies Movement<CapitalContributed>,
}
