/** A ZIP archive that is handed over as its files grow, so that its memory is bounded. */
import { createHash } from 'node:crypto'
import { setImmediate as afterOthers } from 'node:timers/promises'
import { Zip, ZipDeflate } from 'fflate'

/** Bytes that are compressed in one turn, in some milliseconds. */
const PIECE_BYTES = 65_536

/** Text is written as UTF-8. */
export type Part = string | Uint8Array

/**
 * Opens an archive whose files follow each other. Each part is handed over before the next. The
 * end of a file answers its SHA-256 in hex. Throws what `hand` throws.
 */
export const openArchive = (hand: (bytes: Buffer) => Promise<void>) => {
  let made: Uint8Array[] = []
  let failure: Error | null = null
  const zip = new Zip((error, bytes) => {
    failure ??= error
    made.push(bytes)
  })
  const flush = async () => {
    const bytes = Buffer.concat(made)
    made = []
    if (failure) throw failure
    if (bytes.length > 0) await hand(bytes)
  }
  return {
    file: (name: string) => {
      const file = new ZipDeflate(name)
      zip.add(file)
      const hash = createHash('sha256')
      const push = async (part: Part, isLast: boolean) => {
        const bytes = typeof part === 'string' ? Buffer.from(part) : part
        for (let from = 0; from === 0 || from < bytes.length; from += PIECE_BYTES) {
          if (from > 0) await afterOthers()
          const piece = bytes.subarray(from, from + PIECE_BYTES)
          hash.update(piece)
          file.push(piece, isLast && from + PIECE_BYTES >= bytes.length)
          await flush()
        }
      }
      return {
        add: (part: Part) => push(part, false),
        end: async (part: Part): Promise<string> => {
          await push(part, true)
          return hash.digest('hex')
        },
      }
    },
    end: (): Promise<void> => {
      zip.end()
      return flush()
    },
  }
}
