/** All leaves of a day with their salts, for an auditor of the operator (docs/liabilities.md). */
import { type CsvColumn, csvHeading, csvLines } from '@pool/contract/base/csv'
import { liabilitiesFileSchema, owedParts, PROOF_DAYS } from '@pool/contract/reports/liabilities'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import type { Owed } from '../../ledger/sums/owed.ts'
import { type Node, paddingOf, seedOf } from './hashes.ts'
import { openDay, shapeOf } from './leaves.ts'
import { readRows, readTree } from './proof.ts'

/** Padding has no account, no amounts and no salt. */
type LeafLine = {
  readonly place: number
  readonly account: string | null
  readonly part: number | null
  readonly owed: Owed | null
  readonly salt: Buffer | null
  readonly node: Node
}

const COLUMNS: readonly CsvColumn<LeafLine>[] = [
  { heading: 'place', value: ({ place }) => place },
  { heading: 'account', value: ({ account }) => account },
  { heading: 'part', value: ({ part }) => part },
  ...owedParts.map((part) => ({
    heading: part,
    value: ({ owed }: LeafLine) => (owed ? String(owed[part]) : null),
  })),
  { heading: 'salt', value: ({ salt }) => salt?.toString('hex') ?? null },
  { heading: 'hash', value: ({ node }) => node.hash.toString('hex') },
]

/** Lines of padding that are written at once. */
const PORTION = 1_024

/** The file as text, in pieces: the leaves of investors, then the padding. Amounts are cents. */
export async function* leavesFile(
  { db, keys }: { readonly db: Kysely<Schema>; readonly keys: Keys },
  day: string,
): AsyncGenerator<string> {
  const tree = await readTree(db, day)
  if (!tree) throw new Error(`Nothing was published on ${day}.`)
  const file = liabilitiesFileSchema.parse(JSON.parse(tree.file))
  const shape = shapeOf(file, seedOf(keys, day, tree.salted_by))
  const { partsOf, nodeOf } = openDay(shape)
  const taken = new Set<number>()
  yield csvHeading(COLUMNS)
  for await (const rows of readRows(db, day)) {
    const lines = rows.flatMap((row) =>
      partsOf(row).map((each, part): LeafLine => {
        taken.add(each.place)
        return { ...each, account: row.userId, part, node: nodeOf(row.userId, each) }
      }),
    )
    yield csvLines(lines, COLUMNS)
  }
  if (taken.size === 0 && file.total !== '0')
    throw new Error(`The leaves of ${day} are deleted. They are there for ${PROOF_DAYS} days.`)
  for (let from = 0; from < shape.size; from += PORTION) {
    const lines: LeafLine[] = []
    for (let place = from; place < Math.min(from + PORTION, shape.size); place += 1)
      if (!taken.has(place)) {
        const node = paddingOf(shape.seed, place)
        lines.push({ place, account: null, part: null, owed: null, salt: null, node })
      }
    yield csvLines(lines, COLUMNS)
  }
}
