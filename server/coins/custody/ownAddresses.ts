/** Addresses of the pool's own that two super admins name (docs/product.md 5.24). */
import type { NetworkName } from '@pool/contract/base/networks'
import { refusal } from '@pool/contract/base/refusals'
import type { NamedClass } from '@pool/contract/coins/custody'
import { type Kysely, sql } from 'kysely'
import { requireAddress } from '../../base/chains/networks.ts'
import type { Config } from '../../base/configuration/config.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import { takeLock } from '../../base/locks.ts'

type NewOwnAddress = {
  readonly networkName: string
  readonly address: string
  readonly class: NamedClass
}

/**
 * Returns the network of an address that may be named. Throws as {@link requireAddress},
 * `addressOurs`, and `addressOfInvestor`: coins paid to an investor would count as kept.
 */
export const requireNameable = async (
  db: Kysely<Schema>,
  mode: Config['poolMode'],
  { networkName, address }: Pick<NewOwnAddress, 'networkName' | 'address'>,
): Promise<NetworkName> => {
  const network = requireAddress({ address, networkName, mode, field: 'address' })
  // An address that is only saved holds nothing up: no withdrawal to one of ours is approved.
  const { rows } = await sql<{ ours: boolean; paid: boolean }>`
    SELECT coin_account(${network}, ${address}) IS NOT NULL AS ours, EXISTS (
        SELECT FROM transactions WHERE type = 'withdrawal' AND status IN ('APPROVED', 'PROCESSING', 'COMPLETED')
          AND lower(${address}) = lower(coalesce(nullif(payee_address, ''), destination_address))
      ) AS paid`.execute(db)
  if (rows[0]?.ours) throw refusal('addressOurs')
  if (rows[0]?.paid) throw refusal('addressOfInvestor')
  return network
}

/**
 * Counts an address as the pool's own from now on. Coins that paid it before are booked anew.
 * Throws as {@link requireNameable}.
 */
export const addOwnAddress = async (
  transaction: Kysely<Schema>,
  mode: Config['poolMode'],
  { proposalId, ...named }: NewOwnAddress & { readonly proposalId: string },
): Promise<void> => {
  // As each new wallet, it comes one at a time.
  await takeLock(transaction, 'owners')
  const network = await requireNameable(transaction, mode, named)
  const { address } = named
  await transaction
    .insertInto('own_addresses')
    .values({
      id: newId(),
      network_name: network,
      address,
      class: named.class,
      proposal_id: proposalId,
    })
    .execute()
  await sql`
    INSERT INTO coin_facts_due (network_name, transaction_id)
    SELECT DISTINCT s.network_name, s.transaction_id FROM spendings AS s JOIN sent_coins AS c ON c.spending_id = s.id
    WHERE s.network_name = ${network} AND s.state = 'CONFIRMED' AND lower(c.address) = lower(${address})`.execute(
    transaction,
  )
}
