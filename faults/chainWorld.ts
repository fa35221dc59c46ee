/** A product that follows play chains, and its people. Every step of its jobs is a call. */

import type { Coin } from '@pool/contract/base/assets'
import { networks } from '@pool/contract/base/networks'
import { cancel, deposit } from '@pool/contract/requests/requests'
import { expect } from 'vitest'
import { readConfig } from '../server/base/configuration/config.ts'
import { openLog } from '../server/base/process/log.ts'
import { nodeJobs } from '../server/chain/nodes/jobs.ts'
import { insertSetRate } from '../server/chain/rates/rates.ts'
import { addWallet } from '../server/chain/wallets/addWallet.ts'
import { payoutJobs } from '../server/coins/payouts/jobs.ts'
import { openLedger } from '../server/ledger/engine/ledger.ts'
import { transactionJobs } from '../server/requests/transactions/jobs.ts'
import { newAddress } from '../server/testing/addresses.ts'
import { chainsFile } from '../server/testing/playNode.ts'
import { type Person, person, startProduct } from '../server/testing/product.ts'
import type { PlayChain, PlayCoin } from './playChain.ts'

/** Cents that leave parts of a cent. USDC counts as it is. */
const RATES: readonly (readonly [Coin, bigint])[] = [
  ['ETH', 2_000_03n],
  ['BTC', 17_77n],
]

export type Investor = {
  readonly owner: Person
  readonly coin: PlayCoin
  readonly address: string
  /** Its deposit. */
  readonly id: string
  /** The units of its request. 0 without one. */
  readonly asked: bigint
}

/** Cents for one coin, from a block on. */
type Rate = { readonly from: number; readonly cents: bigint }

export type World = Awaited<ReturnType<typeof startWorld>>

export const startWorld = async (chains: readonly PlayChain[]) => {
  const environment = {
    CHAINS: chainsFile(Object.fromEntries(chains.map(({ network, entry }) => [network, entry]))),
    AUTO_CONFIRM_UP_TO: '1000',
    SECOND_APPROVAL_ABOVE: '10000000',
    POOL_SECOND_APPROVAL_ABOVE: '1000000000',
    RATE_LIMITS: 'off',
  }
  const product = await startProduct(environment)
  const { database } = product
  const staff = await person(product, ['ADMIN'])
  const by = { id: staff.id, name: 'tests', from: 'tests' }
  const people: Investor[] = []
  const rates = new Map<string, Rate[]>()

  /** Sets the cents that a coin counts as, in the blocks from a height on. */
  const setRate = async (coin: Coin, cents: bigint, from: number): Promise<void> => {
    const dollars = `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
    const setting = { coin, dollars, setBy: staff.id, by }
    await insertSetRate(product.context.db, product.context.keys, setting)
    rates.set(coin, [...(rates.get(coin) ?? []), { from, cents }])
  }
  for (const [coin, cents] of RATES) await setRate(coin, cents, 0)

  /** Cents of a coin in a block. */
  const rateAt = (coin: string, height = Number.POSITIVE_INFINITY): bigint =>
    rates.get(coin)?.findLast(({ from }) => from <= height)?.cents ?? 100n

  /** Asks for the address, and for what to send to it. */
  const ask = async ({ id: userId, token }: Person, { coin, chain }: PlayCoin, amount: number) => {
    const payload = { userId, amount, networkName: chain.network, coin }
    return (await product.call(deposit, { token, payload })).body
  }
  /** An investor with an address, and a waiting deposit unless the amount is 0. */
  const investor = async (coin: PlayCoin, amount: number): Promise<Investor> => {
    const wallet = { address: newAddress(coin.network), networkName: coin.network }
    await addWallet(product.context, wallet, { name: 'tests', from: 'tests' })
    const owner = await person(product)
    const { token } = owner
    const { transactionId: id, address, quote } = await ask(owner, coin, amount || 10)
    expect(address).toBe(wallet.address)
    if (amount === 0) await product.call(cancel, { token, params: { id }, payload: {} })
    const asked = amount === 0 ? 0n : BigInt(quote?.units ?? 0)
    const made = { owner, coin, address, id, asked }
    people.push(made)
    return made
  }

  /** The dollars of each credit of a person, from the smallest on. */
  const creditsOf = async ({ owner }: Investor): Promise<number[]> => {
    const { rows } = await database.superuser.query(
      `SELECT amount::int / 100.0 AS dollars FROM transactions
       WHERE user_id = $1 AND type = 'deposit' AND status = 'APPROVED' ORDER BY amount`,
      [owner.id],
    )
    return rows.map(({ dollars }) => Number(dollars))
  }

  return {
    product,
    staff: by,
    people,
    setRate,
    rateAt,
    ask,
    investor,
    creditsOf,
    openFollower: () => openFollower(product, environment),
    close: product.close,
  }
}

export type Follower = ReturnType<typeof openFollower>

/** A node of the product on the same database, with settings and a memory of its own. */
const openFollower = (
  { context, database }: Awaited<ReturnType<typeof startProduct>>,
  environment: Record<string, string>,
) => {
  const own = { ...context, config: readConfig(environment), ledger: openLedger(database.pool) }
  const process = {
    log: openLog('silent'),
    stopping: new AbortController().signal,
    session: () => database.locks.connect(),
    leaveUndone: () => undefined,
  }
  const idOf = ({ network }: PlayChain) =>
    networks.find(({ name }) => name === network)?.words[0] ?? ''
  const jobNamed = (name: string) => {
    const job = [...nodeJobs, ...transactionJobs, ...payoutJobs].find((each) => each.name === name)
    if (!job) throw new Error(`There is no job ${name}`)
    return job
  }
  return {
    context: own,
    /** Looks at the node once, and resolves with its state and the words of a fault. */
    look: async (chain: PlayChain): Promise<string> => {
      await jobNamed(`chain-${idOf(chain)}`).run(own, process)
      const { rows } = await database.superuser.query(
        "SELECT concat_ws(': ', state, nullif(words, '')) AS state FROM chains WHERE network_name = $1",
        [chain.network],
      )
      return rows[0]?.state
    },
    credit: (chain: PlayChain): Promise<void> =>
      jobNamed(`credit-${idOf(chain)}`).run(own, process),
    payOut: (chain: PlayChain): Promise<void> =>
      jobNamed(`payouts-${idOf(chain)}`).run(own, process),
  }
}
