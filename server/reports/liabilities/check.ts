/** Compares kept trees with their leaves, their signatures and the audit trail. */
import { createHash } from 'node:crypto'
import {
  liabilitiesFileSchema,
  liabilitiesName,
  PROOF_DAYS,
} from '@pool/contract/reports/liabilities'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import { isSignedBy } from '../../records/audit/publish.ts'
import { type Node, seedOf } from './hashes.ts'
import { shapeOf } from './leaves.ts'
import { readRows, type Tree } from './proof.ts'
import { BLOCK, nodeAt, sizeOf, topOf } from './tree.ts'
import { withDayTree } from './treeThread.ts'

type Checking = { readonly db: Kysely<Schema>; readonly keys: Keys }

/** A tree with what the audit trail says of its day, and whether its leaves must be there. */
type Kept = Tree & { readonly told: readonly string[]; readonly hasLeaves: boolean }

/** The first fault of a file and its signature. */
const fileFault = ({ keys }: Checking, tree: Kept): string | undefined => {
  const digest = createHash('sha256').update(tree.file).digest('hex')
  if (digest !== tree.digest) return 'its file has another SHA-256'
  const signed = { keyId: tree.key_id, signature: tree.signature }
  if (!isSignedBy(keys, { name: liabilitiesName(tree.day), digest }, signed))
    return 'its signature is wrong, or by a key that leaked'
  const { day, root, total, leaves } = liabilitiesFileSchema.parse(JSON.parse(tree.file))
  const { hash, sum } = topOf(tree.blocks)
  const isTop = hash.toString('hex') === root && String(sum) === total
  if (day !== tree.day || !isTop || sizeOf(tree.blocks) * BLOCK !== leaves)
    return 'its nodes do not lead to the root of its file'
  if (tree.told.length !== 1 || tree.told[0] !== digest)
    return 'the audit trail has another file of that day, or several, or none'
  return undefined
}

/** The first fault of the leaves of a tree. */
const leafFault = async ({ db, keys }: Checking, tree: Kept): Promise<string | undefined> => {
  const { day } = tree
  const file = liabilitiesFileSchema.parse(JSON.parse(tree.file))
  const shape = shapeOf(file, seedOf(keys, day, tree.salted_by))
  const found = await withDayTree(shape, async (made) => {
    for await (const rows of readRows(db, day)) {
      if (rows.some(({ number }) => (number + 1) * shape.parts > shape.size)) return undefined
      await made.add(rows)
    }
    return made.blocks()
  })
  if (!found) return 'it has a leaf outside the tree'
  for (let block = 0; block < sizeOf(found); block += 1)
    if (!sameNode(nodeAt(found, block), nodeAt(tree.blocks, block)))
      return `a leaf between the places ${block * BLOCK} and ${(block + 1) * BLOCK - 1} was added, changed or taken away`
  return undefined
}

const sameNode = (one: Node, other: Node): boolean =>
  one.hash.equals(other.hash) && one.sum === other.sum

/**
 * The days whose trees are whole, ISO text, and the first fault as a sentence. Leaves are compared
 * while proofs are given of them. The audit trail is compared as it is: `audit:check` verifies it.
 */
export const checkLiabilities = async (
  checking: Checking,
): Promise<{ readonly days: readonly string[]; readonly fault?: string }> => {
  const { rows: missing } = await sql<{ day: string }>`
    SELECT subject_id AS day FROM audit_entries WHERE action = 'liabilities.published'
      AND NOT EXISTS (SELECT FROM liability_trees WHERE day::text = subject_id) ORDER BY id LIMIT 1`.execute(
    checking.db,
  )
  const [gone] = missing
  if (gone) return { days: [], fault: `The tree of ${gone.day} was taken away.` }
  const { rows } = await sql<Kept>`
    SELECT day::text, file, digest, blocks, salted_by, key_id, signature,
      ARRAY(SELECT after->>'digest' FROM audit_entries WHERE action = 'liabilities.published' AND subject_id = day::text) AS told,
      day > (now() AT TIME ZONE 'UTC')::date - ${sql.lit(PROOF_DAYS)}::int AS "hasLeaves"
    FROM liability_trees ORDER BY day DESC`.execute(checking.db)
  const days: string[] = []
  for (const tree of rows) {
    const fault =
      fileFault(checking, tree) ?? (tree.hasLeaves ? await leafFault(checking, tree) : undefined)
    if (fault) return { days, fault: `The tree of ${tree.day} is not whole: ${fault}.` }
    days.push(tree.day)
  }
  return { days }
}
