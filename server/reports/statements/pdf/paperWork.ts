/** Draws statements on paper, in a thread (docs/decisions/079). */
import type { StatementEnd, StatementHead, StatementLine } from '@pool/contract/reports/statements'
import type { Part } from '../../../base/lists/archive.ts'
import type { Writer } from '../writer.ts'
import { type PdfAbout, statementPdf } from './statementPdf.ts'

/** Statements that are being drawn, by their number. */
const drawn = new Map<number, Writer>()

const writerOf = (id: number): Writer => {
  const writer = drawn.get(id)
  if (!writer) throw new Error('the thread that drew the statement has ended')
  return writer
}

export const begin = (id: number, about: PdfAbout, head: StatementHead): Part => {
  const writer = statementPdf(about)()
  drawn.set(id, writer)
  return writer.begin(head)
}

export const lines = (id: number, some: readonly StatementLine[]): Part => writerOf(id).lines(some)

export const end = (id: number, all: StatementEnd): Part => writerOf(id).end(all)

/** Forgets a statement, drawn or not. */
export const close = (id: number): void => void drawn.delete(id)
