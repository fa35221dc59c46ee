/** Problems of imported lines, each a code with its facts, so that readers get their language. */

import { type Refusal, refusal } from '@pool/contract/base/refusals'
import * as validation from '@pool/contract/base/validation'
import {
  FILE_PROBLEMS,
  type FileProblem,
  fileProblems,
  type LineProblem,
} from '@pool/contract/lending/loanFiles'
import type { z } from 'zod'

type ProblemFacts = LineProblem['details']

/** A problem of files. */
export const fileProblem = (
  line: number,
  code: FileProblem,
  details: ProblemFacts = {},
  column: string | null = null,
): LineProblem => ({ line, column, code, details, problem: fileProblems[code](details) })

/** The problems of a file by line, the first ones where they are many. */
export const firstProblems = (problems: readonly LineProblem[]): LineProblem[] => {
  const sorted = problems.toSorted((a, b) => a.line - b.line)
  const next = sorted[FILE_PROBLEMS]
  return next ? [...sorted.slice(0, FILE_PROBLEMS), fileProblem(next.line, 'moreProblems')] : sorted
}

/** A refusal that the call of the line would get. */
export const refusedLine = (
  line: number,
  { code, details, message, field }: Refusal,
  column: string | null = field ?? null,
): LineProblem => ({ line, column, code, details: { ...details }, problem: message })

const sentences: readonly string[] = Object.values(validation)

/** A field that its schema refuses. One without a sentence of ours is not understood. */
export const badField = (line: number, { message }: z.core.$ZodIssue, column: string) =>
  sentences.includes(message)
    ? refusedLine(line, refusal('validation', { message, field: column }))
    : fileProblem(line, 'badValue', {}, column)
