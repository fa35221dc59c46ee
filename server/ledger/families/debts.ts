/** Debts of investors for deposits that their network took back, or may take back. */
import type { Refused, StateReading } from './movement.ts'

/**
 * Open claims, and credited deposits whose payment left its block: it may come again. Both are
 * almost always none, and indexes of such rows alone find them.
 */
const DEBTS = `
SELECT user_id AS id, 'owes' AS debt FROM claims WHERE user_id = ANY ($1::uuid[]) AND open > 0
UNION ALL
SELECT t.user_id, 'unsure' FROM payments AS p
  JOIN wallets AS w ON w.network_name = p.network_name AND lower(w.address) = lower(p.address)
  JOIN transactions AS t ON t.evidence_network = p.network_name AND t.evidence = p.transaction_id
    AND t.evidence IS NOT NULL AND t.status = 'APPROVED' AND t.wallet_id = w.id AND coalesce(t.evidence_output, p.output) = p.output
WHERE p.state <> 'CONFIRMED' AND p.confirmed_at IS NOT NULL AND t.user_id = ANY ($1::uuid[])`

type Debt = 'owes' | 'unsure'

/** The investors with a debt. */
export type Debts = ReadonlyMap<string, Debt>

type Moving = { readonly by: { readonly id: string } } | { readonly ownerId: string }

export const debts: StateReading<Moving, Debts> = {
  read: async (query, operations) => {
    const rows = await query<{ id: string; debt: Debt }>('read_debts', DEBTS, [
      operations.map((each) => ('ownerId' in each ? each.ownerId : each.by.id)),
    ])
    // A claim is the stronger reason.
    return new Map(
      rows.toSorted((a, b) => (a.debt > b.debt ? -1 : 1)).map(({ id, debt }) => [id, debt]),
    )
  },
}

/** The refusal for an investor's own request. */
export const refusedDebt = (debt: Debt | undefined): Refused | undefined => {
  if (debt === undefined) return undefined
  return { refused: debt === 'owes' ? 'claimOpen' : 'depositUnsure' }
}
