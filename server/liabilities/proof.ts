/** An investor's leaf of a day with its path, and the files of the days. */
import {
  LIABILITIES_SIZE,
  type LiabilityProof,
  type ListedLiabilities,
  liabilitiesFileSchema,
  liabilitiesName,
  owedParts,
} from '@pool/contract/liabilities'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { dayFromDate, timestampFromDate } from '@pool/contract/timestamp'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import type { Keys } from '../keys/keys.ts'
import type { OwedTo } from '../ledger/owed.ts'
import { leafOf, paddingOf, saltOf, seedOf } from './hashes.ts'
import { BLOCK, type Level, newLevel, pathIn, setNode } from './tree.ts'

export type Leaf = OwedTo & { readonly place: number }

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

const COLUMNS = sql`place, user_id AS "userId", available, held, outgoing, invested, interest`

/** The leaves of investors from a place on, `size` places, in order. */
export const readLeaves = async (
  db: Kysely<Schema>,
  { day, from, size }: { readonly day: string; readonly from: number; readonly size: number },
): Promise<readonly Leaf[]> => {
  const { rows } = await sql<Leaf>`
    SELECT ${COLUMNS} FROM liability_leaves WHERE day = ${day} AND place >= ${from} AND place < ${from + size} ORDER BY place`.execute(
    db,
  )
  return rows
}

/** The nodes of these leaves, and of the padding between them. */
export const levelOf = (
  rows: readonly Leaf[],
  { day, from, size, seed }: { day: string; from: number; size: number; seed: Buffer },
): Level => {
  const level = newLevel(size)
  const byPlace = new Map(rows.map(({ place, ...owed }) => [place, owed]))
  for (let at = 0; at < size; at += 1) {
    const owed = byPlace.get(from + at)
    setNode(
      level,
      at,
      owed ? leafOf(day, owed, saltOf(seed, owed.userId)) : paddingOf(seed, from + at),
    )
  }
  return level
}

const ofDay = async (db: Kysely<Schema>, day: string): Promise<Tree | undefined> => {
  const { rows } = await sql<Tree>`
    SELECT day::text, file, digest, blocks, salted_by, key_id, signature FROM liability_trees WHERE day = ${day}`.execute(
    db,
  )
  return rows[0]
}

/**
 * The leaf of an investor on a day, ISO text, with its path. Undefined where there is none.
 * It tells of other investors the sums beside the path alone.
 */
export const readProof = async (
  { db, keys }: { readonly db: Kysely<Schema>; readonly keys: Keys },
  userId: string,
  day: string,
): Promise<LiabilityProof | undefined> => {
  const { rows: own } = await sql<Leaf>`
    SELECT ${COLUMNS} FROM liability_leaves WHERE day = ${day} AND user_id = ${userId}`.execute(db)
  const [leaf] = own
  const tree = leaf && (await ofDay(db, day))
  if (!leaf || !tree) return undefined
  const block = Math.floor(leaf.place / BLOCK)
  const span = { day, from: block * BLOCK, size: BLOCK }
  const seed = seedOf(keys, day, tree.salted_by)
  const level = levelOf(await readLeaves(db, span), { ...span, seed })
  const path = [...pathIn(level, leaf.place - span.from), ...pathIn(tree.blocks, block)]
  const owed = owedParts.map((part) => [part, String(leaf[part])])
  return {
    version: 1,
    day,
    account: userId,
    place: leaf.place,
    owed: Object.fromEntries(owed),
    salt: saltOf(seed, userId).toString('hex'),
    path: path.map(({ hash, sum }) => ({ hash: hash.toString('hex'), sum: String(sum) })),
    signed: { keyId: tree.key_id, signature: tree.signature },
  }
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
        ...{ digest, root, leaves },
        total: dollars(sums.total),
        coins: dollars(sums.coins),
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
  (await ofDay(db, day))?.file
