import { openThread } from '../../../base/process/thread.ts'
import type { LateWriter } from '../writer.ts'
import type { PdfAbout } from './statementPdf.ts'

/** Twenty statements of a hundred thousand movements have a gigabyte. */
const thread = openThread<typeof import('./paperWork.ts')>(
  new URL('./paperWork.ts', import.meta.url),
  { mostMs: 20_000, mostMegabytes: 1_024 },
)

let opened = 0

/** Draws a statement in a thread: its last part takes a tenth of a second. */
export const paperWriter = (about: PdfAbout) => (): LateWriter => {
  opened += 1
  const id = opened
  return {
    begin: (head) => thread.call('begin', id, about, head),
    lines: (lines) => thread.call('lines', id, lines),
    end: (end) => thread.call('end', id, end),
    close: () => thread.tell('close', id),
  }
}
