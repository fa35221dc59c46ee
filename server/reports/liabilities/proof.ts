/** An investor's leaves of a day with their paths, and the files of the days. */
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { dayFromDate, timestampFromDate } from '@pool/contract/base/timestamp'
import {
  LIABILITIES_SIZE,
  type LiabilityProof,
  type ListedLiabilities,
  liabilitiesFileSchema,
  liabilitiesName,
  owedParts,
} from '@pool/contract/reports/liabilities'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import { paddingOf, seedOf } from './hashes.ts'
import { type NumberedLeaf, openDay, type Part, type Shape, shapeOf } from './leaves.ts'
import { BLOCK, type Level, newLevel, pathIn, setNode } from './tree.ts'

/** A tree as it is kept. `day` is ISO text. */
export type Tree = {
  readonly day: string
  readonly file: string
  readonly digest: string
  readonly blocks: Buffer
  readonly salted_by: string
  readonly key_id: string
  readonly signature: string
}

const COLUMNS = sql`place AS number, user_id AS "userId", available, held, outgoing, invested, interest`

/** Rows of a day that are read at once. */
const PORTION = 2_000

/** All rows of a day, in portions. */
export async function* readRows(
  db: Kysely<Schema>,
  day: string,
): AsyncGenerator<readonly NumberedLeaf[]> {
  for (let last = -1; ; ) {
    const { rows } = await sql<NumberedLeaf>`
      SELECT ${COLUMNS} FROM liability_leaves WHERE day = ${day} AND place > ${last} ORDER BY place LIMIT ${sql.lit(PORTION)}`.execute(
      db,
    )
    const newest = rows.at(-1)
    if (!newest) return
    yield rows
    last = newest.number
  }
}

/** The tree of a day, ISO text. Undefined without one. */
export const readTree = async (db: Kysely<Schema>, day: string): Promise<Tree | undefined> => {
  const { rows } = await sql<Tree>`
    SELECT day::text, file, digest, blocks, salted_by, key_id, signature FROM liability_trees WHERE day = ${day}`.execute(
    db,
  )
  return rows[0]
}

/**
 * The leaves of an investor on a day, ISO text, with their paths. Undefined where there is none.
 * They tell of other investors the sums beside the paths alone.
 */
export const readProof = async (
  { db, keys }: { readonly db: Kysely<Schema>; readonly keys: Keys },
  userId: string,
  day: string,
): Promise<LiabilityProof | undefined> => {
  const { rows: own } = await sql<NumberedLeaf>`
    SELECT ${COLUMNS} FROM liability_leaves WHERE day = ${day} AND user_id = ${userId}`.execute(db)
  const [row] = own
  const tree = row && (await readTree(db, day))
  if (!row || !tree) return undefined
  const shape = shapeOf(
    liabilitiesFileSchema.parse(JSON.parse(tree.file)),
    seedOf(keys, day, tree.salted_by),
  )
  const places = openDay(shape)
  const parts = places.partsOf(row)
  const levels = await blocksAround(db, { shape, places, parts })
  const leaves = parts.map(({ place, owed, salt }) => {
    const block = Math.floor(place / BLOCK)
    const level = levels.get(block) as Level
    const path = [...pathIn(level, place - block * BLOCK), ...pathIn(tree.blocks, block)]
    const amounts = owedParts.map((part) => [part, String(owed[part])])
    return {
      place,
      owed: Object.fromEntries(amounts),
      salt: salt.toString('hex'),
      path: path.map(({ hash, sum }) => ({ hash: hash.toString('hex'), sum: String(sum) })),
    }
  })
  const signed = { keyId: tree.key_id, signature: tree.signature }
  const [first] = leaves
  return shape.version === 1 && first
    ? { version: 1, day, account: userId, ...first, signed }
    : { version: shape.version === 3 ? 3 : 2, day, account: userId, leaves, signed }
}

type Around = {
  readonly shape: Shape
  readonly places: ReturnType<typeof openDay>
  readonly parts: readonly Part[]
}

/** The nodes of each block in which one of these parts stands, by its number. */
const blocksAround = async (
  db: Kysely<Schema>,
  { shape, places, parts }: Around,
): Promise<ReadonlyMap<number, Level>> => {
  const levels = new Map(parts.map(({ place }) => [Math.floor(place / BLOCK), newLevel(BLOCK)]))
  const numbers = new Set<number>()
  for (const [block, level] of levels)
    for (let at = 0; at < BLOCK; at += 1) {
      const place = block * BLOCK + at
      numbers.add(places.numberAt(place))
      setNode(level, at, paddingOf(shape.seed, place))
    }
  const { rows } = await sql<NumberedLeaf>`
    SELECT ${COLUMNS} FROM liability_leaves WHERE day = ${shape.day} AND place = ANY (${[...numbers]}::int[])`.execute(
    db,
  )
  for (const row of rows)
    for (const part of places.partsOf(row)) {
      const level = levels.get(Math.floor(part.place / BLOCK))
      if (level) setNode(level, part.place % BLOCK, places.nodeOf(row.userId, part))
    }
  return levels
}

const dollars = (text: string): number => dollarsFromCents(cents(BigInt(text)))

type Filed = Omit<Tree, 'blocks' | 'salted_by'>

/** A file as the list has it. None where it is not of its form. */
const listedOf = ({ day, file, digest, key_id, signature }: Filed): ListedLiabilities[] => {
  try {
    const { at, root, leaves, ...sums } = liabilitiesFileSchema.parse(JSON.parse(file))
    return [
      {
        day: dayFromDate(new Date(day)),
        at: timestampFromDate(new Date(at)),
        name: liabilitiesName(day),
        digest,
        root,
        leaves,
        total: dollars(sums.total),
        coins: dollars(sums.coins),
        typed: sums.version === 3 ? dollars(sums.typed) : null,
        loans: dollars(sums.loans),
        signed: { keyId: key_id, signature },
      },
    ]
  } catch {
    return []
  }
}

/** The files, the newest first. The check names one that is left out as unreadable. */
export const listFiles = async (db: Kysely<Schema>): Promise<ListedLiabilities[]> => {
  const { rows } = await sql<Filed>`
    SELECT day::text, file, digest, key_id, signature FROM liability_trees ORDER BY day DESC LIMIT ${LIABILITIES_SIZE}`.execute(
    db,
  )
  return rows.flatMap(listedOf)
}

/** The file of a day, ISO text. Undefined without one. */
export const readFile = async (db: Kysely<Schema>, day: string): Promise<string | undefined> =>
  (await readTree(db, day))?.file
