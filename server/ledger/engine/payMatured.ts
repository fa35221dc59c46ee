import { type Cents, cents } from '@pool/contract/base/money'
import type { Pool } from 'pg'
import { newId } from '../../base/db/ids.ts'
import { movements } from '../families/movements.ts'

const legs = JSON.stringify(movements.investment_matured.legs)

export type Matured = { readonly matured: number; readonly paid: Cents }

/**
 * Pays up to `most` matured investments in one transaction, beside the groups. Skips those that
 * another caller is paying. Returns its own count and cents; on an error nothing is paid.
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
