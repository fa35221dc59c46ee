/** The statement of an investor (docs/product.md 5.39). */

import type { Language } from '@pool/contract/base/languages'
import {
  STATEMENT_VERSION,
  type StatementForm,
  type StatementHead,
  type StatementPart,
  type StatementPreview,
} from '@pool/contract/reports/statements'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { WithConfig } from '../../http/context.ts'
import {
  type InvestorMovement,
  selectInvestorMovements,
  selectPartsBefore,
} from '../../ledger/sums/investorMovements.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { fetchAll, inSnapshot, writeSigned } from './archive.ts'
import { balancesText, openCount, partsOf } from './count.ts'
import { textWriters } from './forms.ts'
import { paperWriter } from './pdf/paperThread.ts'
import type { PdfAbout } from './pdf/statementPdf.ts'
import { type Period, periodText, untilIn } from './period.ts'
import type { LateWriter } from './writer.ts'

type Hand = (bytes: Buffer) => Promise<void>

/** The caller and the time of a statement. */
export type StatementRequest = {
  readonly userId: string
  readonly period: Period
  readonly form: StatementForm
  /** The language of a PDF. The other forms have none. */
  readonly language: Language
}

const ENDINGS: Readonly<Record<StatementForm, string>> = {
  pdf: '.pdf',
  json: '.json',
  csv: '.csv',
  'portfolio-performance-en': '-portfolio-performance-en.csv',
  'portfolio-performance-de': '-portfolio-performance-de.csv',
  ghostfolio: '-ghostfolio.csv',
}

/** A name that no other statement has, since the signature covers it. */
export const statementName = ({ userId, period, form, language }: StatementRequest): string => {
  const written = form === 'pdf' ? `-${language}` : ''
  return `statement-${period.name}${untilIn(period)}-${userId}${written}${ENDINGS[form]}`
}

/** Writes a statement and its signature into an archive. */
export const writeStatement =
  (context: OnRecord & WithConfig, asked: StatementRequest) => (hand: Hand) =>
    writeSigned<InvestorMovement>(
      context,
      async (snapshot) => {
        const { name, opening, text } = await headOf(snapshot, asked)
        const { begin, lines, end, close }: LateWriter = (
          asked.form === 'pdf' ? paperWriter(aboutOf(context, asked)) : textWriters[asked.form]
        )()
        const count = openCount(opening)
        return {
          name,
          beginning: await begin(text),
          close,
          query: selectInvestorMovements(asked.userId, asked.period),
          add: (rows) => lines(rows.map(count.add)),
          end: () => end(count.end()),
        }
      },
      hand,
    )

const aboutOf = (
  { config, keys }: OnRecord & WithConfig,
  { language }: StatementRequest,
): PdfAbout => ({
  language,
  productName: config.productName,
  key: keys.publicKeys[0],
})

/** The parts before the first line, in cents. */
const openingOf = async (
  snapshot: Kysely<Schema>,
  { userId, period }: Pick<StatementRequest, 'userId' | 'period'>,
) => {
  const { rows } = await selectPartsBefore(userId, period.from).execute(snapshot)
  const none: Record<StatementPart, null> = {
    available: null,
    held: null,
    onTheWay: null,
    invested: null,
    promised: null,
    debt: null,
  }
  return partsOf(rows[0] ?? none)
}

/** The balances and sums of a statement, by the same count as its file. */
export const previewOf = (
  { db }: OnRecord,
  asked: Pick<StatementRequest, 'userId' | 'period'>,
): Promise<StatementPreview> =>
  inSnapshot(db, async (snapshot) => {
    const opening = await openingOf(snapshot, asked)
    const count = openCount(opening)
    let lines = 0
    await fetchAll(snapshot, selectInvestorMovements(asked.userId, asked.period), async (rows) => {
      for (const row of rows) count.add(row)
      lines += rows.length
    })
    const { closing, totals } = count.end()
    return { opening: balancesText(opening), sums: totals.sums, closing, lines }
  })

const headOf = async (snapshot: Kysely<Schema>, asked: StatementRequest) => {
  const { userId, period } = asked
  const opening = await openingOf(snapshot, asked)
  const { first_name, last_name } = await snapshot
    .selectFrom('users')
    .select(['first_name', 'last_name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const name = statementName(asked)
  const text: StatementHead = {
    form: 'pool statement',
    version: STATEMENT_VERSION,
    of: 'investor',
    name,
    investor: { id: userId, name: `${first_name} ${last_name}` },
    currency: 'USD',
    period: periodText(period),
    opening: balancesText(opening),
  }
  return { name, opening, text }
}
