import { cents } from '@pool/contract/base/money'
import { expect } from 'vitest'
import { askProposal } from '../agreements/proposals/ask.ts'
import { poolBalance } from '../ledger/families/accounts.ts'
import { openLoss } from '../lending/loans/covers.ts'
import { readLosses } from '../lending/loans/lossBook.ts'
import { postShares } from '../lending/loans/shares.ts'
import { openInvestment } from '../money/investments/openInvestment.ts'
import { payMaturities } from '../money/investments/payMaturities.ts'
import { contributeCapital } from '../money/reserve/contributeCapital.ts'
import { approveTwice } from './approveTwice.ts'
import { actAs, investorWith, type Person, type Product } from './product.ts'

type Ending = Parameters<typeof askProposal>[0] & Parameters<typeof postShares>[0]

/** Two super admins agree who bears the open loss, if there is one. */
const endLoss = async (
  context: Ending,
  [asker, decider]: readonly Person[],
  kind: 'COVER_LOSS' | 'SHARE_LOSS',
) => {
  const { lossId, open: amount } = await readLosses(context)
  if (lossId === null || !asker || !decider) return
  const { id } = await askProposal(
    context,
    { by: actAs(asker), language: 'en' },
    { kind, lossId, amount, reason: 'Borne' },
  )
  await approveTwice(context, { id, by: actAs(decider) })
}

/** The operator puts in what an open loss needs and bears it. */
export const bearLoss = async (context: Ending, superAdmins: readonly Person[]) => {
  const amount = await openLoss(context.db)
  if (amount === 0n) return undefined
  await contributeCapital(context, { amount, note: 'A loss', contributedBy: 'tests' })
  return endLoss(context, superAdmins, 'COVER_LOSS')
}

/** All invested principal shares an open loss, booked once by two callers. */
export const shareLoss = async (context: Ending, superAdmins: readonly Person[]) => {
  await endLoss(context, superAdmins, 'SHARE_LOSS')
  return Promise.all([postShares(context), postShares(context)])
}

/** A new investor earns the whole free reserve, so that nothing of it bears a loss. */
export const emptyReserve = async (product: Product): Promise<void> => {
  const { context } = product
  const reserve = await poolBalance(context.db, 'reserve')
  const amount = cents((reserve * 10_000n + 699n) / 700n)
  const { id } = await investorWith(product, Number(amount / 100n) + 1)
  const config = { ...context.config, daySeconds: 0 }
  const by = { id, from: 'tests' }
  await openInvestment({ ...context, config }, { by, amount, durationDays: 12 })
  await payMaturities(context)
  expect(await poolBalance(context.db, 'reserve')).toBe(0n)
}
