/** Sends calls at once, in slow pieces, or with the end of the body held back. */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { changePassword, login } from '@pool/contract/accounts/users'
import { type Endpoint, IDEMPOTENCY_HEADER } from '@pool/contract/base/endpoint'
import type { Person } from './plan.ts'

/** Long, because passwords are hashed only on an idle processor. */
const ANSWER_TIMEOUT_MS = 20_000
const PASSWORD_TIMEOUT_MS = 120_000
/** The time between pieces of a slow body or read, in milliseconds. */
const PIECE_INTERVAL_MS = 30
/** The bytes of a body that are sent first. */
const FIRST_BYTES = 5

/** A person with the current session and password. `otherPassword` may be the valid one. */
export type Account = { -readonly [Key in keyof Person]: Person[Key] } & { otherPassword?: string }

export type Call = {
  readonly endpoint: Endpoint
  readonly id?: string
  readonly by: Account
  readonly payload: object
}

/** A response below 500. */
export type KnownAnswer = {
  readonly status: number
  readonly body: unknown
  readonly sentAt: number
  readonly session: string
}

export const isSame = (one: KnownAnswer, other: KnownAnswer): boolean =>
  one.status === other.status && JSON.stringify(one.body) === JSON.stringify(other.body)

/** True unless it leaves the key free, so that a later repeat may succeed (docs/product.md 4.8). */
export const fixesOutcome = ({ status, body }: KnownAnswer): boolean =>
  status !== 401 &&
  !/^tooManyOpen(Deposits|Withdrawals)$/.test((body as { code?: string } | null)?.code ?? '')

/** The way of sending a body. Its end waits for `until`. */
export type Way = { readonly slowly?: boolean; readonly until?: Promise<unknown> }

/** The time in milliseconds since 1970, with fractions, to order events. */
export const now = (): number => performance.timeOrigin + performance.now()

/** A name for a session that does not reveal its token. */
export const sessionOf = ({ token }: Account): string =>
  createHash('sha256').update(token).digest('hex').slice(0, 16)

type Target = Way & { readonly key: string; readonly url: string }

/** Sends once. Undefined without a response, or with one that does not tell the outcome. */
export const send = async (
  { endpoint, id = '', by, payload }: Call,
  { key, url, slowly, until }: Target,
): Promise<KnownAnswer | undefined> => {
  const text = JSON.stringify(payload)
  const session = sessionOf(by)
  let sentAt = now()
  const pieces = async function* () {
    const bytes = Buffer.from(text)
    yield bytes.subarray(0, FIRST_BYTES)
    await (until ?? wait(PIECE_INTERVAL_MS))
    sentAt = now()
    yield bytes.subarray(FIRST_BYTES)
  }
  const timeout =
    endpoint === login || endpoint === changePassword ? PASSWORD_TIMEOUT_MS : ANSWER_TIMEOUT_MS
  try {
    const inPieces = slowly || until !== undefined
    const response = await fetch(url + endpoint.path.replace('{id}', id), {
      method: endpoint.method,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${by.token}`,
        [IDEMPOTENCY_HEADER]: key,
      },
      ...(inPieces ? { body: ReadableStream.from(pieces()), duplex: 'half' } : { body: text }),
      signal: AbortSignal.timeout(timeout),
    })
    const { body } = (await response.json()) as { body: unknown }
    return response.status >= 500 ? undefined : { status: response.status, body, sentAt, session }
  } catch {
    return undefined
  }
}

/** Starts another session. Returns true when it was answered. */
export const signIn = async (account: Account, url: string): Promise<boolean> => {
  for (const password of new Set([account.password, account.otherPassword ?? account.password])) {
    const payload = { username: account.username, password }
    const answer = await send(
      { endpoint: login, by: account, payload },
      { key: crypto.randomUUID(), url },
    )
    const { token } = (answer?.body ?? {}) as { token?: string }
    if (token === undefined) continue
    Object.assign(account, { token, password, otherPassword: undefined })
    return true
  }
  return false
}

/** Reads a list slowly. Undefined when it does not arrive whole. */
export const readSlowly = async (
  url: string,
  by: Account,
): Promise<readonly { readonly id: string }[] | undefined> => {
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${by.token}` },
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    })
    const pieces: Uint8Array[] = []
    for await (const piece of response.body ?? []) {
      pieces.push(piece)
      await wait(PIECE_INTERVAL_MS)
    }
    const { body } = JSON.parse(Buffer.concat(pieces).toString('utf8')) as {
      body: readonly { readonly id: string }[]
    }
    return response.ok ? body : undefined
  } catch {
    return undefined
  }
}
