import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { z } from 'zod'
import type { Whole } from '../db/wholeList.ts'

/**
 * The envelope of a list that is too long to be held: its rows are read as fast as the client takes them. Resolves when the first ones are there, so
 * that what fails until then is answered as an error; what fails later cuts the connection, because what was sent must not pass for an answer.
 * A client that leaves ends the reading.
 */
export const sendWhole = async <Row>(
  whole: Whole<Row>,
  { narration, body }: { readonly narration: string; readonly body: z.ZodType },
): Promise<Readable> => {
  const stream = new PassThrough()
  const left = new AbortController()
  stream.once('close', () => left.abort())
  const beginning = `${JSON.stringify({ successful: true, narration }).slice(0, -1)},"body":[`
  const begun = Promise.withResolvers<void>()

  const send = async () => {
    let before = beginning
    await whole(async (rows) => {
      left.signal.throwIfAborted()
      const goesOn = stream.write(before + JSON.stringify(z.encode(body, rows)).slice(1, -1))
      before = ','
      begun.resolve()
      if (!goesOn) await once(stream, 'drain', { signal: left.signal })
    })
    stream.end(before === beginning ? `${beginning}]}` : ']}')
  }
  const sent = send()
  await Promise.race([begun.promise, sent])
  sent.catch((error: Error) => stream.destroy(error))
  return stream
}
