import { type Cents, dollarsFromCents, formatDollars } from '@pool/contract/base/money'
import { defaultPlans } from '@pool/contract/money/plans'
import { percentOf, type Stress, stressOf } from '../../lending/loans/stress.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { runCommand } from './command.ts'
import { print } from './output.ts'

const usage = `Usage:
  npm run pool:stress -- --default PERCENT     what the pool covers if so much of the outstanding principal defaults`

const inDollars = (amount: Cents): string => formatDollars(dollarsFromCents(amount))

/** Lines on investors' principal: whether it is safe, from what default on not, by what share. */
const ofPrincipal = ({ lent, covered, lost, share, lostFrom }: Stress): readonly string[] => {
  if (lent === 0n) return ["Safe: investors' principal. None of it is lent."]
  const begins =
    lostFrom === null
      ? 'The free reserve bears the loss of all of it.'
      : `From a default of ${lostFrom} % on, the free reserve does not bear its loss.`
  return [
    `Not safe: investors' principal in loans, ${inDollars(lent)}. ${begins}`,
    `At this default the reserve bears ${inDollars(covered)} of it, and ${inDollars(lost)} is an open loss: ${(Number(share) / 100).toFixed(2)} % of what is invested.`,
  ]
}

await runCommand(() => {
  const { words, options } = argumentsOf(usage, 'default')
  const text = options.default ?? ''
  const percent = Number(text)
  if (words.length > 0 || !/^\d{1,3}$/.test(text) || percent > 100) throw new UsageError(usage)
  return async ({ db }) => {
    const found = await stressOf(db, { percent, plans: defaultPlans })
    const { outstanding, loss, reserve, committed, capital, open, days } = found
    print(`Outstanding principal:  ${inDollars(outstanding)}`)
    print(`Lost in this default:   ${inDollars(loss)}, ${percentOf(found).toFixed(2)} % of it`)
    print(`Capital left:           ${inDollars(capital)}, of which ${inDollars(reserve)} free`)
    print('')
    print(`Safe: committed interest of ${inDollars(committed)}. Loans never come out of it.`)
    for (const line of ofPrincipal(found)) print(line)
    print(
      `Not safe: the operator's capital in loans, ${inDollars((outstanding - found.lent) as Cents)}.`,
    )
    print('')
    for (const { plan, principal } of open)
      print(
        `The plan of ${plan.durationDays} days closes after another ${inDollars(principal)} invested.`,
      )
    print('')
    print('day  coins + instalments by then  owed by then  left')
    for (const { day, coins, received, owed } of days) {
      const had = (coins + received) as Cents
      print(`${day}  ${inDollars(had)}  ${inDollars(owed)}  ${inDollars((had - owed) as Cents)}`)
    }
  }
})
