import { request } from '@playwright/test'
import { SUPER_ADMIN } from './people.ts'
import { newWallet, startSession } from './prepare.ts'

/** Enough that no warning of the stock appears: each test adds a wallet before it takes one. */
const STOCK = 30

export default async function fillStock(): Promise<void> {
  const api = await request.newContext({ baseURL: `http://localhost:${process.env.PORT}` })
  const admin = await startSession(SUPER_ADMIN, api)
  for (let added = 0; added < STOCK; added += 1) await newWallet(api, admin)
  await api.dispose()
}
