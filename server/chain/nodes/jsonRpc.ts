import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import type { z } from 'zod'
import { NodeFault } from './fault.ts'

/** A call refused by the node itself, with its code. */
export class RpcRefusal extends NodeFault {
  readonly code: number
  constructor(code: number, message: string) {
    super('AWAY', message)
    this.code = code
  }
}

export type Call<T = unknown> = {
  readonly method: string
  readonly params?: readonly unknown[]
  readonly schema: z.ZodType<T>
}

/** JSON-RPC of one node. Throws a `NodeFault` for each answer that cannot be used. */
export type Rpc = {
  /** Throws `RpcRefusal` when the node refuses. */
  readonly ask: <T>(call: Call<T>) => Promise<T>
  /** The answers in order. A refused call has its `RpcRefusal` as the answer. */
  readonly askAll: <T>(calls: readonly Call<T>[]) => Promise<(T | RpcRefusal)[]>
}

export type Place = {
  readonly url: string
  readonly credentialsFile?: string | undefined
  /**
   * Names of numbers, and of lists of numbers, whose digits matter. They arrive as text, and never
   * become a float.
   */
  readonly exact?: readonly string[]
  /** Ends what is under way. */
  readonly stopping?: AbortSignal | undefined
  readonly timeout?: number
  readonly mostBytes?: number
}

/** Longest wait for an answer, in milliseconds. */
const TIMEOUT_MS = 15_000
/** Bytes of an answer that is read in the thread that serves. */
const MOST_BYTES = 4 * 1_024 * 1_024
/** A full block of Bitcoin with its inputs is some 25 MB of JSON. Threads read it. */
export const BLOCK_BYTES = 96 * 1_024 * 1_024
/** Bytes of the answers that are awaited together, by the size of the last large one. */
const AT_ONCE_BYTES = 128 * 1_024 * 1_024
/** Calls in one request. Providers of nodes allow 100 or more. */
const BATCH = 50
/** Characters of a node's own words that are kept. */
const MOST_WORDS = 160

/** Speaks JSON-RPC over HTTP. Makes no connection before the first call. */
export const openRpc = (place: Place): Rpc => {
  // Long: sending, and asking in batches, are short functions that share its state.
  const { timeout = TIMEOUT_MS, mostBytes = MOST_BYTES, stopping, exact = [] } = place
  const url = new URL(place.url)
  const inUrl = url.username === '' ? undefined : `${url.username}:${url.password}`
  const hideSecrets = hider(url)
  // fetch refuses a URL with credentials, and would name it.
  url.username = ''
  url.password = ''

  const headers = (): Record<string, string> => {
    const credentials = place.credentialsFile
      ? readCredentials(place.credentialsFile)
      : inUrl && decoded(inUrl)
    const type = { 'content-type': 'application/json' }
    if (credentials === undefined) return type
    return { ...type, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
  }

  const inTurn = openTurns()

  const post = (body: unknown): Promise<unknown> =>
    inTurn(async (tell) => {
      const signals = [AbortSignal.timeout(timeout), ...(stopping ? [stopping] : [])]
      try {
        const { status, text } = await send(url, {
          body: JSON.stringify(body),
          headers: headers(),
          mostBytes,
          signal: AbortSignal.any(signals),
        })
        tell(text.length)
        const parsed = parse(exact.length > 0 ? withTexts(text, exact) : text)
        if (parsed !== undefined) return parsed
        throw status === 200
          ? new NodeFault('LYING', 'The answer is not JSON')
          : new HttpFault(status)
      } catch (error) {
        throw error instanceof NodeFault
          ? error
          : new NodeFault('AWAY', hideSecrets(reasonOf(error)))
      }
    })

  /** Calls in one request. Halved where the node takes fewer, for its life. */
  let batch = BATCH

  const askAll = async <T>(calls: readonly Call<T>[]): Promise<(T | RpcRefusal)[]> => {
    const read: (T | RpcRefusal)[] = []
    while (read.length < calls.length) {
      const some = calls.slice(read.length, read.length + batch)
      const bodies = some.map(({ method, params = [] }, id) => ({
        jsonrpc: '2.0',
        id,
        method,
        params,
      }))
      const answer = await post(bodies.length === 1 ? bodies[0] : bodies).catch((error: unknown) =>
        bodies.length > 1 && isTooMany(error) ? undefined : Promise.reject(error),
      )
      if (bodies.length > 1 && isRefusedBatch(answer)) {
        batch = Math.ceil(bodies.length / 2)
        continue
      }
      const answers = bodies.length === 1 ? [answer] : answer
      for (const [id, call] of some.entries()) read.push(resultOf(call, id, answers, hideSecrets))
    }
    return read
  }

  return {
    askAll,
    ask: async (call) => {
      const [answer] = await askAll([call])
      if (answer instanceof RpcRefusal) throw answer
      return answer as Awaited<z.output<typeof call.schema>>
    },
  }
}

/** Lets fewer calls wait for answers side by side while answers are large. */
const openTurns = () => {
  let [expected, open] = [0, 0]
  let waiting: (() => void)[] = []
  const tell = (bytes: number): void => {
    expected = Math.max(bytes, expected / 2)
  }
  return async <Result>(work: (tell: (bytes: number) => void) => Promise<Result>) => {
    while (open > 0 && (open + 1) * expected > AT_ONCE_BYTES)
      await new Promise<void>((go) => waiting.push(go))
    open += 1
    try {
      return await work(tell)
    } finally {
      open -= 1
      const woken = waiting
      waiting = []
      for (const go of woken) go()
    }
  }
}

/** An answer that is no JSON, by its status. */
class HttpFault extends NodeFault {
  readonly status: number
  constructor(status: number) {
    super('AWAY', `HTTP ${status}`)
    this.status = status
  }
}

/** Statuses of a request that is too large, or has too many calls. */
const isTooMany = (error: unknown): boolean =>
  error instanceof HttpFault && [400, 413].includes(error.status)

/** True where a node refused a batch as a whole: in one answer, or with its words in each. */
const isRefusedBatch = (answer: unknown): boolean =>
  !Array.isArray(answer) ||
  (answer.length > 0 &&
    (answer as readonly (Answer | null)[]).every((each) =>
      /batch/i.test(String(each?.error?.message)),
    ))

type Answer = {
  readonly id?: unknown
  readonly result?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null
}

const resultOf = <T>(
  { method, schema }: Call<T>,
  id: number,
  answers: unknown,
  hideSecrets: (text: string) => string,
): T | RpcRefusal => {
  const answer = Array.isArray(answers)
    ? (answers as (Answer | null)[]).find((each) => each?.id === id)
    : (answers as Answer | null)
  if (answer === undefined || answer === null || typeof answer !== 'object')
    throw new NodeFault('LYING', `${method}: no answer to the call`)
  if (answer.error) {
    const { code, message } = answer.error
    const words = hideSecrets(`${method}: ${String(message)} (${String(code)})`)
    return new RpcRefusal(Number(code), words.slice(0, MOST_WORDS))
  }
  const read = schema.safeParse(answer.result)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new NodeFault(
    'LYING',
    `${method}: ${issue?.path.join('.')} ${issue?.message}`.slice(0, MOST_WORDS),
  )
}

const readCredentials = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new NodeFault('AWAY', `The file of the credentials cannot be read (${code})`)
  }
}

