import { PAYOUT_ADDRESS_WAIT_HOURS } from '@pool/contract/money/payoutAddresses'
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../../base/configuration/config.ts'

/**
 * SQL moment when an investor first saved or named an address, or NULL. Ignores case. Hex and
 * bech32 have no case, and no base58 address has a twin in another case.
 */
export const firstNamed = (
  userId: RawBuilder<unknown>,
  address: RawBuilder<unknown>,
): RawBuilder<Date | null> => sql`least(
  (SELECT min(created_at) FROM transactions AS named
   WHERE named.type = 'withdrawal' AND lower(named.destination_address) = lower(${address}) AND named.user_id = ${userId}),
  (SELECT min(created_at) FROM payout_addresses AS saved WHERE saved.user_id = ${userId} AND lower(saved.address) = lower(${address})))`

/** Hours that a newly named address waits. */
export const waitHours = (mode: Config['poolMode']): number =>
  mode === 'live' ? PAYOUT_ADDRESS_WAIT_HOURS : 0
