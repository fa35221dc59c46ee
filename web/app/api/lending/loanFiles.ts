/** CSV files of the loan book. */
import {
  exportLoanFile,
  importLoanFile,
  type LineProblem,
  type LoanFileKind,
} from '@pool/contract/lending/loanFiles'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from '../http/client.ts'
import {
  asFlag,
  asNumber,
  asRecord,
  asText,
  list,
  or,
  record,
  type Shape,
} from '../http/reading.ts'

/** Milliseconds for 10,000 lines, each of which is judged and signed. */
const FILE_TIMEOUT_MS = 300_000

const readReport = record({
  lines: or(asNumber, 0),
  recorded: or(asNumber, 0),
  skipped: or(asNumber, 0),
  takesTwo: asFlag,
  proposalId: asText,
  problems: list(
    record({
      line: or(asNumber, 0),
      column: asText,
      code: or(asText, ''),
      details: (value) => asRecord(value) ?? {},
      problem: or(asText, ''),
    } satisfies Shape<LineProblem>),
  ),
})
export type FileReport = ReturnType<typeof readReport>
export type FileProblemRow = FileReport['problems'][number]

type Sending = { readonly kind: LoanFileKind; readonly csv: string; readonly dryRun: boolean }

/** Sends a file, to be judged alone or to be recorded. */
export const useImportFile = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ kind, csv, dryRun }: Sending): Promise<FileReport> => {
      requireIdentity()
      const { data } = await call(importLoanFile, {
        params: { kind },
        payload: { csv, dryRun },
        texts: { otherwise },
        timeoutMs: FILE_TIMEOUT_MS,
      })
      return readReport(data)
    },
    onSettled: () =>
      Promise.all(
        ['loans', 'borrowers', 'waiting', 'proposals'].map((word) =>
          client.invalidateQueries({ queryKey: [word] }),
        ),
      ),
  })
}

/** Loads all rows of a kind as CSV. */
export const useExportFile = (otherwise: string) =>
  useMutation({
    mutationFn: async (kind: LoanFileKind): Promise<string> => {
      const { data } = await call(exportLoanFile, {
        params: { kind },
        texts: { otherwise },
        timeoutMs: FILE_TIMEOUT_MS,
      })
      return asText(asRecord(data)?.csv) ?? ''
    },
  })
