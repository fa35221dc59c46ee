import type { StatementEnd, StatementHead, StatementLine } from '@pool/contract/statements'

/** Makes a file part by part: its beginning, then some lines at a time, then its end. */
export type Writer = {
  readonly begin: (head: StatementHead) => string | Uint8Array
  readonly lines: (lines: readonly StatementLine[]) => string | Uint8Array
  readonly end: (end: StatementEnd) => string | Uint8Array
}
