import type { LoanFileKind } from '@pool/contract/lending/loanFiles'
import { openThread, PassedBound } from '../../base/process/thread.ts'
import { type FileLines, type LineFields, unreadFile } from './readFile.ts'

const thread = openThread<typeof import('./readFile.ts')>(
  new URL('./readFile.ts', import.meta.url),
  { mostMs: 10_000, mostMegabytes: 512 },
)

/** Reads a file in a thread. One that takes too long has a problem that says so. */
export const readFileApart = async <Kind extends LoanFileKind>(
  kind: Kind,
  csv: string,
): Promise<FileLines<LineFields<Kind>>> => {
  try {
    return (await thread.call('readLoanFile', kind, csv)) as FileLines<LineFields<Kind>>
  } catch (error) {
    if (error instanceof PassedBound) return unreadFile(1, 'tooMuchWork')
    throw error
  }
}
