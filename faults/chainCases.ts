/** Ways in which coins arrive. A case is a line of a table, and names what is credited of it. */
import { cents } from '@pool/contract/base/money'
import { expect } from 'vitest'
import { collectClaims } from '../server/money/claims/collectClaims.ts'
import { openInvestment } from '../server/money/investments/openInvestment.ts'
import { expireDeposits } from '../server/requests/transactions/expireDeposits.ts'
import { expectWhole } from '../server/testing/decisions.ts'
import { differences } from './chainJudge.ts'
import type { Follower, Investor, World } from './chainWorld.ts'
import type { CoinKind, PlayCoin } from './playChain.ts'

/** The dollars of each credit of an investor in the end, from the smallest on. */
export type Credits = readonly (readonly [Investor, readonly number[]])[]
export type Steps = (stage: Stage) => Promise<Credits>
export type Only = (kind: CoinKind) => boolean
/** Without the last part it is a case of every coin. */
export type Case = readonly [name: string, steps: Steps, only?: Only]

/** A coin with a product that follows it. */
export const openStage = (world: World, follower: Follower, coin: PlayCoin) => {
  const { chain } = coin
  const look = async (state = 'FINE') =>
    expect(await follower.look(chain)).toMatch(new RegExp(`^${state}`))
  const credit = () => follower.credit(chain)
  /** The fewest units that are worth these dollars. */
  const units = (dollars: number): bigint => {
    const rate = world.rateAt(coin.coin)
    const cents = BigInt(Math.round(dollars * 100)) * 10n ** BigInt(coin.decimals)
    return (cents + rate - 1n) / rate
  }
  const stage = {
    world,
    coin,
    chain,
    follower,
    look,
    credit,
    units,
    investor: (amount = 0) => world.investor(coin, amount),
    /** Dollars for an investor, in a transaction that waits for a block. */
    pay: ({ address }: Investor, dollars: number) =>
      coin.pay({ to: address, units: units(dollars) }),
    /** Reads and credits all that is deep enough. */
    settle: async () => {
      await chain.mine(chain.depth)
      await look()
      await credit()
    },
    /** Settles, and asks the judge. */
    judged: async (credits: Credits) => {
      await stage.settle()
      for (const [investor, dollars] of credits)
        expect(await world.creditsOf(investor)).toEqual(dollars)
      expect(await differences(world, chain)).toEqual([])
      await expectWhole(world.product)
    },
  }
  return stage
}
export type Stage = ReturnType<typeof openStage>

const exact: Steps = async ({ coin, investor }) => {
  const one = await investor(250)
  await coin.pay({ to: one.address, units: one.asked })
  return [[one, [250]]]
}

const lessThenRest: Steps = async ({ world, investor, pay, settle }) => {
  const one = await investor(100)
  await pay(one, 40.01)
  await settle()
  expect(await world.creditsOf(one)).toEqual([40.01])
  await pay(one, 59.99)
  return [[one, [40.01, 59.99]]]
}

const more: Steps = async ({ investor, pay }) => {
  const one = await investor(100)
  await pay(one, 160.55)
  return [[one, [160.55]]]
}

/** The rate of the payment is neither that of its request nor that of its credit. */
const late: Steps = async ({ world, coin, chain, investor, pay, look }) => {
  const one = await investor(60)
  await expireDeposits(world.product.context, 0)
  const next = (await chain.height()) + 1
  const setRate = async (change: bigint, from: number) => {
    const cents = world.rateAt(coin.coin) + change
    if (coin.coin !== 'USDC') await world.setRate(coin.coin, cents, from)
  }
  await setRate(307n, next)
  await chain.passSecond()
  await pay(one, 61.07)
  if (chain.network !== 'Bitcoin') await chain.mine()
  await look()
  await setRate(211n, next + 1)
  return [[one, [61.07]]]
}

const unannounced: Steps = async ({ investor, pay }) => {
  const one = await investor()
  await pay(one, 75.1)
  return [[one, [75.1]]]
}

const twiceInABlock: Steps = async ({ investor, pay }) => {
  const one = await investor(30)
  await pay(one, 20.02)
  await pay(one, 30)
  return [[one, [20.02, 30]]]
}

const twoInvestors: Steps = async ({ coin, investor, units }) => {
  const [first, second] = [await investor(35), await investor()]
  const part = units(35)
  await coin.pay({ to: first.address, units: part }, { to: second.address, units: part })
  return [
    [first, [35]],
    [second, [35]],
  ]
}

const twoOutputs: Steps = async ({ coin, investor, units }) => {
  const one = await investor(25)
  const sent = { to: one.address, units: units(25) }
  await coin.pay(sent, sent)
  return [[one, [25, 25]]]
}

