/** Archived months in the database: their signed rows, and the balances that they left. */
import { type Kysely, sql } from 'kysely'
import type { Pool } from 'pg'
import type { Schema } from '../../base/db/schema.ts'
import { type Keys, keyIdOf } from '../../base/keys/keys.ts'

/** A month whose movements are in a file. The first has no first id. */
export type ArchivedMonth = {
  readonly month: string
  readonly from: string | null
  readonly until: string
  /** Number of movements in the file. */
  readonly movements: number
  /** Digest of the file. */
  readonly sha256: string
  /** Digest of all closing balances after this month. */
  readonly balances: string
}

/** The text that the MAC of a month covers. */
export const signedText = ({
  month,
  from,
  until,
  movements,
  sha256,
  balances,
}: ArchivedMonth): string => JSON.stringify([month, from, until, movements, sha256, balances])

/** Oldest first. */
export const readArchived = (
  db: Kysely<Schema>,
): Promise<readonly (ArchivedMonth & { readonly mac: string })[]> =>
  db
    .selectFrom('archived_months')
    .select(['month', 'from_id as from', 'until_id as until', 'sha256', 'balances', 'mac'])
    .select(sql<number>`movements::float8`.as('movements'))
    .orderBy('until_id')
    .execute()

/**
 * Signs archived months of a leaked key again with the newest one. `before` are the keys that still
 * believe their signatures. Leaves others as they are. Returns the months signed.
 */
export const signMonthsAgain = async (
  { db, owner }: { readonly db: Kysely<Schema>; readonly owner: Pool },
  { before, keys, keyId }: { readonly before: Keys; readonly keys: Keys; readonly keyId: string },
): Promise<readonly string[]> => {
  const signed: string[] = []
  for (const { mac, ...month } of await readArchived(db)) {
    const text = signedText(month)
    if (keyIdOf(mac) !== keyId || before.verify('archived month', text, mac) !== 'valid') continue
    await owner.query('UPDATE archived_months SET mac = $1 WHERE month = $2', [
      keys.sign('archived month', text),
      month.month,
    ])
    signed.push(month.month)
  }
  return signed
}

/** Digest of the closing balances, as SQL. */
export const BALANCES_DIGEST = `
  SELECT encode(sha256(convert_to(coalesce(string_agg(account_id || ' ' || amount, E'\\n' ORDER BY account_id), ''), 'UTF8')), 'hex') AS digest
  FROM closing_balances`

/**
 * The first fault of the archived months as a sentence: a forged or missing one, or closing
 * balances that the newest did not sign. Without keys no month can be trusted.
 */
export const findWrongMonth = async (
  db: Kysely<Schema>,
  keys?: Keys,
): Promise<string | undefined> => {
  let until: string | null = null
  let balances: string | undefined
  for (const { mac, ...month } of await readArchived(db)) {
    if (month.from !== until)
      return `The archived month before ${month.month} is missing from archived_months.`
    const verdict = keys?.verify('archived month', signedText(month), mac)
    if (verdict === undefined) return `The archived month ${month.month} needs a key to verify it.`
    if (verdict === 'leaked')
      return `The archived month ${month.month} was signed with the leaked key ${keyIdOf(mac)}. Sign it anew: npm run keys -- leaked ${keyIdOf(mac)}`
    if (verdict !== 'valid')
      return `The archived month ${month.month} is not what was signed${verdict === 'unknownKey' ? ', or its key is not in the key file' : ''}.`
    until = month.until
    balances = month.balances
  }
  const { rows } = await sql<{ begins: string | null; digest: string; closings: number }>`
    SELECT (SELECT begins FROM movement_months ORDER BY begins NULLS FIRST LIMIT 1) AS begins,
      (${sql.raw(BALANCES_DIGEST)}) AS digest, (SELECT count(*)::int FROM closing_balances) AS closings`.execute(
    db,
  )
  const [{ begins, digest, closings } = { begins: null, digest: '', closings: 0 }] = rows
  if (begins !== until)
    return 'The newest archived month is missing from archived_months, or movements lost a partition.'
  if (balances === undefined ? closings > 0 : digest !== balances)
    return 'The closing balances are not those that the newest archived month signed.'
  return undefined
}
