import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
} from '@playwright/test'
import { confirm, reject } from '@pool/contract/decisions'
import { invest, listInvestments } from '@pool/contract/investments'
import { deposit, withdraw } from '@pool/contract/requests'
import { storageKeys } from '@pool/contract/session'
import { login, REGISTRATION_COUNTRY, register, roleFrom } from '@pool/contract/users'
import { createWallet } from '@pool/contract/wallets'
import { newAddress } from '../server/testing/addresses.ts'
import { letMature } from './ownProduct.ts'
import { type Credentials, newcomer, SUPER_ADMIN } from './people.ts'

/** Prepares data through the API. The story itself runs in the browser. */

export type Session = {
  readonly token: string
  readonly userId: string
  readonly username: string
  readonly roles: readonly { type: string }[]
}

/** Makes a call and returns the body of its envelope. */
export const post = async (api: APIRequestContext, path: string, data: object, token?: string) => {
  const response = await api.post(path, {
    data,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
  const { successful, narration, body } = await response.json()
  if (!successful) throw new Error(`${path}: ${narration}`)
  return body
}

export const startSession = (
  { email, password }: Credentials,
  api: APIRequestContext,
): Promise<Session> => post(api, login.path, { username: email, password })

export const newInvestor = async (api: APIRequestContext): Promise<Session> => {
  const { email, password } = newcomer()
  const detail = { firstName: 'Grace', lastName: 'Hopper', email }
  await post(api, register.path, {
    username: email,
    password,
    country: REGISTRATION_COUNTRY,
    detail,
  })
  return startSession({ email, password }, api)
}

/** Adds a wallet for the next deposit. All are of one network, since the oldest wallet is given. */
export const newWallet = (api: APIRequestContext, { token }: Session) =>
  post(api, createWallet.path, { address: newAddress('Polygon'), networkName: 'Polygon' }, token)

/**
 * An investor with paid and waiting deposits, active and paid investments, held and rejected
 * withdrawals.
 */
export const busyInvestor = async (api: APIRequestContext): Promise<Session> => {
  const admin = await startSession(SUPER_ADMIN, api)
  const investor = await newInvestor(api)
  const { userId, token } = investor
  await newWallet(api, admin)
  const { transactionId } = await post(
    api,
    deposit.path,
    { userId, amount: 4_250.5, description: 'First savings' },
    token,
  )
  await post(api, confirm.path, { transactionId }, admin.token)
  await post(api, deposit.path, { userId, amount: 300 }, token)
  for (const [amount, durationDays] of [
    [1_000, 12],
    [500, 5],
    [120.25, 1],
  ]) {
    await post(api, invest.path, { userId, amount, durationDays }, token)
  }
  await letMature(userId)
  const completed = async (): Promise<boolean> => {
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await (
      await api.get(listInvestments.path.replace('{userId}', userId), { headers })
    ).json()
    return body.some(({ status }: { status: string }) => status === 'COMPLETED')
  }
  await expect.poll(completed).toBe(true)
  const turnedDown = await post(
    api,
    withdraw.path,
    { userId, amount: 80, destinationAddress: 'unreadable' },
    token,
  )
  await post(
    api,
    reject.path.replace('{id}', turnedDown.transactionId),
    { reason: 'The destination cannot be read' },
    admin.token,
  )
  await post(api, withdraw.path, { userId, amount: 40, description: 'Rent' }, token)
  return investor
}

/** A browser with an open session. `baseURL` is the product's, from the run's configuration. */
export const signedIn = (
  browser: Browser,
  session: Session | undefined,
  {
    baseURL = '',
    ...options
  }: Omit<BrowserContextOptions, 'baseURL'> & { baseURL: string | undefined },
): Promise<BrowserContext> => {
  const entries = session && {
    [storageKeys.token]: session.token,
    [storageKeys.username]: session.username,
    [storageKeys.userId]: session.userId,
    [storageKeys.role]: roleFrom(session.roles),
  }
  const localStorage = Object.entries(entries ?? {}).map(([name, value]) => ({ name, value }))
  return browser.newContext({
    ...options,
    baseURL,
    storageState: { cookies: [], origins: [{ origin: baseURL, localStorage }] },
  })
}