const archived: Steps = async ({ world, investor, pay }) => {
  const one = await investor()
  await world.product.database.superuser.query(
    'UPDATE wallets SET archived_at = now() WHERE address = $1',
    [one.address],
  )
  await pay(one, 45)
  return [[one, [45]]]
}

const belowMinimum: Steps = async ({ investor, pay }) => {
  const one = await investor(20)
  await pay(one, 9.99)
  return [[one, []]]
}

const nothing: Steps = async ({ coin, investor }) => {
  const one = await investor(20)
  await coin.pay({ to: one.address, units: 0n })
  return [[one, []]]
}

const failed: Steps = async ({ coin, investor, units }) => {
  const one = await investor(20)
  await coin.payWithFailure?.({ to: one.address, units: units(20) })
  return [[one, []]]
}

const unknownToken: Steps = async ({ coin, investor, units }) => {
  const one = await investor(20)
  await coin.payUnknownToken?.({ to: one.address, units: units(20) })
  return [[one, []]]
}

/** The coins arrive. Only their balance tells so. */
const throughContract: Steps = async ({ coin, chain, investor, units }) => {
  const one = await investor(20)
  const balance = await coin.payThroughContract?.({ to: one.address, units: units(20) })
  await chain.mine()
  expect(await balance?.()).toBe(units(20))
  return [[one, []]]
}

/** Of a token that tells what was sent, and keeps a part, too much is credited. */
const withFee: Steps = async ({ coin, chain, investor, units }) => {
  const one = await investor()
  const balance = await coin.payWithFee?.({ to: one.address, units: units(100) })
  await chain.mine()
  expect(await balance?.()).toBe(units(99))
  return [[one, [coin.network === 'Ethereum' ? 99 : 100]]]
}

const coinbase: Steps = async ({ world, coin, chain, investor, settle, look, credit }) => {
  const one = await investor()
  await coin.mineTo?.(one.address)
  await settle()
  await chain.mine(98 - chain.depth)
  await look()
  await credit()
  expect(await world.creditsOf(one)).toEqual([])
  await chain.mine()
  await look()
  await credit()
  const credits = await world.creditsOf(one)
  expect(credits).toHaveLength(1)
  return [[one, credits]]
}

/** Bitcoin's is replaced in the pool. An EVM network's was in a block, which has gone. */
const replaced: Steps = async ({ coin, chain, investor, units, pay, look, credit }) => {
  const one = await investor(80)
  const first = await pay(one, 80)
  if (chain.network !== 'Bitcoin') await chain.mine()
  await look()
  await credit()
  await coin.outbid(first, { to: one.address, units: units(80) })
  await look()
  return [[one, [80]]]
}

const replacedUnseen: Steps = async ({ coin, investor, units, pay }) => {
  const one = await investor(80)
  const first = await pay(one, 80)
  await coin.outbid(first, { to: one.address, units: units(80) })
  return [[one, [80]]]
}

const doubleSpent: Steps = async ({ coin, chain, investor, pay, look, credit }) => {
  const one = await investor(80)
  const first = await pay(one, 80)
  if (chain.network !== 'Bitcoin') await chain.mine()
  await look()
  await credit()
  await coin.outbid(first)
  await look()
  return [[one, []]]
}

const vanished: Steps = async ({ chain, investor, pay, look, credit }) => {
  const one = await investor(80)
  const id = await pay(one, 80)
  await chain.mine()
  await look()
  await credit()
  await chain.vanish(id)
  await look()
  await chain.revive(id)
  return [[one, [80]]]
}

/** A stranger's transactions come first in the new blocks, so the payment's logs move. */
const reorganised =
  (depth: number): Steps =>
  async ({ world, coin, chain, investor, pay, look, credit, units }) => {
    const [one, other] = [await investor(80), await investor()]
    const id = several(coin)
      ? await coin.pay(
          { to: one.address, units: units(80) },
          { to: other.address, units: units(80) },
        )
      : await pay(one, 80)
    await chain.mine(depth)
    await look()
    await credit()
    expect(await world.creditsOf(one)).toEqual([])
    const index = await chain.logIndexOf(id)
    await chain.reorganise(depth, [id])
    if (coin.coin === 'USDC') expect(await chain.logIndexOf(id)).not.toBe(index)
    await look()
    await credit()
    return [
      [one, [80]],
      [other, several(coin) ? [80] : []],
    ]
  }

