import { currentUser, listUsers, login } from '@pool/contract/accounts/users'
import {
  callFailed,
  connection,
  messageForStatus,
  sessionMessages,
} from '@pool/contract/base/messages'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { reject } from '../requests/decisions.ts'
import { onUnauthorized } from './bearer.ts'
import { call } from './client.ts'
import { ApiError, isOutcomeUnknown, messageOf } from './errors.ts'
import { forgetAnswers } from './queryClient.ts'

vi.mock('../../configuration.ts', () => ({ configuration: () => ({ apiHost: '' }) }))

type SentRequest = {
  readonly address: string
  readonly method: string
  readonly body: unknown
  readonly headers: Headers
}
const sent: SentRequest[] = []
const stored = new Map<string, string>()

/** Answers the next calls in turn: a status and an envelope, or a network failure. */
const answer = (...answers: readonly (readonly [number, unknown] | Error)[]) => {
  let turn = 0
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    sent.push({
      address,
      method: init.method ?? '',
      body: init.body ? JSON.parse(String(init.body)) : undefined,
      headers: new Headers(init.headers),
    })
    const next = answers[Math.min(turn++, answers.length - 1)]
    if (next instanceof Error || next === undefined) throw next
    const [status, envelope] = next
    return new Response(typeof envelope === 'string' ? envelope : JSON.stringify(envelope), {
      status,
    })
  })
}

const lookUp = () =>
  call(currentUser, {
    query: { username: 'ann@example.com' },
    texts: { otherwise: callFailed.users },
  })
const failure = async (attempt: Promise<unknown>): Promise<ApiError> => {
  const error = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiError)) throw new Error(`not an ApiError: ${String(error)}`)
  return error
}

beforeEach(() => {
  sent.length = 0
  stored.clear()
  for (const [key, value] of [
    ['token', 't'],
    ['username', 'ann@example.com'],
    ['userId', 'u'],
  ] as const)
    stored.set(key, value)
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
  }
  vi.stubGlobal('window', {
    localStorage,
    location: { href: 'https://pool.example/', origin: 'https://pool.example' },
  })
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('a call', () => {
  test('sends token and query and returns the interface shape', async () => {
    answer([200, { successful: true, narration: 'Found', body: { id: 'u' } }])
    expect(await lookUp()).toEqual({
      success: true,
      data: { id: 'u' },
      message: 'Found',
      page: null,
      asOf: null,
    })
    expect(sent[0]).toMatchObject({
      address: '/api/v1/user?username=ann%40example.com',
      method: 'GET',
    })
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer t')
  })

  test('reuses an unchanged response for the same token only', async () => {
    const answers = [
      new Response(JSON.stringify({ successful: true, narration: 'Found', body: { id: 'u' } }), {
        headers: { etag: 'W/"one"' },
      }),
      new Response(null, { status: 304 }),
      new Response(JSON.stringify({ successful: true, narration: '', body: { id: 'u2' } }), {
        headers: { etag: 'W/"two"' },
      }),
      new Response('{}', { status: 403 }),
      new Response('{}', { status: 403 }),
    ]
    const named: (string | null)[] = []
    vi.stubGlobal('fetch', async (_: string, { headers, cache }: RequestInit) => {
      named.push(new Headers(headers).get('if-none-match'))
      expect(cache).toBe('no-store')
      return answers.shift()
    })
    expect((await lookUp()).data).toEqual({ id: 'u' })
    expect((await lookUp()).data).toEqual({ id: 'u' })
    expect((await lookUp()).data).toEqual({ id: 'u2' })
    stored.set('token', 'of somebody else')
    await failure(lookUp())
    stored.set('token', 't')
    forgetAnswers()
    await failure(lookUp())
    expect(named).toEqual([null, 'W/"one"', 'W/"one"', null, null])
  })

  test('sends no token when public, and survives a 401', async () => {
    answer([401, { successful: false, narration: 'Invalid email or password.', body: null }])
    const error = await failure(
      call(login, {
        payload: { username: 'a@b.c', password: 'secret' },
        texts: { otherwise: callFailed.login },
      }),
    )
    expect(error.message).toBe('Invalid email or password.')
    expect(sent[0]?.headers.has('authorization')).toBe(false)
    expect(stored.get('token')).toBe('t')
  })

  test('clears the token at a 401 and tells the app', async () => {
    const heard = vi.fn()
    const off = onUnauthorized(heard)
    answer([401, { successful: false, narration: '', body: null }])
    await failure(lookUp())
    off()
    expect(stored.has('token')).toBe(false)
    expect(heard).toHaveBeenCalledWith(messageForStatus(401))
  })

  test('ignores a 401 for a replaced token', async () => {
    vi.stubGlobal('fetch', async () => {
      stored.set('token', 'newer')
      return new Response('{}', { status: 401 })
    })
    await failure(lookUp())
    expect(stored.get('token')).toBe('newer')
  })
})

describe('the sentence of a failure', () => {
  test.each([
    [
      'narration first',
      [409, { successful: false, narration: 'N', message: 'M', error: 'E' }],
      'N',
    ],
    ['then message', [409, { successful: false, narration: '', message: 'M', error: 'E' }], 'M'],
    ['then error', [409, { successful: false, error: 'E' }], 'E'],
    ['then the status', [500, '<html>'], 'Server error. Please try again later.'],
    ['any other status', [418, '{}'], 'Server error (418). Please try again.'],
    ['then the call', [200, { successful: false }], callFailed.users],
    ['a page instead of a response', [200, '<html>'], callFailed.users],
  ] as const)('%s', async (_, reply, message) => {
    answer(reply)
    expect((await failure(lookUp())).message).toBe(message)
  })

  test('names a refused connection and being offline', async () => {
    answer(new TypeError('Failed to fetch'))
    expect(await failure(lookUp())).toMatchObject({ kind: 'refused', message: connection.refused })
    vi.stubGlobal('navigator', { onLine: false })
    expect(await failure(lookUp())).toMatchObject({ kind: 'network', message: connection.network })
  })

  test('the user list has its own two sentences', async () => {
    const texts = {
      otherwise: callFailed.users,
      timeout: connection.listTimeout,
      network: connection.listNetwork,
    }
    answer(new TypeError('Failed to fetch'))
    expect((await failure(call(listUsers, { texts }))).message).toBe(connection.listNetwork)
    vi.useFakeTimers()
    vi.stubGlobal(
      'fetch',
      (_: string, { signal }: RequestInit) =>
        new Promise((_resolve, fail) =>
          signal?.addEventListener('abort', () => fail(signal.reason)),
        ),
    )
    const late = failure(call(listUsers, { texts, timeoutMs: 10_000 }))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await late).toMatchObject({ kind: 'timeout', message: connection.listTimeout })
  })

  test('the screen replaces a missing sentence', () => {
    expect(messageOf(new Error('x is undefined'), callFailed.dashboard)).toBe(callFailed.dashboard)
  })
})