type SentRequest = {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly mostBytes: number
  readonly signal: AbortSignal
}

/**
 * Posts to a node. By Node's own client, which follows no redirect, lest it take the credentials
 * elsewhere, and takes half the time of `fetch` (bench/README, Limits).
 */
const send = (
  url: URL,
  sent: SentRequest,
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const { body, headers, mostBytes, signal } = sent
    const { request } = url.protocol === 'https:' ? https : http
    const asked = request(url, { method: 'POST', headers, signal }, (answer) => {
      const chunks: Uint8Array[] = []
      let size = 0
      answer.on('error', reject).on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: answer.statusCode ?? 0, text })
      })
      answer.on('data', (chunk: Uint8Array) => {
        size += chunk.length
        chunks.push(chunk)
        if (size > mostBytes)
          answer.destroy(new NodeFault('LYING', `The answer has more than ${mostBytes} bytes`))
      })
    })
    asked
      .on('error', (error: NodeJS.ErrnoException) => {
        // The node closed a connection that waited for the next call. A new one is opened.
        const isClosed = asked.reusedSocket && error.code === 'ECONNRESET'
        if (isClosed) send(url, sent).then(resolve, reject)
        else reject(error)
      })
      .end(body)
  })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Puts quotes around the numbers with these names. A quote inside a text is escaped. */
const withTexts = (text: string, names: readonly string[]): string =>
  text.replaceAll(
    new RegExp(
      `("(?:${names.join('|')})"\\s*:\\s*)(-?[\\d.][\\d.eE+-]*|\\[[\\d.eE+,\\s-]*\\])`,
      'g',
    ),
    (_, name: string, numbers: string) => name + numbers.replaceAll(/[^[\],\s]+/g, '"$&"'),
  )

/** A part of a URL with its escapes read. A % that begins none stays as it is. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Replaces what only the operator may know of a URL: all but its host. */
const hider = ({ username, password, pathname, search }: URL) => {
  const secrets = [username, password, ...pathname.split('/'), ...search.split(/[?&=]/)]
    .flatMap((text) => [text, decoded(text)])
    .filter((text) => text.length > 3)
  return (text: string): string =>
    secrets.reduce((left, secret) => left.replaceAll(secret, '…'), text)
}

/** The code of a failed connection, such as ECONNREFUSED, or its words. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'The request failed'
  const { cause, code } = error as NodeJS.ErrnoException
  if (cause instanceof Error && cause.name === 'TimeoutError')
    return 'The node did not answer in time'
  return typeof code === 'string' ? code : error.message.slice(0, MOST_WORDS)
}