/** The product that comes back has another memory. */
const reorganisedWhileDown: Steps = async ({ world, chain, investor, pay, look }) => {
  const [kept, lost] = [await investor(80), await investor(90)]
  const id = await pay(kept, 80)
  await chain.mine(3)
  await look()
  await chain.reorganise(3, [id])
  const again = await pay(lost, 90)
  await chain.mine()
  await chain.vanish(again)
  expect(await world.openFollower().look(chain)).toBe('FINE')
  return [
    [kept, [80]],
    [lost, []],
  ]
}

/** Credited, then gone: an EVM node forgets it, and a Bitcoin node's pool has a double spend. */
const goneAfterCredit = async ({
  world,
  coin,
  chain,
  investor,
  pay,
  settle,
  look,
  credit,
}: Stage) => {
  const one = await investor(80)
  const id = await pay(one, 80)
  await settle()
  expect(await world.creditsOf(one)).toEqual([80])
  await chain.reorganise(chain.depth, [])
  if (chain.network === 'Bitcoin') await coin.outbid(id)
  await look()
  await credit()
  expect(await world.creditsOf(one)).toEqual([])
  return { one, id }
}

const takenBack: Steps = async (stage) => {
  const { one } = await goneAfterCredit(stage)
  return [[one, []]]
}

const creditedAnew: Steps = async (stage) => {
  const { one, id } = await goneAfterCredit(stage)
  await stage.chain.revive(id)
  return [[one, [80]]]
}

/** The payment is in another block at once, so nothing is taken back. */
const movedAfterCredit: Steps = async ({ world, chain, investor, pay, settle, look, credit }) => {
  const one = await investor(80)
  const id = await pay(one, 80)
  await settle()
  await chain.reorganise(chain.depth, [id])
  await look()
  await credit()
  expect(await world.creditsOf(one)).toEqual([80])
  return [[one, [80]]]
}

/** Part of the credit is at work. The rest is taken, and new coins pay what is owed. */
const spentAndTakenBack: Steps = async (stage) => {
  const { world, chain, coin, investor, pay, settle, look, credit } = stage
  const { context } = world.product
  const one = await investor(80)
  const id = await pay(one, 80)
  await settle()
  const by = { id: one.owner.id, from: 'tests' }
  await openInvestment(context, { by, amount: cents(50_00n), durationDays: 1 })
  await chain.reorganise(chain.depth, [])
  if (chain.network === 'Bitcoin') await coin.outbid(id)
  await look()
  await credit()
  expect(await context.ledger.available(one.owner.id)).toBe(0n)
  await pay(one, 50)
  await settle()
  await collectClaims(context)
  expect(await context.ledger.available(one.owner.id)).toBe(0n)
  return [[one, [50]]]
}

export const bitcoin: Only = ({ network }) => network === 'Bitcoin'
const evm: Only = ({ network }) => network !== 'Bitcoin'
export const token: Only = ({ coin }) => coin === 'USDC'
const ether: Only = ({ coin }) => coin === 'ETH'
/** An EVM network's own coin pays one receiver in a transaction. */
const several: Only = ({ coin }) => coin !== 'ETH'

export const cases: readonly Case[] = [
  ['what was asked for is credited', exact],
  ['less and then the rest are two credits', lessThenRest],
  ['more is credited in full', more],
  ['late coins count at their own rate', late],
  ['coins without a request are credited', unannounced],
  ['two payments of a block are two credits', twiceInABlock],
  ['a transaction pays two investors', twoInvestors, several],
  ['two outputs for one are two credits', twoOutputs, several],
  ['an archived address is credited', archived],
  ['less than the minimum waits for staff', belowMinimum],
  ['a transfer of nothing credits nothing', nothing],
  ['a failed transaction credits nothing', failed, evm],
  ['an unknown token credits nothing', unknownToken, token],
  ['a token with a fee counts by event', withFee, token],
  ['coins that a contract sends credit nothing', throughContract, ether],
  ['a reward is credited after 100 blocks', coinbase, bitcoin],
  ['a replaced payment is credited once', replaced],
  ['one replaced before its first look counts once', replacedUnseen],
  ['a double spend for strangers credits nothing', doubleSpent],
  ['a payment that vanished and came back counts', vanished],
  ['a reorganisation 1 deep before the credit', reorganised(1)],
  ['a reorganisation 5 deep before the credit', reorganised(5)],
  ['a reorganisation 10 deep before the credit', reorganised(10)],
  ['a reorganisation while the product is down', reorganisedWhileDown],
  ['coins that go after the credit are taken back', takenBack],
  ['coins that return are credited anew', creditedAnew, evm],
  ['a credited payment in another block stays', movedAfterCredit],
  ['a debt for spent coins is paid first', spentAndTakenBack],
]
