import { fork } from 'node:child_process'
import { join } from 'node:path'
import { login } from '@pool/contract/accounts/users'
import { IDEMPOTENCY_HEADER } from '@pool/contract/base/endpoint'
import { invest } from '@pool/contract/money/investments'
import { defaultPlans } from '@pool/contract/money/plans'
import { withdraw } from '@pool/contract/requests/requests'
import { balance, listTransactions } from '@pool/contract/requests/transactions'
import { emailOf, idOf, PASSWORD, tokenOf } from './people.ts'

/** A request by one of investors 1 to `people`, or to a path. */
export type RequestKind =
  | {
      readonly kind: 'invest' | 'withdraw' | 'balance' | 'own list' | 'login'
      readonly people: number
    }
  | { readonly kind: 'get'; readonly path: string; readonly token?: string }

/** The task of the load generator. */
export type Plan = {
  /** This machine's own address without it. */
  readonly host?: string
  readonly port: number
  readonly connections: number
  /** The measured time, and the time before it. */
  readonly seconds: number
  readonly warmUp: number
  /** Requests a second; undefined for as many as the connections carry. */
  readonly rate?: number
  /** The load ends after this many requests. */
  readonly most?: number
  readonly mix: readonly [
    { readonly share: number; readonly request: RequestKind },
    ...{ readonly share: number; readonly request: RequestKind }[],
  ]
}

/** Latencies in milliseconds. */
export type Summary = {
  readonly answered: number
  readonly seconds: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly statuses: Readonly<Record<string, number>>
}

let made = 0
const run = Math.random().toString(36).slice(2)

/** The bytes of a request. Money calls get an idempotency key each. */
export const requestText = (request: RequestKind): string => {
  if (request.kind === 'get') return text('GET', request.path, { token: request.token })
  const number = 1 + Math.floor(Math.random() * request.people)
  const token = tokenOf(number)
  const userId = idOf(number)
  made += 1
  switch (request.kind) {
    case 'invest':
      return text('POST', invest.path, {
        token,
        key: `${run}-${made}`,
        payload: { userId, amount: 10, durationDays: defaultPlans[made % 3]?.durationDays },
      })
    case 'withdraw':
      return text('POST', withdraw.path, {
        token,
        key: `${run}-${made}`,
        payload: { userId, amount: 10 },
      })
    case 'balance':
      return text(balance.method, balance.path, { token, payload: { userId } })
    case 'own list':
      return text('GET', `${listTransactions.path}?limit=50`, { token })
    case 'login':
      return text('POST', login.path, {
        payload: { username: emailOf(number), password: PASSWORD },
      })
  }
}

type Parts = {
  readonly token?: string | undefined
  readonly key?: string
  readonly payload?: object
}

const text = (method: string, path: string, { token, key, payload }: Parts): string => {
  const body = payload ? JSON.stringify(payload) : ''
  return [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(key === undefined ? [] : [`${IDEMPOTENCY_HEADER}: ${key}`]),
    ...(payload ? ['content-type: application/json', `content-length: ${body.length}`] : []),
    '',
    body,
  ].join('\r\n')
}

/** Runs a plan in a process of its own. */
export const load = (plan: Plan): Promise<Summary> =>
  new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'load.ts'))
    child.once('message', (summary) => resolve(summary as Summary))
    child.once('exit', (code) => reject(new Error(`the load generator ended with ${code}`)))
    child.send(plan)
  })
