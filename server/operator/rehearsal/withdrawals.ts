/** Investors of a rehearsal withdraw all they can, and staff pay in the stated order. */
import { cents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { Refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import { completeByTwo } from '../../agreements/proposals/byTwo.ts'
import { chainOf, networksOf } from '../../base/chains/networks.ts'
import { custodyInCents } from '../../ledger/sums/custody.ts'
import { readLeft } from '../../ledger/sums/runOff.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { markSent } from '../../requests/transactions/markSent.ts'
import { rejectWithdrawal } from '../../requests/transactions/rejectWithdrawal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import type { World } from './world.ts'

/** The network of withdrawals that name none. */
const PAID_ON: NetworkName = 'Bitcoin'

/**
 * Everybody asks for the whole balance, to the last cent. An investor with as many withdrawals
 * that wait as one may have asks again once one is paid.
 */
export const askForAll = async ({ means }: World): Promise<void> => {
  for (const { id, email, balance, isFree } of await readLeft(means.db)) {
    if (!isFree) continue
    await requestWithdrawal(means, {
      by: { id, from: email },
      amount: cents(balance),
      networkName: PAID_ON,
      destinationAddress: chainOf(PAID_ON).randomAddress(),
    }).catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === 'tooManyOpenWithdrawals')) throw error
    })
  }
}

type WaitingWithdrawal = {
  readonly id: string
  readonly userId: string
  readonly status: 'PENDING' | 'APPROVED' | 'PROCESSING'
  readonly amount: bigint
  readonly isBlocked: boolean
  /** Those who approved it before a stop. */
  readonly approvedBy: readonly string[]
}

/** Approved ones first, then the others, the oldest first, as far as coins go. */
export const payOldest = async (world: World): Promise<void> => {
  const { means, pair } = world
  const { rows } = await sql<WaitingWithdrawal>`
    SELECT t.id, t.user_id AS "userId", t.status, t.amount, (u.frozen_at IS NOT NULL OR u.suspended_at IS NOT NULL) AS "isHeldBack",
      ARRAY(SELECT approved_by::text FROM approvals WHERE transaction_id = t.id) AS "approvedBy"
    FROM transactions AS t JOIN users AS u ON u.id = t.user_id
    WHERE t.type = 'withdrawal' AND t.status IN ('PENDING', 'APPROVED', 'PROCESSING')
      AND NOT EXISTS (SELECT FROM batch_payouts WHERE withdrawal_id = t.id AND is_open)
    ORDER BY t.status = 'PENDING', t.created_at, t.id`.execute(means.db)
  let coins: bigint = await custodyInCents(means.db)
  for (const waiting of rows) {
    if (waiting.isBlocked && waiting.status === 'PENDING') {
      await rejectWithdrawal(means, {
        transactionId: waiting.id,
        by: pair[0],
        reason: 'Rehearsal: this account may not withdraw',
      })
      continue
    }
    if (waiting.amount > coins) return
    await pay(world, waiting)
    coins -= waiting.amount
  }
}

const pay = async (
  { means, pair }: World,
  { id, userId, status, approvedBy }: WaitingWithdrawal,
): Promise<void> => {
  const [first] = pair
  let now: string = status
  for (const by of pair)
    if (now === 'PENDING' && !approvedBy.includes(by.id))
      now = (await approveWithdrawal(means, { transactionId: id, userId, by })).status
  if (status !== 'PROCESSING') {
    const networkName = await networkOf(means, id)
    const evidence = chainOf(networkName).randomTransactionId()
    await markSent(means, { transactionId: id, networkName, evidence, by: first })
  }
  await completeByTwo(means, pair, id)
}

/** The network of the payee, else the first one, as a sandbox may pay to a note. */
const networkOf = async ({ db, config }: World['means'], id: string): Promise<NetworkName> => {
  const { payee_address, destination_network } = await db
    .selectFrom('transactions')
    .select(['payee_address', 'destination_network'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const fitting = networksOf(payee_address ?? '', config.poolMode)
  return fitting.find((name) => name === destination_network) ?? fitting[0] ?? PAID_ON
}
