/** Compares the kept files of loans and the public figures with their signatures. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Keys } from '../../base/keys/keys.ts'
import { isSignedBy } from '../../records/audit/publish.ts'
import { textOfFigures } from './figures.ts'
import { tapeName } from './tape.ts'

type Checking = { readonly db: Kysely<Schema>; readonly keys: Keys }

type KeptTape = {
  readonly day: string
  readonly loans: number
  readonly size: bigint
  readonly digest: string
  readonly file: Buffer
  readonly keyId: string | null
  readonly signature: string | null
  readonly hadSigned: boolean
}

const tapeFault = async (keys: Keys, tape: KeptTape): Promise<string | undefined> => {
  const file = await promisify(gunzip)(tape.file).catch(() => undefined)
  if (file === undefined) return 'it is no compressed file'
  const digest = createHash('sha256').update(file).digest('hex')
  if (digest !== tape.digest || BigInt(file.length) !== tape.size) return 'it has another SHA-256'
  const { keyId, signature, day } = tape
  // Releases before signatures wrote the first ones.
  if (keyId === null || signature === null) return tape.hadSigned ? 'it is not signed' : undefined
  const isLeaked = keys.publicKeys.some(({ id, isLeaked: leaked }) => id === keyId && leaked)
  if (isLeaked || isSignedBy(keys, { name: tapeName(day), digest }, { keyId, signature }))
    return undefined
  return 'its signature is wrong'
}

/** A sentence for each file that is not as it was signed. Reads one at a time. */
const tapeFindings = async ({ db, keys }: Checking): Promise<string[]> => {
  const { rows: days } = await sql<{ day: string }>`
    SELECT day::text FROM pool_tapes ORDER BY day`.execute(db)
  const findings: string[] = []
  for (const { day } of days) {
    const { rows } = await sql<KeptTape>`
      SELECT day::text, loans, size, digest, file, key_id AS "keyId", signature,
        EXISTS (SELECT FROM pool_tapes AS b WHERE b.day < t.day AND b.signature IS NOT NULL) AS "hadSigned"
      FROM pool_tapes AS t WHERE day = ${day}`.execute(db)
    const fault = rows[0] && (await tapeFault(keys, rows[0]))
    if (fault) findings.push(`The file of loans of ${day} was changed: ${fault}.`)
  }
  return findings
}

const figureFindings = async ({ db, keys }: Checking): Promise<string[]> => {
  const { rows } = await sql<{ at: Date; form: number; figures: string; mac: string }>`
    SELECT at, form, figures::text, mac FROM pool_figures`.execute(db)
  return rows
    .filter((row) => keys.verify('pool figures', textOfFigures(row), row.mac) !== 'valid')
    .map(({ at }) => `The public figures of ${at.toISOString()} were not counted by this product.`)
}

/** A sentence for each kept file of loans, and for public figures, that SQL wrote or changed. */
export const checkPublished = async (checking: Checking): Promise<readonly string[]> => [
  ...(await tapeFindings(checking)),
  ...(await figureFindings(checking)),
]
