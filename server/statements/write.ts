/** Writes a statement and its signature into an archive (docs/product.md 5.39). */
import { createHash } from 'node:crypto'
import {
  SIGNATURE_FILE,
  type SignatureFile,
  STATEMENT_VERSION,
  type StatementForm,
  type StatementHead,
  type StatementPart,
} from '@pool/contract/statements'
import { Zip, ZipDeflate } from 'fflate'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Schema } from '../db/schema.ts'
import {
  type InvestorMovement,
  selectInvestorMovements,
  selectPartsBefore,
} from '../ledger/investorMovements.ts'
import { BATCH, STREAM_TIMEOUT_MS } from '../lists/stream.ts'
import { signFile } from '../signing/publish.ts'
import { balancesText, openCount, partsOf } from './count.ts'
import { writers } from './forms.ts'
import type { Period } from './period.ts'

type Hand = (bytes: Buffer) => Promise<void>
type Writing = Pick<Context, 'db' | 'keys'>

/** The caller and the time of a statement. */
export type Asked = {
  readonly userId: string
  readonly period: Period
  readonly form: StatementForm
}

const ENDINGS: Readonly<Record<StatementForm, string>> = {
  ...{ json: '.json', csv: '.csv' },
  ...{ 'portfolio-performance': '-portfolio-performance.csv', ghostfolio: '-ghostfolio.csv' },
}

/** A name that no other statement has, since the signature covers it. */
export const statementName = ({ userId, period, form }: Asked): string => {
  const until = period.isComplete ? '' : `-until-${period.to.toISOString().replace(/[:.]/g, '')}`
  return `statement-${period.name}${until}-${userId}${ENDINGS[form]}`
}

/** Reads one snapshot in batches, and hands over each part before the next is read. */
export const writeStatement =
  (context: Writing, asked: Asked) =>
  (hand: Hand): Promise<void> =>
    context.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        await sql`SET LOCAL idle_in_transaction_session_timeout = ${sql.lit(STREAM_TIMEOUT_MS)}`.execute(
          snapshot,
        )
        const head = await headOf(snapshot, asked)
        const { begin, lines, end } = writers[asked.form]()
        const archive = openArchive(hand)
        const file = archive.file(head.name)
        await file.add(begin(head.text))
        const count = openCount(head.opening)
        await fetchAll(snapshot, selectInvestorMovements(asked.userId, asked.period), (rows) =>
          file.add(lines(rows.map(count.add))),
        )
        const digest = await file.end(end(count.end()))
        const signature: SignatureFile = {
          ...{ version: 1, name: head.name, digest },
          ...(await signFile(context, { name: head.name, digest })),
        }
        await archive.file(SIGNATURE_FILE).end(`${JSON.stringify(signature, null, 2)}\n`)
        await archive.end()
      })

const headOf = async (snapshot: Kysely<Schema>, asked: Asked) => {
  const { userId, period } = asked
  const { rows } = await selectPartsBefore(userId, period.from).execute(snapshot)
  const none: Record<StatementPart, null> = {
    ...{ available: null, held: null, onTheWay: null },
    ...{ invested: null, promised: null, debt: null },
  }
  const opening = partsOf(rows[0] ?? none)
  const { first_name, last_name } = await snapshot
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const name = statementName(asked)
  const text: StatementHead = {
    ...{ form: 'pool statement', version: STATEMENT_VERSION, of: 'investor', name },
    investor: { id: userId, name: `${first_name} ${last_name}` },
    currency: 'USD',
    period: {
      name: period.name,
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      isComplete: period.isComplete,
    },
    opening: balancesText(opening),
  }
  return { name, opening, text }
}

const fetchAll = async (
  snapshot: Kysely<Schema>,
  query: RawBuilder<InvestorMovement>,
  take: (rows: readonly InvestorMovement[]) => Promise<void>,
): Promise<void> => {
  await sql`DECLARE stated NO SCROLL CURSOR FOR ${query}`.execute(snapshot)
  for (let full = true; full; ) {
    const { rows } =
      await sql<InvestorMovement>`FETCH FORWARD ${sql.lit(BATCH)} FROM stated`.execute(snapshot)
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
