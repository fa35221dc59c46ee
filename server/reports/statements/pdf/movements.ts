/** The movements of a statement on paper, page after page. */
import { type StatementLine, statementBalances } from '@pool/contract/reports/statements'
import { amountText, momentText } from './figures.ts'
import type { Element, Paper, Style } from './paper.ts'
import { PAGE } from './paper.ts'
import { type Column, headingRow, linesOf } from './table.ts'
import type { PaperWords } from './words.ts'

/**
 * Rows whose cells have tags of their own. A later row is one paragraph: a cell has an object in
 * the file, and a million of them would make it ten times as large.
 */
export const ROWS_WITH_CELLS = 2_000

const { width, height, margin } = PAGE
const [LEFT, RIGHT] = [margin, width - margin]
const LAST = height - margin - 4
const FIGURES: Style = { size: 7.5 }
const DETAIL: Style = { size: 6.2, color: 'soft' }
const [TEXT_X, LEADING] = [118, 8.4]
const FIGURE_ENDS = [344, 404, 463, 516, 572, 630, 688, 740, RIGHT]

const columnsOf = (words: PaperWords): Column[] => {
  const figures = [
    words.amount,
    words.interest,
    ...statementBalances.map((balance) => words.balanceNames[balance]),
  ]
  return [
    { heading: words.at, x: LEFT },
    { heading: words.movement, x: TEXT_X },
    ...figures.map((heading, place) => ({
      heading,
      x: FIGURE_ENDS[place] ?? RIGHT,
      isFigure: true,
    })),
  ]
}

/** Ids, coins and the payment on a chain: what a reader looks up elsewhere. */
const detailsOf = (line: StatementLine, words: PaperWords): string[] => {
  const { transactionId, investmentId, coins, evidence, address } = line
  const ids = [
    `${words.transaction} ${transactionId}`,
    ...(investmentId === null ? [] : [`${words.investment} ${investmentId}`]),
    ...(coins === null
      ? []
      : [
          words.coins(
            `${coins.amount} ${coins.asset}`,
            coins.dollarsEach,
            momentText(coins.rateAt ?? ''),
          ),
        ]),
  ].join(' · ')
  const output = evidence === null || evidence.output === null ? '' : `:${evidence.output}`
  const chain = [
    ...(evidence === null ? [] : [`${evidence.network} ${evidence.transaction}${output}`]),
    ...(address === null ? [] : [`${words.address} ${address}`]),
  ].join(' · ')
  return chain === '' ? [ids] : [ids, chain]
}

/** Writes movements under a heading. `newPage` begins a page and answers its first base. */
export const openMovements = (
  paper: Paper,
  words: PaperWords,
  { section, newPage }: { readonly section: Element; readonly newPage: () => number },
) => {
  // Long: pages, groups and rows are short functions that share its state.
  const columns = columnsOf(words)
  let rows = 0
  let y = Number.POSITIVE_INFINITY
  /** The table, or the paragraphs, of the page. */
  let group: Element | null = null
  let hasCells = true

  const endGroup = (): void => {
    group?.end()
    group = null
  }

  const beginPage = (): void => {
    endGroup()
    y = newPage()
    const heading = () =>
      paper.write(words.movements, LEFT, y, { font: 'bold', size: 12, color: 'accent' })
    if (rows === 0) section.add(paper.textOf('H2', heading))
    else paper.besides(heading)
    y += 20
    const headings = () => headingRow(paper, columns, { y, size: 7, from: LEFT, to: RIGHT })
    hasCells = rows < ROWS_WITH_CELLS
    group = paper.element(hasCells ? 'Table' : 'Div')
    section.add(group)
    if (hasCells) {
      group.add(headings())
    } else {
      paper.besides(() => {
        for (const { heading: text, x, isFigure } of columns)
          paper.write(text, x, y, {
            font: 'bold',
            size: 7,
            color: 'soft',
            align: isFigure ? 'right' : 'left',
          })
        paper.line(y + 4.5, LEFT, RIGHT, 'accent')
      })
    }
    y += 17
  }

  const add = (line: StatementLine): void => {
    const details = detailsOf(line, words).flatMap((text) =>
      linesOf(paper, text, RIGHT - TEXT_X, DETAIL),
    )
    const below = LEADING * details.length + 4
    if (y + below > LAST) beginPage()
    const { at, movement, amount, interest, balances } = line
    const figures = [amount, interest, ...statementBalances.map((balance) => balances[balance])]
    const moment = () => paper.write(momentText(at), LEFT, y, FIGURES)
    const text = () => {
      paper.write(words.names[movement], TEXT_X, y, { ...FIGURES, font: 'bold' })
      for (const [place, detail] of details.entries())
        paper.write(detail, TEXT_X, y + LEADING * (place + 1), DETAIL)
    }
    const figure = (value: string, place: number) =>
      paper.write(amountText(value), FIGURE_ENDS[place] ?? RIGHT, y, {
        ...FIGURES,
        align: 'right',
        color: value === '0.00' ? 'soft' : 'ink',
      })
    if (hasCells) {
      const cell = (draw: () => void) => paper.textOf('TD', draw)
      group?.add(
        paper.element('TR', [
          cell(moment),
          cell(text),
          ...figures.map((value, place) => cell(() => figure(value, place))),
        ]),
      )
    } else
      group?.add(
        paper.textOf('P', () => {
          moment()
          text()
          for (const [place, value] of figures.entries()) figure(value, place)
        }),
      )
    paper.besides(() => paper.line(y + below - 0.5, LEFT, RIGHT, 'line'))
    y += below + 8.5
    rows += 1
  }

  return {
    add,
    /** Ends the list. Answers the base below it, or infinity without a page. */
    end: (): number => {
      if (rows === 0) {
        beginPage()
        section.add(paper.textOf('P', () => paper.write(words.noMovements, LEFT, y, { size: 8.5 })))
        y += 20
      }
      endGroup()
      return y
    },
  }
}
