/** Proposals that two people agreed on, and that the next minute books. */
import type { PayloadOf, ProposalKind } from '@pool/contract/proposals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'

type Agreed<Kind extends ProposalKind> = {
  readonly id: string
  readonly payload: PayloadOf<Kind>
}

/** Those of a kind that no row of `table` books, the oldest first. An agreement lasts 7 days. */
export const readAgreedOf = async <Kind extends ProposalKind>(
  db: Kysely<Schema>,
  kind: Kind,
  table: 'loss_covers' | 'capital_withdrawals',
): Promise<readonly Agreed<Kind>[]> => {
  const { rows } = await sql<Agreed<Kind>>`
    SELECT p.id, p.payload FROM proposals AS p
    WHERE p.kind = ${kind} AND p.status = 'DONE' AND p.decided_at > now() - interval '7 days'
      AND NOT EXISTS (SELECT FROM ${sql.table(table)} AS booked WHERE booked.id = p.id) ORDER BY p.asked_at`.execute(
    db,
  )
  return rows
}
