import { BYTE_ORDER_MARK, type CsvColumn, csvHeading, csvLines } from '@pool/contract/base/csv'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { sql } from 'kysely'
import type { MailContext } from '../../accounts/mail/send.ts'
import { openArchive } from '../../base/lists/archive.ts'
import type { ListStream } from '../../base/lists/stream.ts'
import { BATCH, STREAM_TIMEOUT_MS } from '../../base/lists/stream.ts'
import { type Section, type SectionRow, sections } from './sections.ts'

type Hand = (bytes: Buffer) => Promise<void>

/**
 * Writes everything kept about a user as an archive. Reads one snapshot in batches, and hands over
 * each part before the next is read, so that memory is bounded.
 */
export const writeArchive = (context: MailContext, userId: string, hand: Hand): Promise<void> =>
  context.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      await sql`SET LOCAL idle_in_transaction_session_timeout = ${sql.lit(STREAM_TIMEOUT_MS)}`.execute(
        transaction,
      )
      const archive = openArchive(hand)
      for (const section of sections)
        for (const { name, beginning, lines, end } of [asJson(section), asCsv(section)]) {
          const file = archive.file(name)
          let before = beginning
          let isFirst = true
          await rowsOf(
            { ...context, db: transaction },
            section,
            userId,
          )(async (rows) => {
            await file.add(before + lines(rows, isFirst))
            before = ''
            isFirst = false
          })
          await file.end(before + end)
        }
      await archive.end()
    })

/** The rows of a section. Each file reads them again, since files follow each other. */
const rowsOf =
  (
    context: MailContext,
    { rows: query, columns, present }: Section,
    userId: string,
  ): ListStream<SectionRow> =>
  async (take) => {
    const { db } = context
    await sql`DECLARE exported NO SCROLL CURSOR FOR ${query(userId)}`.execute(db)
    for (let full = true; full; ) {
      const { rows } = await sql<SectionRow>`FETCH FORWARD ${sql.lit(BATCH)} FROM exported`.execute(
        db,
      )
      const shown = present ? rows.map((row) => present(context, row)) : rows
      if (shown.length > 0)
        await take(
          shown.map((row) => Object.fromEntries(columns.map((name) => [name, row[name] ?? null]))),
        )
      full = rows.length === BATCH
    }
    await sql`CLOSE exported`.execute(db)
  }

/** A file: its beginning, its rows and its end as text. */
type Form = {
  readonly name: string
  readonly beginning: string
  readonly lines: (rows: readonly SectionRow[], isFirst: boolean) => string
  readonly end: string
}

const dollarsOf = (amount: bigint): number => dollarsFromCents(cents(amount))

const asJson = ({ name }: Section): Form => ({
  name: `${name}.json`,
  beginning: '[',
  lines: (rows, isFirst) =>
    rows
      .map((row) =>
        JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? dollarsOf(value) : value)),
      )
      .map((line, at) => `${isFirst && at === 0 ? '' : ','}\n${line}`)
      .join(''),
  end: '\n]\n',
})

const asCsv = ({ name, columns: names }: Section): Form => {
  const columns = names.map(
    (heading): CsvColumn<SectionRow> => ({ heading, value: (row) => cellOf(row[heading]) }),
  )
  return {
    name: `${name}.csv`,
    beginning: BYTE_ORDER_MARK + csvHeading(columns),
    lines: (rows) => csvLines(rows, columns),
    end: '',
  }
}

const cellOf = (value: unknown): ReturnType<CsvColumn<SectionRow>['value']> => {
  if (typeof value === 'bigint') return { dollars: dollarsOf(value) }
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'string' || value instanceof Date) return value
  return JSON.stringify(value)
}
