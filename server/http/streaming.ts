import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { refusal } from '@pool/contract/refusals'
import { z } from 'zod'
import type { Context } from '../context.ts'
import type { ListStream } from '../lists/stream.ts'

/** The caller that a list is streamed to. */
export type StreamReader = {
  readonly userId: string
  readonly isStaff: boolean
  /** Looks at the session again, without using it. Throws when it has ended. */
  readonly lookAgain: () => Promise<unknown>
}

/**
 * The bytes, before compression, that a reader must take within the timeout. At 5 s the least pace
 * is 26 kB/s.
 */
const PORTION = 128 * 1_024
/** The most streams of a process to one user at once. */
const MOST_PER_USER = 2
/**
 * The most streams to all users, and to investors among them. Each holds a database connection; two
 * are left for other calls.
 */
const placesOf = (poolSize: number) => ({
  all: Math.min(5, poolSize - 2),
  investors: Math.min(3, poolSize - 3),
})

let readers: readonly StreamReader[] = []

/**
 * Takes a place for a stream and returns the function that gives it back. Throws `tooManyRequests`
 * for one stream too many of a user, `busy` while all places are taken.
 */
const takePlace = (reader: StreamReader, poolSize: number): (() => void) => {
  const places = placesOf(poolSize)
  if (readers.filter(({ userId }) => userId === reader.userId).length >= MOST_PER_USER)
    throw refusal('tooManyRequests')
  const investors = readers.filter(({ isStaff }) => !isStaff).length
  if (readers.length >= places.all || (!reader.isStaff && investors >= places.investors))
    throw refusal('busy')
  readers = [...readers, reader]
  return () => {
    readers = readers.filter((each) => each !== reader)
  }
}

type Sending = {
  readonly narration: string
  readonly body: z.ZodType
  readonly reader: StreamReader
  readonly context: Pick<Context, 'config' | 'timeouts'>
}

/**
 * Streams a list in its envelope. Resolves with the first rows, so that an earlier failure is
 * answered as an error. A later failure, an ended session or a slow reader cuts the connection.
 */
export const streamList = async <Row>(
  list: ListStream<Row>,
  { narration, body, reader, context }: Sending,
): Promise<Readable> => {
  const givePlaceBack = takePlace(reader, context.config.databasePoolSize)
  const timeout = context.timeouts.portion
  const stream = new PassThrough({ highWaterMark: PORTION })
  const left = new AbortController()
  stream.once('close', () => left.abort())
  const beginning = `${JSON.stringify({ successful: true, narration }).slice(0, -1)},"body":[`
  const begun = Promise.withResolvers<void>()

  const hand = async (bytes: Buffer) => {
    for (let start = 0; start < bytes.length; start += PORTION) {
      await reader.lookAgain()
      left.signal.throwIfAborted()
      const goesOn = stream.write(bytes.subarray(start, start + PORTION))
      begun.resolve()
      if (!goesOn)
        await once(stream, 'drain', {
          signal: AbortSignal.any([left.signal, AbortSignal.timeout(timeout)]),
        })
    }
  }
  const send = async () => {
    let before = beginning
    await list(async (rows) => {
      await hand(Buffer.from(before + JSON.stringify(z.encode(body, rows)).slice(1, -1)))
      before = ','
    })
    stream.end(before === beginning ? `${beginning}]}` : ']}')
  }
  const sent = send().finally(givePlaceBack)
  await Promise.race([begun.promise, sent])
  sent.catch((error: Error) => stream.destroy(error))
  return stream
}
