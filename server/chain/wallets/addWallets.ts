import { setImmediate } from 'node:timers/promises'
import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import type { BadLine } from '@pool/contract/chain/wallets'
import { type Kysely, sql } from 'kysely'
import { isAddressOn, requireNetwork } from '../../base/chains/networks.ts'
import type { Config } from '../../base/configuration/config.ts'
import { violatedConstraint } from '../../base/db/errors.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import type { WithConfig } from '../../http/context.ts'
import { type OnRecord, record } from '../../records/audit/record.ts'
import { addressesOf, summaryOf, type Waits } from './waits.ts'

/** Longer texts are no address, and would take long to decode. */
const LONGEST_ADDRESS = 200
/** Milliseconds of checks after which other requests have their turn. */
const TURN_MS = 10

type List = { readonly network: NetworkName; readonly addresses: readonly string[] }

/**
 * Adds deposit wallets, all or none. New addresses wait for a second person with `waits`. Throws
 * `unknownNetwork`, and `badAddresses` with every line at fault.
 */
export const addWallets = async (
  { config, db, keys }: OnRecord & WithConfig,
  payload: { addresses: readonly string[]; networkName: string },
  by: Actor,
  waits?: Waits,
): Promise<{ networkName: string; added: number; assigned: number; waiting: number }> => {
  const network = requireNetwork(payload.networkName)
  const list = { network, addresses: payload.addresses.map((address) => address.trim()) }
  const malformed = await malformedLines(list, config.poolMode)
  try {
    return await db.transaction().execute(async (transaction) => {
      refuse(list, [...malformed, ...(await conflicts(transaction, list, malformed))])
      const ids = await insert(transaction, list, waits)
      const assigned = await countAssigned(transaction, ids)
      await record(transaction, keys, {
        by,
        action: 'wallet.listAdded',
        subject: { type: 'wallet', id: ids[0] ?? '' },
        after: { networkName: network, count: ids.length, ...summaryOf(list.addresses) },
      })
      const addresses = waits ? await addressesOf(transaction, waits.proposalId) : []
      if (addresses.length > 0) await waits?.ask(transaction, { network, addresses })
      return { networkName: network, added: ids.length, assigned, waiting: addresses.length }
    })
  } catch (error) {
    // Another call added some of them at the same moment.
    if (/^wallets_/.test(violatedConstraint(error) ?? ''))
      refuse(list, await conflicts(db, list, malformed))
    throw error
  }
}

/** Throws `badAddresses` unless there are no bad lines. */
const refuse = ({ network, addresses }: List, lines: readonly BadLine[]): void => {
  if (lines.length > 0)
    throw refusal('badAddresses', {
      network,
      total: addresses.length,
      lines: lines.toSorted((a, b) => a.line - b.line),
    })
}

/** The lines that are no address of the network, and those that repeat an earlier one. */
const malformedLines = async (
  { network, addresses }: List,
  mode: Config['poolMode'],
): Promise<readonly BadLine[]> => {
  const bad: BadLine[] = []
  const firsts = new Map<string, number>()
  let began = performance.now()
  for (const [index, address] of addresses.entries()) {
    if (performance.now() - began > TURN_MS) {
      await setImmediate()
      began = performance.now()
    }
    const line = index + 1
    const first = firsts.get(address.toLowerCase())
    if (first !== undefined) bad.push({ line, problem: 'repeated', sameAs: first })
    else if (address.length > LONGEST_ADDRESS || !isAddressOn(network, address, mode))
      bad.push({ line, problem: 'invalid' })
    else firsts.set(address.toLowerCase(), line)
  }
  return bad
}

/** The lines that contradict the pool's wallets and own addresses, without the malformed ones. */
const conflicts = async (
  db: Kysely<Schema>,
  { network, addresses }: List,
  malformed: readonly BadLine[],
): Promise<readonly BadLine[]> => {
  const isMalformed = new Set(malformed.map(({ line }) => line))
  const sound = addresses.map((address, index) => (isMalformed.has(index + 1) ? null : address))
  const { rows } = await sql<Pick<BadLine, 'line' | 'problem'>>`
    SELECT line::integer, CASE WHEN own THEN 'own' WHEN exists THEN 'exists' ELSE 'ownerHasWallet' END AS problem
    FROM (
      SELECT line, owner_id, row_number() OVER (PARTITION BY owner_id ORDER BY line) AS place,
        EXISTS (SELECT FROM wallets WHERE lower(address) = lower(listed.address) AND network_name = ${network}) AS exists,
        EXISTS (SELECT FROM own_addresses WHERE lower(address) = lower(listed.address) AND network_name = ${network}) AS own
      FROM unnest(${sound}::text[]) WITH ORDINALITY AS listed (address, line)
      LEFT JOIN LATERAL (
        SELECT owner_id FROM wallets WHERE lower(address) = lower(listed.address) AND owner_id IS NOT NULL AND archived_at IS NULL LIMIT 1
      ) AS owned ON true
    ) AS looked_up
    WHERE own OR exists OR owner_id IS NOT NULL
      AND (place > 1 OR EXISTS (SELECT FROM wallets AS own WHERE own.owner_id = looked_up.owner_id AND own.archived_at IS NULL AND own.network_name = ${network}))`.execute(
    db,
  )
  return rows
}

const insert = async (
  db: Kysely<Schema>,
  { network, addresses }: List,
  waits: Waits | undefined,
): Promise<string[]> => {
  const ids = addresses.map(() => newId())
  await sql`
    INSERT INTO wallets (id, address, network_name, proposal_id)
    SELECT id, address, ${network}, ${waits?.proposalId ?? null}::uuid FROM unnest(${ids}::uuid[], ${addresses}::text[]) AS listed (id, address)`.execute(
    db,
  )
  return ids
}

/** The trigger unite_owners gives a wallet to the owner of its address. */
const countAssigned = async (db: Kysely<Schema>, ids: readonly string[]): Promise<number> => {
  const { rows } = await sql<{ assigned: number }>`
    SELECT count(*)::integer AS assigned FROM wallets WHERE id = ANY (${ids}::uuid[]) AND owner_id IS NOT NULL`.execute(
    db,
  )
  return rows[0]?.assigned ?? 0
}
