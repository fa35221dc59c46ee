import { execFileSync } from 'node:child_process'
import { dataDirectory } from '../server/testing/process.ts'
import { PREPARED } from './ownProduct.ts'
import { openPool } from './pool.ts'
import { newWallet } from './prepare.ts'

/** Enough that no warning of the stock appears: each test adds a wallet before it takes one. */
const STOCK = 30

/** Fills the run's product with wallets, and prepares the data of own products. */
export default async function prepareRun(): Promise<void> {
  const url = `http://localhost:${process.env.PORT}`
  const pool = openPool({ url, dataDir: process.env.DATA_DIR ?? '' })
  const admin = await pool.superAdmin()
  for (let added = 0; added < STOCK; added += 1) await newWallet(pool, admin)
  await pool.close()

  const directory = dataDirectory()
  const { end } = await directory.start()
  await end('SIGTERM')
  execFileSync('cp', ['-a', directory.dataDir, PREPARED])
  await directory.remove()
}
