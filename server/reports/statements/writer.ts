import type { StatementEnd, StatementHead, StatementLine } from '@pool/contract/reports/statements'

/** Makes a file part by part: its beginning, then some lines at a time, then its end. */
export type Writer = {
  readonly begin: (head: StatementHead) => string | Uint8Array
  readonly lines: (lines: readonly StatementLine[]) => string | Uint8Array
  readonly end: (end: StatementEnd) => string | Uint8Array
}

type Late<Part> = Part extends (...args: infer All) => infer Result
  ? (...args: All) => Result | Promise<Result>
  : never

/** The same where a thread makes the parts. */
export type LateWriter = { readonly [Name in keyof Writer]: Late<Writer[Name]> } & {
  /** Ends the making of a file whose reader has left, too. */
  readonly close?: () => void
}
