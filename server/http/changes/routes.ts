import { changeStream } from '@pool/contract/base/changes'
import { refusal } from '@pool/contract/base/refusals'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { visibleUser } from '../serving/access.ts'
import { type StreamCall, streamRoute } from '../serving/route.ts'
import type { Hub } from './hub.ts'
import { type ChangeStream, openStream } from './stream.ts'

/** Most open streams of a user on a node, one per window. */
const MOST_PER_USER = 12
/** Milliseconds to read the end of a stream when the server stops. */
const DRAIN_MS = 250

type OpenStream = {
  readonly userId: string
  readonly stream: ChangeStream
  readonly cut: () => void
}

export const changeRoutes = (app: FastifyInstance, context: Context, hub: Hub): void => {
  const opened = new Set<OpenStream>()
  let stopping = false

  const open = ({ session, lookAgain, cut }: StreamCall<typeof changeStream>) => {
    if (stopping) throw refusal('unavailable')
    const { userId } = session
    if ([...opened].filter((each) => each.userId === userId).length >= MOST_PER_USER)
      throw refusal('tooManyRequests')
    const everything = visibleUser(session) === undefined
    const stream = openStream({
      hub,
      userId,
      everything,
      // A granted or revoked role needs a new stream with the new rights.
      mayGoOn: async () => (visibleUser(await lookAgain()) === undefined) === everything,
    })
    const entry = { userId, stream, cut }
    opened.add(entry)
    stream.readable.once('close', () => opened.delete(entry))
    return stream.readable
  }

  streamRoute(app, context, changeStream, open)

  // Streams never end by themselves, so a stop ends them.
  app.addHook('preClose', async () => {
    stopping = true
    const last = [...opened]
    for (const { stream } of last) stream.end()
    setTimeout(() => {
      for (const { cut } of last) cut()
    }, DRAIN_MS).unref()
  })
}
