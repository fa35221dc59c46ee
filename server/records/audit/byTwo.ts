/** Derives acts of custody from the entries of two people (docs/product.md 5.23 to 5.25). */
import { sql } from 'kysely'

type Noun = 'address' | 'opening' | 'break' | 'settlement' | 'skip'

/**
 * True where one person asked and another approved, both on record. `says` compares what was asked,
 * `asked.after`, with the row.
 */
const byTwo = (noun: Noun, says: string) => sql`EXISTS (
  SELECT FROM audit_entries AS asked
  JOIN audit_entries AS approved ON approved.subject_id = asked.subject_id AND approved.actor_id <> asked.actor_id
  WHERE asked.action = ${sql.lit(`${noun}.asked`)} AND approved.action = ${sql.lit(`${noun}.approved`)}
    AND approved.after = asked.after AND ${sql.raw(says)})`

const OWN_ADDRESSES = sql`
  SELECT format('The own address %s on %s has no entries of two people.', o.address, o.network_name)
  FROM own_addresses AS o WHERE o.proposal_id IS NOT NULL AND NOT ${byTwo(
    'address',
    `asked.subject_id = o.proposal_id::text AND asked.after ->> 'address' = o.address
      AND lower(asked.after ->> 'networkName') = lower(o.network_name) AND asked.after ->> 'class' = o.class`,
  )}`

/** An entry has the network as a person wrote it, in any case. */
const OPENINGS = sql`
  SELECT format('The opening balance %s of %s on %s has no entries of two people.', m.id, m.asset, m.network_name)
  FROM coin_movements AS m WHERE m.cause = 'OPENING' AND NOT ${byTwo(
    'opening',
    `asked.subject_id = m.cause_id::text AND asked.after ->> 'asset' = m.asset
      AND lower(asked.after ->> 'networkName') = lower(m.network_name)
      AND asked.after ->> 'account' IN (m.from_account, m.to_account)
      AND (asked.after ->> 'amount')::numeric * 10::numeric ^ m.decimals
        = CASE m.from_account WHEN 'opening' THEN m.units ELSE -m.units END`,
  )}`

const BREAKS = sql`
  SELECT format('The accepted break of %s on %s has no entries of two people.', b.asset, b.network_name)
  FROM accepted_breaks AS b WHERE NOT ${byTwo(
    'break',
    `asked.subject_id = b.proposal_id::text AND asked.after ->> 'reconciliationId' = b.reconciliation_id::text`,
  )}`

/** Spendings, their alarms, and the coins that the books count as settled. */
const SETTLEMENTS = sql`
  SELECT format('The coins of %s on %s were settled without entries of two people.', told.transaction, told.network)
  FROM (
    SELECT network_name, transaction_id FROM spendings WHERE settled_at IS NOT NULL
    UNION
    SELECT s.network_name, s.transaction_id FROM payout_alarms AS a JOIN spendings AS s ON s.id = a.spending_id
    WHERE a.kind = 'UNEXPLAINED' AND a.settled_at IS NOT NULL
    UNION
    SELECT network_name, transaction_id FROM coin_movements WHERE cause = 'SETTLEMENT'
  ) AS told (network, transaction) WHERE NOT ${byTwo(
    'settlement',
    `asked.after ->> 'transaction' = told.transaction AND asked.after ->> 'networkName' = told.network`,
  )}`

const SKIPS = sql`
  SELECT format('The skip of blocks %s to %s of %s has no entries of two people.', b.from_height, b.to_height, b.network_name)
  FROM block_skips AS b WHERE NOT ${byTwo(
    'skip',
    `asked.subject_id = b.id::text AND asked.after ->> 'networkName' = b.network_name
      AND (asked.after ->> 'from')::bigint = b.from_height AND (asked.after ->> 'to')::bigint = b.to_height`,
  )}`

/** A sentence for each act of custody that two people on record do not explain. */
export const BY_TWO = [OWN_ADDRESSES, OPENINGS, BREAKS, SETTLEMENTS, SKIPS]
