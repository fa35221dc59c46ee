import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { refusal } from '@pool/contract/base/refusals'
import { z } from 'zod'
import type { ListStream } from '../../base/lists/stream.ts'
import type { WithConfig, WithTimeouts } from '../context.ts'

/** The caller that receives a streamed list. */
export type StreamReader = {
  readonly userId: string
  readonly isStaff: boolean
  /** Checks the session without prolonging it. Throws when it has ended. */
  readonly lookAgain: () => Promise<unknown>
}

/** Bytes before compression that a reader must take within the timeout. At 5 s this is 26 kB/s. */
export const PORTION = 128 * 1_024
/** Most streams to one user in a process. */
const MOST_PER_USER = 2
/**
 * Most streams to all users, and to investors among them. Each holds a connection, and two stay
 * free.
 */
const placesOf = (poolSize: number) => ({
  all: Math.min(5, poolSize - 2),
  investors: Math.min(3, poolSize - 3),
})

/** A stream that is open, and what it takes of its place. */
type Place = {
  readonly reader: StreamReader
  /** Milliseconds for which it waited for its client, all portions together. */
  readonly waited: () => number
  /** Cuts it. */
  readonly cut: () => void
}

let taken: readonly Place[] = []

const free = (place: Place): void => {
  taken = taken.filter((each) => each !== place)
}

/**
 * Takes a place. While all are taken, the slowest stream gives way, but never one of staff to an
 * investor. Throws `tooManyRequests` at a user's limit, and `busy` while none is slow.
 */
const takePlace = (place: Place, { config, timeouts }: Receiving['context']): void => {
  const { userId, isStaff } = place.reader
  const places = placesOf(config.databasePoolSize)
  if (taken.filter(({ reader }) => reader.userId === userId).length >= MOST_PER_USER)
    throw refusal('tooManyRequests')
  const ofInvestors = taken.filter(({ reader }) => !reader.isStaff)
  if (taken.length >= places.all || (!isStaff && ofInvestors.length >= places.investors)) {
    const [slowest] = [...(isStaff ? taken : ofInvestors)].sort((a, b) => b.waited() - a.waited())
    if (!slowest || slowest.waited() < timeouts.yields) throw refusal('busy')
    slowest.cut()
    free(slowest)
  }
  taken = [...taken, place]
}

type Receiving = {
  readonly reader: StreamReader
  readonly context: WithConfig & WithTimeouts
}
type Sending = Receiving & { readonly narration: string; readonly body: z.ZodType }

/** Makes the bytes of a response, and hands them over in order. Waits for each portion. */
export type Producer = (hand: (bytes: Buffer) => Promise<void>) => Promise<void>

/** Streams a list in its envelope, like {@link streamBytes}. */
export const streamList = <Row>(
  list: ListStream<Row>,
  { narration, body, ...receiving }: Sending,
): Promise<Readable> => {
  const beginning = `${JSON.stringify({ successful: true, narration }).slice(0, -1)},"body":[`
  return streamBytes(async (hand) => {
    let before = beginning
    await list(async (rows) => {
      await hand(Buffer.from(before + JSON.stringify(z.encode(body, rows)).slice(1, -1)))
      before = ','
    })
    await hand(Buffer.from(before === beginning ? `${beginning}]}` : ']}'))
  }, receiving)
}

/**
 * Streams what a producer makes. Rejects for failures before the first bytes. Later failures, an
 * ended session or a slow reader cut the connection.
 */
export const streamBytes = async (
  produce: Producer,
  { reader, context }: Receiving,
): Promise<Readable> => {
  const left = new AbortController()
  const waiting = openWaiting()
  const place = { reader, waited: waiting.total, cut: () => left.abort() }
  takePlace(place, context)
  const timeout = context.timeouts.portion
  const stream = new PassThrough({ highWaterMark: PORTION })
  stream.once('close', () => left.abort())
  const begun = Promise.withResolvers<void>()

  const hand = async (bytes: Buffer) => {
    for (let start = 0; start < bytes.length; start += PORTION) {
      await reader.lookAgain()
      left.signal.throwIfAborted()
      const goesOn = stream.write(bytes.subarray(start, start + PORTION))
      begun.resolve()
      if (!goesOn)
        await waiting.until(
          once(stream, 'drain', {
            signal: AbortSignal.any([left.signal, AbortSignal.timeout(timeout)]),
          }),
        )
    }
  }
  const send = async () => {
    await produce(hand)
    stream.end()
  }
  const sent = send().finally(() => free(place))
  await Promise.race([begun.promise, sent])
  sent.catch((error: Error) => stream.destroy(error))
  return stream
}

/** Adds up the milliseconds of waiting, also of the wait under way. */
const openWaiting = () => {
  let [before, since] = [0, Number.POSITIVE_INFINITY]
  const total = () => before + Math.max(0, performance.now() - since)
  const until = async (event: Promise<unknown>) => {
    since = performance.now()
    await event
    before = total()
    since = Number.POSITIVE_INFINITY
  }
  return { total, until }
}