test.each([
  ['a refusal', new ApiError('', { kind: 'answer', status: 409 }), false],
  ['a server error', new ApiError('', { kind: 'answer', status: 503 }), true],
  ['a timeout', new ApiError('', { kind: 'timeout' }), true],
  ['a response that cannot be read', new ApiError('', { kind: 'answer', status: 200 }), true],
  ['a call never made', new ApiError('', { kind: 'notSent' }), false],
])('after %s the outcome is unknown: %s', (_, error, unknown) =>
  expect(isOutcomeUnknown(error)).toBe(unknown),
)

describe('rejecting', () => {
  const works = [200, { successful: true, narration: 'Rejected', body: {} }] as const
  const absent = [404, { successful: false, narration: 'No such path' }] as const
  const tries = () => sent.map(({ method, address }) => `${method} ${address}`)

  test('stops at the first path that works', async () => {
    answer(works)
    await reject({ transactionId: 'x', reason: ' ' }, 'key')
    expect(tries()).toEqual(['POST /api/v1/transaction/x/reject'])
    expect(sent[0]?.body).toEqual({ reason: 'Transaction rejected by admin' })
  })

  test('tries three paths in order, each with its own key', async () => {
    answer(absent, absent, works)
    await reject({ transactionId: 'x', reason: 'why' }, 'key')
    expect(tries()).toEqual([
      'POST /api/v1/transaction/x/reject',
      'POST /api/v1/transaction/reject',
      'PUT /api/v1/transaction/x/reject',
    ])
    expect(sent[1]?.body).toEqual({ transactionId: 'x', reason: 'why' })
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(3)
  })

  test('ends the session at a 401 with its own sentence', async () => {
    answer([401, { successful: false, narration: 'Unauthorized. Please login again.' }])
    expect((await failure(reject({ transactionId: 'x', reason: '' }, 'key'))).message).toBe(
      sessionMessages.authenticationFailed,
    )
    expect(sent).toHaveLength(1)
  })

  test('reports the first existing path when none works', async () => {
    answer(absent, [409, { successful: false, narration: 'Already approved' }], absent)
    expect((await failure(reject({ transactionId: 'x', reason: '' }, 'key'))).message).toBe(
      'Already approved',
    )
  })

  test.each([
    ['token', sessionMessages.authenticationRequired],
    ['username', sessionMessages.userInformationMissing],
    ['userId', sessionMessages.userInformationMissing],
  ])('sends nothing without a stored %s', async (key, message) => {
    stored.delete(key)
    answer(works)
    expect((await failure(reject({ transactionId: 'x', reason: '' }, 'key'))).message).toBe(message)
    expect(sent).toHaveLength(0)
  })
})

describe('a connection that breaks', () => {
  test('is a network failure while the health call answers', async () => {
    answer(new TypeError('Failed to fetch'), [200, { successful: true }])
    expect(await failure(lookUp())).toMatchObject({ kind: 'network', message: connection.network })
    expect(sent[1]).toMatchObject({ address: '/api/v1/health', method: 'GET' })
  })

  test('is a missing server after three seconds without health', async () => {
    vi.useFakeTimers()
    vi.stubGlobal('fetch', (address: string, { signal }: RequestInit) =>
      address === '/api/v1/health'
        ? new Promise((_resolve, fail) =>
            signal?.addEventListener('abort', () => fail(signal.reason)),
          )
        : Promise.reject(new TypeError('Failed to fetch')),
    )
    const late = failure(lookUp())
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await late).toMatchObject({ kind: 'refused', message: connection.refused })
  })
})
