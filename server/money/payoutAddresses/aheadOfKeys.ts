/** Addresses of the pool's keys that no row has yet: a wallet shows them before the pool does. */
import { setImmediate } from 'node:timers/promises'
import type { NetworkName } from '@pool/contract/base/networks'
import { type Kysely, sql } from 'kysely'
import { accountKeyOf, type Branch } from '../../base/chains/accountKeys.ts'
import type { Schema } from '../../base/db/schema.ts'

/** Addresses of each branch after the last known one. Wallets look 20 ahead, as a rule. */
const AHEAD = 100
/** Addresses that are derived before other work goes on: some milliseconds. */
const AT_ONCE = 10

/** Addresses of each key in lower case, by branch and number. */
const derived = new Map<string, Map<string, string>>()

type KeyRow = { readonly key: string; readonly network: NetworkName } & {
  readonly next: number
  readonly change: number
}

/** True for an address that a key of the pool derives next, of deposits or of change. */
export const isAheadOfKeys = async (db: Kysely<Schema>, address: string): Promise<boolean> => {
  const isHex = /^0x/i.test(address)
  const { rows } = await sql<KeyRow>`
    SELECT key, network_name AS network, max(next_index)::int AS next, coalesce((
      SELECT max(derivation_index) + 1 FROM own_addresses AS o JOIN address_keys AS a ON a.id = o.key_id
      WHERE o.class = 'CHANGE' AND a.key = k.key), 0)::int AS change
    FROM address_keys AS k WHERE (network_name = 'Bitcoin') <> ${isHex} GROUP BY key, network_name`.execute(
    db,
  )
  const wanted = address.toLowerCase()
  for (const row of rows)
    for (const [branch, from] of [[0, row.next] as const, [1, row.change] as const])
      if (await derives(row, { branch, from, wanted })) return true
  return false
}

type Looked = { readonly branch: Branch; readonly from: number; readonly wanted: string }

const derives = async (
  { key, network }: KeyRow,
  { branch, from, wanted }: Looked,
): Promise<boolean> => {
  const known = derived.get(key) ?? new Map<string, string>()
  derived.set(key, known)
  // The mode says which keys are taken. This one was.
  const account = accountKeyOf(network, key, 'sandbox')
  for (let index = from; index < from + AHEAD; index += 1) {
    const name = `${branch}/${index}`
    let found = known.get(name)
    if (found === undefined) {
      if (index % AT_ONCE === 0) await setImmediate()
      found = (branch === 0 ? account.addressAt(index) : account.changeAt(index)).toLowerCase()
      known.set(name, found)
    }
    if (found === wanted) return true
  }
  return false
}
