/** Writes a signed file into an archive, with little memory (docs/decisions/069). */
import { SIGNATURE_FILE, type SignatureFile } from '@pool/contract/reports/statements'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { openArchive, type Part } from '../../base/lists/archive.ts'
import { BATCH, STREAM_TIMEOUT_MS } from '../../base/lists/stream.ts'
import { holdMonths } from '../../ledger/archive/months.ts'
import { signFile } from '../../records/audit/publish.ts'
import type { OnRecord } from '../../records/audit/record.ts'

type Hand = (bytes: Buffer) => Promise<void>

/** A file: its beginning, what its rows add, and its end after them. */
export type SignedFile<Row> = {
  readonly name: string
  readonly beginning: Part
  readonly query: RawBuilder<Row>
  readonly add: (rows: readonly Row[]) => Part | Promise<Part>
  readonly end: () => Part | Promise<Part>
  /** Called at the end, also of a file that was not read to its end. */
  readonly close?: (() => void) | undefined
}

/** Runs a reading of one snapshot, whose months stay where they are meanwhile. */
export const inSnapshot = <Result>(
  db: Kysely<Schema>,
  read: (snapshot: Kysely<Schema>) => Promise<Result>,
): Promise<Result> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      await sql`SET LOCAL idle_in_transaction_session_timeout = ${sql.lit(STREAM_TIMEOUT_MS)}`.execute(
        snapshot,
      )
      await holdMonths(snapshot)
      return read(snapshot)
    })

/** Reads one snapshot in batches, and hands over each part before the next is read. */
export const writeSigned = <Row>(
  context: OnRecord,
  fileOf: (snapshot: Kysely<Schema>) => Promise<SignedFile<Row>>,
  hand: Hand,
): Promise<void> =>
  inSnapshot(context.db, async (snapshot) => {
    const { name, beginning, query, add, end, close } = await fileOf(snapshot)
    const archive = openArchive(hand)
    const file = archive.file(name)
    try {
      await file.add(beginning)
      await fetchAll(snapshot, query, async (rows) => file.add(await add(rows)))
      const digest = await file.end(await end())
      const signature: SignatureFile = {
        version: 1,
        name,
        digest,
        ...(await signFile(context, { name, digest })),
      }
      await archive.file(SIGNATURE_FILE).end(`${JSON.stringify(signature, null, 2)}\n`)
      await archive.end()
    } finally {
      close?.()
    }
  })

/** Reads a query in batches, inside a transaction. */
export const fetchAll = async <Row>(
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
  await sql`CLOSE stated`.execute(snapshot)
}
