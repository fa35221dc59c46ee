/**
 * A statement for people, as PDF: what the period brought on the first page, then each movement,
 * then the months (docs/decisions/058). The figures are those of the JSON.
 */
import type { Language } from '@pool/contract/base/languages'
import {
  type StatementEnd,
  type StatementHead,
  statementBalances,
  statementSums,
} from '@pool/contract/reports/statements'
import type { Writer } from '../writer.ts'
import { amountText, momentText } from './figures.ts'
import { openMovements } from './movements.ts'
import { openPaper, PAGE, type Paper, type Style } from './paper.ts'
import { type Column, firstLinesOf, linesOf, ROW, smallTable } from './table.ts'
import { type PaperWords, paperWords } from './words.ts'

/** The reader's language, and the signer. */
export type PdfAbout = {
  readonly language: Language
  readonly productName: string
  /** The key that signs. Undefined leaves it out. */
  readonly key: { readonly id: string; readonly publicKey: string } | undefined
}

const { width, height, margin } = PAGE
const [LEFT, RIGHT] = [margin, width - margin]
const H2: Style = { font: 'bold', size: 12, color: 'accent' }
const SMALL: Style = { size: 7.5, color: 'soft' }

/** `January 2026`, or `2026`. */
const periodName = (name: string, language: Language): string => {
  if (name.length === 4) return name
  const text = new Intl.DateTimeFormat(language, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const month = text.format(new Date(`${name}-01T00:00:00Z`))
  return month.charAt(0).toUpperCase() + month.slice(1)
}

const figureColumns = (headings: readonly string[], first: number, step: number): Column[] =>
  headings.map((heading, place) => ({ heading, x: first + step * place, isFigure: true }))

export const statementPdf = (about: PdfAbout) => (): Writer => {
  const words = paperWords[about.language]
  let all: ReturnType<typeof open> | undefined
  const opened = () => {
    if (!all) throw new Error('the statement has no beginning')
    return all
  }
  const open = (head: StatementHead) => openStatement(about, words, head)
  return {
    begin: (head) => {
      all = open(head)
      return all.paper.take()
    },
    lines: (lines) => {
      const { movements, paper } = opened()
      for (const line of lines) movements.add(line)
      return paper.take()
    },
    end: (end) => {
      const { finish, paper } = opened()
      finish(end)
      return paper.take()
    },
  }
}

const openStatement = (about: PdfAbout, words: PaperWords, head: StatementHead) => {
  const { language } = about
  const title = `${words.title} · ${periodName(head.period.name, language)}`
  const paper = openPaper({ language, title, madeAt: new Date(head.period.to) })
  const whole = paper.element('Document')
  paper.root(whole)
  const [front, list, months] = [
    paper.element('Sect'),
    paper.element('Sect'),
    paper.element('Sect'),
  ]
  for (const section of [front, list, months]) whole.add(section)
  const newPage = (): number => {
    paper.newPage()
    // The first page is drawn last.
    footer(paper, { text: head.name, page: words.page(paper.pages() + 1) })
    return margin + 6
  }
  const movements = openMovements(paper, words, { section: list, newPage })
  const finish = (end: StatementEnd): void => {
    const below = movements.end()
    list.end()
    if (end.totals.byMonth.length > 1)
      drawMonths({ paper, words, end, section: months, below, newPage })
    months.end()
    paper.newPage()
    footer(paper, { text: head.name, page: words.page(1, paper.pages()) })
    drawFront({ paper, words, head, end, about, section: front })
    front.end()
    whole.end()
    paper.endWithFirst()
  }
  return { paper, movements, finish }
}

const footer = (paper: Paper, { text, page }: { readonly text: string; readonly page: string }) =>
  paper.besides(() => {
    paper.write(text, LEFT, height - 26, { size: 6.5, color: 'soft' })
    paper.write(page, RIGHT, height - 26, { size: 6.5, color: 'soft', align: 'right' })
  })

type Drawn = {
  readonly paper: Paper
  readonly words: PaperWords
  readonly end: StatementEnd
  readonly section: ReturnType<Paper['element']>
}

/** The sums of each month, below the movements or on a page of their own. */
const drawMonths = ({
  paper,
  words,
  end,
  section,
  below,
  newPage,
}: Drawn & { readonly below: number; readonly newPage: () => number }): void => {
  const { byMonth } = end.totals
  const needed = 40 + ROW * (byMonth.length + 1)
  const y = below + needed > height - margin ? newPage() : below + 14
  section.add(paper.textOf('H2', () => paper.write(words.months, LEFT, y, H2)))
  const columns = [
    { heading: words.month, x: LEFT },
    ...figureColumns(
      statementSums.map((sum) => words.sums[sum]),
      LEFT + 120,
      (RIGHT - LEFT - 120) / 8,
    ),
  ]
  const rows = byMonth.map(({ month, sums }) => [
    month,
    ...statementSums.map((sum) => amountText(sums[sum])),
  ])
  section.add(smallTable(paper, columns, rows, { y: y + 20, from: LEFT, to: RIGHT }).element)
}

type Say = (tag: string, text: string, at: readonly [number, number], style: Style) => void

/** The investor's name and id, or the id alone where the font cannot write the name. */
const drawInvestor = (
  paper: Paper,
  words: PaperWords,
  { id, name: given }: StatementHead['investor'],
  say: Say,
): void => {
  const named: Style = { font: 'bold', size: 11, align: 'right' }
  const small: Style = { ...SMALL, align: 'right' }
  // A letter and its mark become one sign where there is one.
  const name = given.normalize('NFC')
  if (!paper.canWrite(name)) {
    say('P', words.unwritten, [RIGHT, 70], small)
    say('P', id, [RIGHT, 84], named)
    return
  }
  const names = firstLinesOf(paper, name, { lines: 2, width: 300 }, named)
  // A signed page must not seem to state what its investor chose to be called.
  say('P', words.namedBy, [RIGHT, 70], small)
  for (const [place, line] of names.entries()) say('P', line, [RIGHT, 84 + 14 * place], named)
  say('P', id, [RIGHT, 86 + 14 * names.length], small)
}

const drawFront = ({
  paper,
  words,
  head,
  end,
  about,
  section,
}: Drawn & {
  readonly head: StatementHead
  readonly about: PdfAbout
}): void => {
  // Long: one page from top to bottom, each part below the one before.
  const { period, investor, opening } = head
  const say: Say = (tag, text, at, style) =>
    section.add(paper.textOf(tag, () => paper.write(text, at[0], at[1], style)))

  say('P', about.productName, [LEFT, 54], { font: 'bold', size: 10, color: 'accent' })
  say('H1', words.title, [LEFT, 84], { font: 'bold', size: 24 })
  say('P', periodName(period.name, about.language), [LEFT, 104], { size: 12 })
  say('P', words.times, [LEFT, 118], SMALL)
  if (!period.isComplete) say('P', words.soFar, [LEFT, 130], { font: 'bold', size: 9 })
  drawInvestor(paper, words, investor, say)

  say('H2', words.balances, [LEFT, 148], H2)
  const step = (RIGHT - LEFT - 170) / 7
  const parts = statementBalances.map((balance) => words.balanceNames[balance])
  const columns = [
    { heading: words.dollars, x: LEFT },
    ...figureColumns(parts, LEFT + 170 + step, step),
  ]
  const figures = (all: StatementHead['opening']) =>
    statementBalances.map((balance) => amountText(all[balance]))
  const balances = smallTable(
    paper,
    columns,
    [
      [words.opening(momentText(period.from)), ...figures(opening)],
      [words.closing(momentText(period.to)), ...figures(end.closing)],
    ],
    { y: 166, from: LEFT, to: RIGHT },
  )
  section.add(balances.element)

  const y = balances.below + 18
  const middle = 330
  say('H2', words.sumsHeading, [LEFT, y], H2)
  const sums = smallTable(
    paper,
    [
      { heading: words.sum, x: LEFT },
      { heading: words.dollars, x: middle - 30, isFigure: true },
    ],
    statementSums.map((sum) => [words.sums[sum], amountText(end.totals.sums[sum])]),
    { y: y + 18, from: LEFT, to: middle - 30 },
  )
  section.add(sums.element)
  drawCheck({ paper, words, end, section, head, about, y: sums.below + 18 })

  say('H2', words.kinds, [middle, y], H2)
  const kinds = smallTable(
    paper,
    [
      { heading: words.kind, x: middle },
      { heading: words.count, x: 560, isFigure: true },
      { heading: words.amount, x: 645, isFigure: true },
      { heading: words.interest, x: 725, isFigure: true },
      { heading: words.balanceNames.promised, x: RIGHT, isFigure: true },
    ],
    end.totals.byMovement.map(({ movement, count, amount, interest, promised }) => [
      words.names[movement],
      String(count),
      amountText(amount),
      amountText(interest),
      amountText(promised),
    ]),
    { y: y + 18, from: middle, to: RIGHT },
  )
  section.add(kinds.element)
}

/** Tells a stranger how to check the file. */
const drawCheck = ({
  paper,
  words,
  section,
  head,
  about,
  y,
}: Drawn & {
  readonly head: StatementHead
  readonly about: PdfAbout
  readonly y: number
}): void => {
  section.add(paper.textOf('H2', () => paper.write(words.check, LEFT, y, H2)))
  const { key, productName } = about
  const facts = [
    `${words.file}: ${head.name}`,
    ...(key ? [`${words.key}: ${key.id}`, `${words.publicKey}: ${key.publicKey}`] : []),
  ]
  const lines = [...words.howToCheck(productName), ...facts].flatMap((text) =>
    linesOf(paper, text, 270, SMALL),
  )
  for (const [place, text] of lines.entries())
    section.add(paper.textOf('P', () => paper.write(text, LEFT, y + 16 + 11 * place, SMALL)))
}
