import { textOfUnits } from '@pool/contract/chain/quotes'
import { checkCoins } from '../../coins/custody/checkCoins.ts'
import { type Outcome, reconcile } from '../../coins/reconciliation/reconcile.ts'
import { withLockOrSkip } from '../../coins/reconciliation/withLockOrSkip.ts'
import { argumentsOf, UsageError } from './arguments.ts'
import { runCommand } from './command.ts'
import { print } from './output.ts'

const usage = `Usage:
  npm run chains:check     compares coins on the chains with the books; a break beyond BREAK_LIMIT pauses withdrawals`

/** Units as coins, with a sign. */
const textOf = (units: bigint, decimals: number): string =>
  units < 0n ? `-${textOfUnits(-units, decimals)}` : textOfUnits(units, decimals)

const show = ({ networks }: Outcome): string[] =>
  networks.flatMap((each) => {
    if (each.problem !== null) return `${each.network}: not compared (${each.problem})`
    const { network, block, addresses, coins } = each
    return [
      `${network} at block ${block.height}, ${addresses} addresses`,
      ...coins.flatMap(({ asset, decimals, lines, unexplained, difference }) => [
        ...lines.map(({ account, chain, booked, pending, unopened }) => {
          const named = [
            pending === 0n ? [] : `${textOf(pending, decimals)} pending`,
            unopened === 0n ? [] : `${textOf(unopened, decimals)} without an opening balance`,
          ].flat()
          const told = named.length > 0 ? `, ${named.join(', ')}` : ''
          return `  ${asset} ${account}: chain ${textOf(chain, decimals)}, books ${textOf(booked, decimals)}${told}`
        }),
        ...(unexplained === 0n
          ? []
          : [`  ${asset} left unexplained: ${textOf(unexplained, decimals)}`]),
        ...(difference === 0n ? [] : [`  ${asset} BREAK: ${textOf(difference, decimals)}`]),
      ]),
    ]
  })

await runCommand(() => {
  const { words } = argumentsOf(usage)
  if (words.length > 0) throw new UsageError(usage)

  return async ({ db, direct, keys }, config) => {
    if (config.chains.length === 0) throw new Error('CHAINS names no node, so nothing is compared.')
    const finding = await checkCoins(db)
    if (finding) throw new Error(finding)
    const outcome = await withLockOrSkip(
      () => direct.connect(),
      () => reconcile({ config, db, keys }),
    )
    if (!outcome) throw new Error('Another comparison is under way. Try again in a minute.')
    for (const line of show(outcome)) print(line)
    if (!outcome.isWhole)
      throw new Error(
        outcome.isPausing
          ? 'Coins differ from the books. Withdrawals are paused.'
          : 'Coins differ from the books.',
      )
    print('The coins match the books.')
  }
})
