/** Parts of the matrix of calls and roles (server/http/serving/matrix.test.ts). */
import { mailedKinds } from '@pool/contract/reports/notices'
import { newAddress } from './addresses.ts'
import type { Request } from './request.ts'

export type Expected = {
  readonly investor: number
  readonly other: number
  readonly admin: number
  readonly superAdmin: number
}
export type Cell = {
  readonly request: () => Request
  readonly roles: Expected
  readonly isPublic?: true
}

export const everybody = (status: number): Expected => ({
  investor: status,
  other: status,
  admin: status,
  superAdmin: status,
})
/** The investor gets this status, and every other user is refused. */
export const owner = (status: number): Expected => ({
  investor: status,
  other: 403,
  admin: 403,
  superAdmin: 403,
})
export const staff = (status: number): Expected => ({
  ...everybody(status),
  investor: 403,
  other: 403,
})
export const superAdmins = (status: number): Expected => ({ ...everybody(403), superAdmin: status })
export const nothing = () => ({})
export const sends = (payload: object) => () => ({ payload })
export const TOKEN = 'A'.repeat(43)
export const NOBODY = '00000000-0000-7000-8000-000000000000'
export const NOTE = { text: 'Called about a deposit' }
export const newWallet = () => ({ payload: { address: newAddress(), networkName: 'Bitcoin' } })
export const rejection = () => ({ params: { id: NOBODY }, payload: { reason: '' } })
export const mailsAll = () => ({
  payload: { mails: Object.fromEntries(mailedKinds.map((kind) => [kind, true])) },
})
export const readsAll = () => ({ payload: { until: '2026-01-31T12:00:00Z' } })
export const sent = { networkName: 'Bitcoin', evidence: 'ab'.repeat(32) }
const batched = sends({ networkName: 'Bitcoin', coin: 'BTC', withdrawalIds: [NOBODY] })
export const takingCells = {
  previewBatch: { request: batched, roles: staff(409) },
  makeBatch: { request: batched, roles: staff(409) },
  withdrawalOrder: { request: sends({ taking: 'send', ids: [NOBODY] }), roles: staff(200) },
}
/** Everybody makes and ends their own. */
export const readingKeyCells = {
  listReadingKeys: { request: nothing, roles: everybody(200) },
  makeReadingKey: { request: sends({ name: 'A script', days: 30 }), roles: everybody(200) },
  endReadingKey: { request: () => ({ params: { id: NOBODY } }), roles: everybody(404) },
}
