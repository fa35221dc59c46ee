/** The tree of a day over what every investor is owed, and its signed file. */
import { createHash } from 'node:crypto'
import {
  type LiabilitiesFile,
  liabilitiesFileSchema,
  liabilitiesName,
  owedParts,
  PROOF_DAYS,
} from '@pool/contract/reports/liabilities'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { LOCKS } from '../../base/locks.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { readSums } from '../../ledger/families/accounts.ts'
import { typedInCents } from '../../ledger/sums/custody.ts'
import { countOwed, readOwed } from '../../ledger/sums/owed.ts'
import { publishKey, signPublished } from '../../records/audit/publish.ts'
import { type OnRecord, record, SYSTEM } from '../../records/audit/record.ts'
import { checkedCents, seedOf } from './hashes.ts'
import type { NumberedLeaf } from './leaves.ts'
import { shapeFor } from './parts.ts'
import { type Level, sleepProportionally, topOf } from './tree.ts'
import { withDayTree } from './treeThread.ts'

const write = async (
  snapshot: Kysely<Schema>,
  day: string,
  rows: readonly NumberedLeaf[],
): Promise<void> => {
  const column = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name])
  await sql`
    INSERT INTO liability_leaves (day, place, user_id, available, held, outgoing, invested, interest)
    SELECT ${day}::date, * FROM unnest(${column('number')}::int[], ${column('userId')}::uuid[], ${column('available')}::bigint[],
      ${column('held')}::bigint[], ${column('outgoing')}::bigint[], ${column('invested')}::bigint[], ${column('interest')}::bigint[])`.execute(
    snapshot,
  )
}

type WrittenTree = { readonly blocks: Level; readonly parts: number; readonly size: number }

/** Writes what every investor is owed, and returns the nodes above each block of leaves. */
const writeLeaves = async (
  snapshot: Kysely<Schema>,
  day: string,
  seed: Buffer,
): Promise<WrittenTree> => {
  const { parts, size } = shapeFor(await countOwed(snapshot))
  const blocks = await withDayTree({ version: 3, day, seed, size, parts }, async (tree) => {
    let number = 0
    for await (const portion of readOwed(snapshot)) {
      const rows: NumberedLeaf[] = []
      // An investor who is owed nothing has no leaf, and gets no path.
      for (const owed of portion)
        if (owedParts.some((part) => owed[part] > 0n)) rows.push({ ...owed, number: number++ })
      await tree.add(rows)
      const began = performance.now()
      await write(snapshot, day, rows)
      await sleepProportionally(began)
    }
    return tree.blocks()
  })
  return { blocks, parts, size }
}

type Moment = { readonly isMine: boolean; readonly day: string; readonly at: Date }

/** Cents beside the tree. Throws when its total is not what the books owe. */
const readBeside = async (snapshot: Kysely<Schema>, total: bigint) => {
  const { theirs, invested, committed, deployed, lent, coins } = await readSums(snapshot)
  const owed = theirs + invested + committed
  if (owed !== total)
    throw new Error(`Investors are owed ${total} cents, but the books have ${owed} for them.`)
  return { coins, loans: deployed + lent, typed: await typedInCents(snapshot) }
}

/**
 * Makes the tree of today, unless that is done or under way. Returns its day, ISO text, if it did.
 * Throws and writes nothing when the leaves differ from the books, or a sum does not fit.
 */
export const makeLiabilities = async (
  context: OnRecord,
  by: Actor = SYSTEM,
): Promise<string | undefined> => {
  const { db, keys } = context
  const [newest] = keys.ids
  if (!newest) throw new Error('There is no key to sign with.')
  const known = await sql`
    SELECT FROM liability_trees WHERE day = (now() AT TIME ZONE 'UTC')::date`.execute(db)
  if (known.rows.length > 0) return undefined
  // Before the snapshot, in which a later row of the key would be missing.
  await publishKey(context)
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      await sql`SET LOCAL statement_timeout = '5min'`.execute(snapshot)
      const { rows } = await sql<Moment>`
        SELECT pg_try_advisory_xact_lock(${sql.lit(LOCKS.liabilities)}) AS "isMine", (now() AT TIME ZONE 'UTC')::date::text AS day, now() AS at`.execute(
        snapshot,
      )
      const { isMine, day, at } = rows[0] ?? { isMine: false, day: '', at: new Date(0) }
      if (!isMine) return undefined
      const { blocks, parts, size } = await writeLeaves(snapshot, day, seedOf(keys, day, newest))
      const { hash, sum: total } = topOf(blocks)
      const beside = await readBeside(snapshot, total)
      const content: LiabilitiesFile = {
        version: 3,
        day,
        at: at.toISOString(),
        root: hash.toString('hex'),
        total: String(total),
        leaves: size,
        parts,
        coins: String(beside.coins),
        loans: String(checkedCents(beside.loans)),
        typed: String(beside.typed),
      }
      const file = `${JSON.stringify(liabilitiesFileSchema.parse(content), null, 2)}\n`
      const digest = createHash('sha256').update(file).digest('hex')
      const { keyId, signature } = signPublished(keys, { name: liabilitiesName(day), digest })
      await sql`
        INSERT INTO liability_trees (day, file, digest, blocks, salted_by, key_id, signature)
        VALUES (${day}, ${file}, ${digest}, ${blocks}, ${newest}, ${keyId}, ${signature})`.execute(
        snapshot,
      )
      await record(snapshot, keys, {
        by,
        action: 'liabilities.published',
        subject: { type: 'liabilities', id: day },
        after: { root: content.root, total: Number(total) / 100, digest },
      })
      return day
    })
}

/** Leaves that are deleted at once. */
const FORGOTTEN_AT_ONCE = 2_000

/** Deletes leaves that are older than proofs are given. Returns their number. */
export const forgetLeaves = async (db: Kysely<Schema>): Promise<number> => {
  let forgotten = 0
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      DELETE FROM liability_leaves WHERE (day, place) IN (
        SELECT day, place FROM liability_leaves WHERE day < (now() AT TIME ZONE 'UTC')::date - ${sql.lit(PROOF_DAYS)}::int
        ORDER BY day, place LIMIT ${sql.lit(FORGOTTEN_AT_ONCE)})`.execute(db)
    forgotten += Number(numAffectedRows)
    if (numAffectedRows < BigInt(FORGOTTEN_AT_ONCE)) return forgotten
  }
}
