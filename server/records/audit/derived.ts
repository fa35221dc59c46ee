/** Derives deposit addresses again, from the keys that signed entries name. */
import type { NetworkName } from '@pool/contract/base/networks'
import { type Kysely, sql } from 'kysely'
import { accountKeyOf } from '../../base/chains/accountKeys.ts'
import type { Schema } from '../../base/db/schema.ts'

/** Wallets read at once. */
const PAGE = 1_000

type Key = {
  readonly id: string
  readonly network: NetworkName
  readonly key: string
  /** Null without an entry. */
  readonly told: { readonly networkName: NetworkName; readonly key: string } | null
}

/** A sentence for each key without an entry and each wallet of another address, up to `most`. */
export const derivedFindings = async (
  snapshot: Kysely<Schema>,
  most: number,
): Promise<readonly string[]> => {
  const { rows: keys } = await sql<Key>`
    SELECT k.id, network_name AS network, key, told.after AS told
    FROM address_keys AS k LEFT JOIN LATERAL (
      SELECT after FROM audit_entries WHERE action = 'wallet.keyAdded' AND subject_id = k.id::text ORDER BY id LIMIT 1
    ) AS told ON true ORDER BY k.created_at, k.id`.execute(snapshot)
  const findings: string[] = []
  for (const key of keys) {
    if (findings.length >= most) break
    const { id, network, told } = key
    if (told === null || told.key !== key.key || told.networkName !== network)
      findings.push(`The key ${id} on ${network} is not that of an entry.`)
    await compareWallets(snapshot, key, findings, most)
  }
  return findings.slice(0, Math.max(most, 0))
}

/** Names the wallets whose address the key of the entry does not give. */
const compareWallets = async (
  snapshot: Kysely<Schema>,
  { id, told }: Key,
  findings: string[],
  most: number,
): Promise<void> => {
  // An entry is signed. Its mode was checked when it was written.
  const account = told && accountKeyOf(told.networkName, told.key, 'sandbox')
  for (let after = -1; findings.length < most; ) {
    const wallets = await snapshot
      .selectFrom('wallets')
      .select(['id', 'address', 'network_name', 'derivation_index'])
      .where('key_id', '=', id)
      .where('derivation_index', '>', after)
      .orderBy('derivation_index')
      .limit(PAGE)
      .execute()
    for (const { id, address, network_name, derivation_index } of wallets) {
      after = derivation_index ?? after
      if (network_name !== told?.networkName || address !== account?.addressAt(after))
        findings.push(`Wallet ${id} has the address ${address}, but its key gives another.`)
    }
    if (wallets.length < PAGE) return
  }
}
