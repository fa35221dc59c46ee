/** Answers in the right form that are too short. Each comes for a look, and then the truth. */
import { expect } from 'vitest'
import { bitcoin, type Case, type Only, type Steps, token } from './chainCases.ts'
import type { NodeRequest, Way } from './playChain.ts'

type Cut = (result: unknown, asked: NodeRequest) => unknown

/** Cuts the results of some methods, also within a batch. */
const cutting = (cuts: Readonly<Partial<Record<string, Cut>>>): Way => {
  const cutOne = (asked: NodeRequest, answer: { result?: unknown }) => {
    const cut = cuts[asked.method ?? '']
    return cut && answer.result !== undefined
      ? { ...answer, result: cut(answer.result, asked) }
      : answer
  }
  return async (asked, forward) => {
    const answer = JSON.parse(await forward())
    if (!Array.isArray(asked)) return JSON.stringify(cutOne(asked, answer))
    return JSON.stringify(answer.map((each: object, at: number) => cutOne(asked[at], each)))
  }
}

/** A payment is final while its answers are cut. It is told, and credited once they are whole. */
const short =
  (state: string, cuts: Readonly<Partial<Record<string, Cut>>>): Steps =>
  async ({ world, chain, investor, pay, look, credit }) => {
    const [before, one] = [await investor(40), await investor(50)]
    await pay(before, 40)
    await chain.mine(chain.depth)
    await look()
    await credit()
    await pay(one, 50)
    await chain.mine(chain.depth)
    chain.door.set(cutting(cuts))
    await look(state)
    await credit()
    expect(await world.creditsOf(before)).toEqual([40])
    expect(await world.creditsOf(one)).toEqual([])
    chain.door.clear()
    return [
      [before, [40]],
      [one, [50]],
    ]
  }

/** A payment waits in the pool, and the node forgets it for one look. */
const forgotten: Steps = async ({ chain, investor, pay, look, credit }) => {
  const one = await investor(50)
  await pay(one, 50)
  await look()
  const gone = () => null
  chain.door.set(
    cutting({
      getrawmempool: () => [],
      getrawtransaction: gone,
      eth_getTransactionByHash: gone,
      eth_getTransactionReceipt: gone,
    }),
  )
  await look('(FINE|AWAY|LYING)')
  await credit()
  chain.door.clear()
  await look()
  return [[one, [50]]]
}

const none: Cut = () => []
const nothing: Cut = () => null
const without =
  (part: string): Cut =>
  (result) =>
    result === null ? null : { ...(result as object), [part]: [] }
/** Blocks with transactions, and headers as they are. */
const bodiless: Cut = (result, { params }) =>
  params?.[1] === true ? without('transactions')(result, {}) : result
const withoutLogs: Cut = (result) =>
  Array.isArray(result)
    ? result.map((each) => ({ ...each, logs: [] }))
    : { ...(result as object), logs: [] }

const ether: Only = ({ coin }) => coin === 'ETH'

export const shortAnswers: readonly Case[] = [
  ['an empty list of logs loses no deposit', short('LYING', { eth_getLogs: none }), token],
  [
    'receipts without logs prove no emptiness',
    short('LYING', { eth_getLogs: none, eth_getBlockReceipts: withoutLogs }),
    token,
  ],
  [
    'missing receipts prove no emptiness',
    short('AWAY', { eth_getLogs: none, eth_getBlockReceipts: none }),
    token,
  ],
  [
    'a block without its transactions loses none',
    short('LYING', { eth_getBlockByNumber: bodiless }),
    ether,
  ],
  ['a null receipt loses no deposit', short('AWAY', { eth_getTransactionReceipt: nothing }), token],
  [
    'a null block is not skipped',
    short('(AWAY|BEHIND)', {
      eth_getBlockByNumber: (result, { params }) => (params?.[1] === true ? null : result),
    }),
    token,
  ],
  [
    'a block with a part of its transactions loses none',
    short('LYING', {
      getblock: (result) => ({
        ...(result as object),
        tx: (result as { tx: unknown[] }).tx.slice(0, 1),
      }),
    }),
    bitcoin,
  ],
  ['a payment forgotten for a look is credited', forgotten, bitcoin],
]
