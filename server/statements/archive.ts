/** Writes a signed file into an archive, with little memory (docs/decisions/069). */
import { createHash } from 'node:crypto'
import { SIGNATURE_FILE, type SignatureFile } from '@pool/contract/statements'
import { Zip, ZipDeflate } from 'fflate'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Schema } from '../db/schema.ts'
import { BATCH, STREAM_TIMEOUT_MS } from '../lists/stream.ts'
import { signFile } from '../signing/publish.ts'

type Hand = (bytes: Buffer) => Promise<void>
export type Writing = Pick<Context, 'db' | 'keys'>

/** A file as text: its beginning, what its rows add, and its end after them. */
export type SignedFile<Row> = {
  readonly name: string
  readonly beginning: string
  readonly query: RawBuilder<Row>
  readonly add: (rows: readonly Row[]) => string
  readonly end: () => string
}

/** Reads one snapshot in batches, and hands over each part before the next is read. */
export const writeSigned = <Row>(
  context: Writing,
  fileOf: (snapshot: Kysely<Schema>) => Promise<SignedFile<Row>>,
  hand: Hand,
): Promise<void> =>
  context.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      await sql`SET LOCAL idle_in_transaction_session_timeout = ${sql.lit(STREAM_TIMEOUT_MS)}`.execute(
        snapshot,
      )
      const { name, beginning, query, add, end } = await fileOf(snapshot)
      const archive = openArchive(hand)
      const file = archive.file(name)
      await file.add(beginning)
      await fetchAll(snapshot, query, (rows) => file.add(add(rows)))
      const digest = await file.end(end())
      const signature: SignatureFile = {
        ...{ version: 1, name, digest },
        ...(await signFile(context, { name, digest })),
      }
      await archive.file(SIGNATURE_FILE).end(`${JSON.stringify(signature, null, 2)}\n`)
      await archive.end()
    })

const fetchAll = async <Row>(
  snapshot: Kysely<Schema>,
  query: RawBuilder<Row>,
  take: (rows: readonly Row[]) => Promise<void>,
): Promise<void> => {
  await sql`DECLARE stated NO SCROLL CURSOR FOR ${query}`.execute(snapshot)
  for (let full = true; full; ) {
    const { rows } = await sql<Row>`FETCH FORWARD ${sql.lit(BATCH)} FROM stated`.execute(snapshot)
    if (rows.length > 0) await take(rows)
    full = rows.length === BATCH
  }
}

/** An archive whose files follow each other. The end of a file answers its SHA-256 in hex. */
const openArchive = (hand: Hand) => {
  let made: Uint8Array[] = []
  let failure: Error | null = null
  const zip = new Zip((error, bytes) => {
    failure ??= error
    made.push(bytes)
  })
  const flush = async () => {
    const bytes = Buffer.concat(made)
    made = []
    if (failure) throw failure
    if (bytes.length > 0) await hand(bytes)
  }
  return {
    file: (name: string) => {
      const file = new ZipDeflate(name)
      zip.add(file)
      const hash = createHash('sha256')
      const push = (part: string, isLast: boolean) => {
        const bytes = Buffer.from(part)
        hash.update(bytes)
        file.push(bytes, isLast)
        return flush()
      }
      return {
        add: (part: string) => push(part, false),
        end: async (part: string): Promise<string> => {
          await push(part, true)
          return hash.digest('hex')
        },
      }
    },
    end: (): Promise<void> => {
      zip.end()
      return flush()
    },
  }
}
