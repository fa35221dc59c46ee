import { type Log, openLog } from '../../base/process/log.ts'

/** Errors of an output whose reader has gone: `head` ends a pipe, and a terminal is closed. */
const GONE = ['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']

// A command ends its work without a reader, so that no change is left half done.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (GONE.includes(error.code ?? '')) return
  process.exitCode = 1
  note(`The output could not be written: ${error.message}`)
})
process.stderr.on('error', () => undefined)

export const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Prints a piece of a long text, and waits until its reader took it or has gone. */
export const printPiece = (piece: string): Promise<void> =>
  new Promise((resolve) => process.stdout.write(piece, () => resolve()))

/** Prints a line beside the output, which another program may read. */
export const note = (line: string): void => void process.stderr.write(`${line}\n`)

/** A log of warnings beside the output. */
export const commandLog = (): Log =>
  openLog('warn', { write: (line) => void process.stderr.write(line) })
