import { type Change, changeStream, INVALIDATE_EVENT } from '@pool/contract/base/changes'
import { withdraw } from '@pool/contract/requests/requests'
import { expect, vi } from 'vitest'
import type { Person, Product } from './product.ts'

/** Polls a check with a timeout that suits a slow machine. */
export const eventually = <Result>(check: () => Result): Promise<Awaited<Result>> =>
  vi.waitFor(check, { timeout: 20_000, interval: 10 }) as Promise<Awaited<Result>>

type Heard = { readonly event: string; readonly data: unknown }

/** An open stream of changes. */
export type Listening = {
  readonly response: Response
  readonly heard: readonly Heard[]
  /** Resolves when the stream ends. */
  readonly ended: Promise<'ended' | 'broken'>
  readonly comments: () => number
  readonly changes: () => Change[]
}

/** Opens a stream over HTTP and waits for its start. `heard` grows with each event. */
export const openStream = async (
  url: string,
  { token }: Pick<Person, 'token'>,
  signal: AbortSignal,
): Promise<Listening> => {
  const response = await fetch(url + changeStream.path, {
    headers: { authorization: `Bearer ${token}` },
    signal,
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream',
  ])
  const heard: Heard[] = []
  let text = ''
  const read = async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const whole = text.split('\n\n')
      text = whole.pop() ?? ''
      for (const block of whole) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
        if (event !== undefined) heard.push({ event, data: JSON.parse(data ?? '') })
        else comments += 1
      }
    }
    return 'ended' as const
  }
  let comments = 0
  const ended = read().catch(() => 'broken' as const)
  return {
    response,
    heard,
    ended,
    comments: () => comments,
    changes: () => heard.flatMap(({ data }) => (data ?? []) as Change[]),
  }
}

/** Waits for the first event of streams, which invalidates all. They miss no later change. */
export const begun = async (streams: readonly Listening[]): Promise<void> => {
  for (const { heard } of streams)
    await eventually(() => expect(heard).toEqual([{ event: INVALIDATE_EVENT, data: null }]))
}

/** Waits until a stream has delivered this change. */
export const hears = (stream: Listening, change: Partial<Change> | object): Promise<void> =>
  eventually(() => expect(stream.changes()).toContainEqual(expect.objectContaining(change)))

/** Requests a withdrawal and returns its id. */
export const askToWithdraw = async (
  product: Product,
  investor: Person,
  amount: number,
): Promise<string> => {
  const { body } = await product.call(withdraw, {
    token: investor.token,
    payload: { userId: investor.id, amount },
  })
  return body.transactionId
}
