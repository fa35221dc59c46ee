import { createWallet } from '@pool/contract/chain/wallets'
import { checkMaturities, invest } from '@pool/contract/money/investments'
import { confirm, reject } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import type { Session } from './people.ts'
import type { Pool } from './pool.ts'

/** Prepares data through the API. The story itself runs in the browser. */

/** Adds a wallet for the next deposit. All are of one network, since the oldest wallet is given. */
export const newWallet = (pool: Pool, admin: Session) =>
  pool.call(createWallet, admin, {
    address: newAddress('Polygon'),
    networkName: 'Polygon',
  })

/** Asks for a deposit, for which there is a wallet, and returns its id. */
export const askToDeposit = async (
  pool: Pool,
  investor: Session,
  amount: number,
): Promise<string> => {
  await newWallet(pool, await pool.superAdmin())
  const { userId } = investor
  return (await pool.call(deposit, investor, { userId, amount })).transactionId
}

/** Pays dollars into an account, by a deposit that one super admin confirms. */
export const fund = async (pool: Pool, investor: Session, amount: number): Promise<void> => {
  const transactionId = await askToDeposit(pool, investor, amount)
  await pool.call(confirm, await pool.superAdmin(), { transactionId })
}

/**
 * An investor with paid and waiting deposits, active and paid investments, held and rejected
 * withdrawals.
 */
export const busyInvestor = async (pool: Pool): Promise<Session> => {
  const admin = await pool.superAdmin()
  const investor = await pool.person()
  const { userId } = investor
  await newWallet(pool, admin)
  const { transactionId } = await pool.call(deposit, investor, {
    userId,
    amount: 4_250.5,
    description: 'First savings',
  })
  await pool.call(confirm, admin, { transactionId })
  await pool.call(deposit, investor, { userId, amount: 300 })
  for (const [amount, durationDays] of [
    [1_000, 12],
    [500, 5],
    [120.25, 1],
  ])
    await pool.call(invest, investor, { userId, amount, durationDays })
  await pool.letMature(userId)
  await pool.call(checkMaturities, admin)
  const turnedDown = await pool.call(withdraw, investor, {
    userId,
    amount: 80,
    destinationAddress: 'unreadable',
  })
  await pool.call(
    reject,
    admin,
    { reason: 'The destination cannot be read' },
    { id: turnedDown.transactionId },
  )
  await pool.call(withdraw, investor, { userId, amount: 40, description: 'Rent' })
  return investor
}
