import { request } from '@playwright/test'
import { SUPER_ADMIN } from './people.ts'
import { newWallet, startSession } from './prepare.ts'

/**
 * Enough that staff are not warned of the stock, however many deposits the tests ask for: each adds
 * a wallet before it takes one.
 */
const STOCK = 30

export default async function fillStock(): Promise<void> {
  const api = await request.newContext({ baseURL: `http://localhost:${process.env.PORT}` })
  const admin = await startSession(SUPER_ADMIN, api)
  for (let added = 0; added < STOCK; added += 1) await newWallet(api, admin)
  await api.dispose()
}
