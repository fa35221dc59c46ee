import { type Cents, cents } from '@pool/contract/money'
import type { Pool } from 'pg'
import { newId } from '../db/ids.ts'
import { movements } from './movements.ts'

const legs = JSON.stringify(movements.investment_matured)

export type Matured = { readonly matured: number; readonly paid: Cents }

/**
 * Pays at most so many investments that have matured, in one transaction: a lane beside the groups.
 * What another caller is paying is passed over, so that any number of them share the work. Returns
 * what this call paid, in cents. Throws, with nothing paid, what the database refuses.
 */
export const payMatured = async (pool: Pool, most: number): Promise<Matured> => {
  const { rows } = await pool.query<{ matured: number; paid: bigint }>({
    name: 'pay_matured',
    text: 'SELECT matured, paid FROM pay_matured($1, $2)',
    values: [Array.from({ length: most }, () => newId()), legs],
  })
  const { matured = 0, paid = 0n } = rows[0] ?? {}
  return { matured, paid: cents(paid) }
}
