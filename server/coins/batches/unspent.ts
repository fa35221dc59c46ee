/** Unspent outputs of the pool on Bitcoin, as its node was read. */
import { type Kysely, sql } from 'kysely'
import { type AccountKey, accountKeyOf, type Branch } from '../../base/chains/accountKeys.ts'
import type { Mode } from '../../base/chains/chain.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Unspent } from './selectCoins.ts'

export type OwnCoin = Unspent & {
  readonly address: string
  /** Of the address, where a key derives it. */
  readonly keyId: string | null
  readonly branch: Branch
  readonly index: number
}

type UnspentRow = {
  readonly input: string
  readonly address: string
  readonly units: string
  readonly keyId: string | null
  readonly branch: Branch
  readonly index: number | null
}

/**
 * Confirmed coins of wallets and of our change that no seen transaction spends, and that no open
 * batch holds.
 */
export const readUnspent = async (db: Kysely<Schema>): Promise<OwnCoin[]> => {
  const { rows } = await sql<UnspentRow>`
    WITH own AS (
      SELECT address, key_id, 0 AS branch, derivation_index FROM wallets WHERE network_name = 'Bitcoin'
      UNION ALL
      SELECT address, key_id, 1, derivation_index FROM own_addresses WHERE network_name = 'Bitcoin' AND class = 'CHANGE'
    ), arrived AS (
      SELECT transaction_id || ':' || output AS input, address, units FROM payments
      WHERE network_name = 'Bitcoin' AND state = 'CONFIRMED'
      UNION
      SELECT s.transaction_id || ':' || c.output, c.address, c.units
      FROM sent_coins AS c JOIN spendings AS s ON s.id = c.spending_id
      WHERE s.network_name = 'Bitcoin' AND s.state = 'CONFIRMED'
    )
    SELECT DISTINCT ON (a.input) a.input, own.address, a.units::text, own.key_id AS "keyId", own.branch, own.derivation_index AS index
    FROM arrived AS a JOIN own USING (address)
    WHERE NOT EXISTS (SELECT FROM spent_coins AS c JOIN spendings AS s ON s.id = c.spending_id
        WHERE c.input = a.input AND s.network_name = 'Bitcoin' AND s.state IN ('SEEN', 'CONFIRMED'))
      AND NOT EXISTS (SELECT FROM batch_inputs AS i
        WHERE i.network_name = 'Bitcoin' AND i.input = a.input AND i.is_open)
    ORDER BY a.input, own.key_id`.execute(db)
  return rows.map(({ units, index, ...coin }) => ({
    ...coin,
    units: BigInt(units),
    index: index ?? 0,
  }))
}

export type OwnKey = {
  /** The newest row of the key. */
  readonly id: string
  /** All rows: a key that ended can come back. */
  readonly ids: readonly string[]
  readonly account: AccountKey
}

export type Spendable = {
  /** Undefined where no key can sign. */
  readonly key: OwnKey | undefined
  /** Coins of that key. */
  readonly coins: readonly OwnCoin[]
  readonly imported: number
  readonly otherKeys: number
}

/**
 * The coins that one file can spend: those of one key, since a signer holds one. It is the key of
 * `wanted` coins, else the one with the most.
 */
export const spendableOf = async (
  db: Kysely<Schema>,
  mode: Mode,
  { coins, wanted }: { readonly coins: readonly OwnCoin[]; readonly wanted: ReadonlySet<string> },
): Promise<Spendable> => {
  const keys = await db
    .selectFrom('address_keys')
    .select(['id', 'key'])
    .where('network_name', '=', 'Bitcoin')
    .orderBy('created_at', 'desc')
    .execute()
  const newest = keys.filter(({ key }, at) => keys.findIndex((each) => each.key === key) === at)
  const signing = newest.flatMap(({ id, key }): OwnKey[] => {
    const ids = keys.filter((each) => each.key === key).map((each) => each.id)
    const account = accountKeyOf('Bitcoin', key, mode)
    // A bare public key can only watch: it has no derivation path for the signer.
    return account.fingerprint === null ? [] : [{ id, ids, account }]
  })
  const sums = signing.map((key) => {
    const own = coins.filter(({ keyId }) => keyId !== null && key.ids.includes(keyId))
    const isWanted = own.some(({ input }) => wanted.has(input))
    return { key, own, isWanted, sum: own.reduce((sum, { units }) => sum + units, 0n) }
  })
  const [best] = sums.sort((a, b) => {
    if (a.isWanted !== b.isWanted) return a.isWanted ? -1 : 1
    return a.sum > b.sum ? -1 : 1
  })
  const signable = new Set(signing.flatMap(({ ids }) => ids))
  const imported = coins.filter(({ keyId }) => keyId === null || !signable.has(keyId)).length
  const own = best && best.own.length > 0 ? best : undefined
  return {
    key: own?.key,
    coins: own?.own ?? [],
    imported,
    otherKeys: coins.length - imported - (own?.own.length ?? 0),
  }
}
