import { PAYOUT_ADDRESS_WAIT_HOURS } from '@pool/contract/payoutAddresses'
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../config.ts'

/**
 * SQL for when an investor first saved an address or named it in a withdrawal; NULL if never.
 * Ignores case: hex and bech32 have none, and no key gives a base58 address in another case.
 */
export const firstNamed = (
  userId: RawBuilder<unknown>,
  address: RawBuilder<unknown>,
): RawBuilder<Date | null> => sql`least(
  (SELECT min(created_at) FROM transactions AS named
   WHERE named.type = 'withdrawal' AND lower(named.destination_address) = lower(${address}) AND named.user_id = ${userId}),
  (SELECT min(created_at) FROM payout_addresses AS saved WHERE saved.user_id = ${userId} AND lower(saved.address) = lower(${address})))`

/** How long an address waits after it was first named, in hours. */
export const waitHours = (mode: Config['poolMode']): number =>
  mode === 'live' ? PAYOUT_ADDRESS_WAIT_HOURS : 0
