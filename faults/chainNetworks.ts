/** The networks of the cases: a node and a product for each. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasAnvil } from '../server/testing/anvil.ts'
import { hasLitecoind } from '../server/testing/litecoind.ts'
import { FULL } from '../server/testing/rounds.ts'
import { type Case, openStage } from './chainCases.ts'
import { startWorld } from './chainWorld.ts'
import { startBitcoin } from './playBitcoin.ts'
import type { CoinKind, PlayChain, PlayCoin } from './playChain.ts'
import { startEvm } from './playEvm.ts'

type Kind = CoinKind & { readonly title: string }
type PlayNetwork = {
  readonly name: string
  readonly canRun: boolean
  readonly start: () => Promise<{ chain: PlayChain; coins: readonly PlayCoin[] }>
  readonly kinds: readonly Kind[]
}

export const playNetworks: readonly PlayNetwork[] = [
  {
    name: 'Ethereum',
    canRun: hasAnvil,
    start: () => startEvm('Ethereum', 6, 'came'),
    kinds: [
      { network: 'Ethereum', coin: 'ETH', title: 'ETH' },
      { network: 'Ethereum', coin: 'USDC', title: 'USDC of 6 decimals' },
    ],
  },
  {
    name: 'Binance Smart Chain',
    canRun: hasAnvil,
    start: () => startEvm('Binance Smart Chain', 18, 'sent'),
    kinds: [{ network: 'Binance Smart Chain', coin: 'USDC', title: 'USDC of 18 decimals' }],
  },
  {
    name: 'Bitcoin',
    canRun: hasLitecoind,
    start: startBitcoin,
    kinds: [{ network: 'Bitcoin', coin: 'BTC', title: 'BTC' }],
  },
]

const kinds = playNetworks.flatMap((each) => each.kinds)

/** A short run has each case for one coin, another one from case to case. */
export const isChosen = (kind: Kind, at: number, only: Case['2']): boolean => {
  const fitting = kinds.filter((each) => !only || only(each))
  return fitting.includes(kind) && (FULL || fitting[at % fitting.length] === kind)
}

/** Runs cases for each of their coins, and asks the judge after each. */
export const runCases = (cases: readonly Case[]): void => {
  for (const network of playNetworks)
    describe.skipIf(!network.canRun)(`coins on ${network.name}`, () => {
      let started: Awaited<ReturnType<typeof startNetwork>>
      beforeAll(async () => {
        started = await startNetwork(network)
      })
      afterAll(() => started?.close())

      for (const kind of network.kinds)
        for (const [at, [name, steps, only]] of cases.entries())
          if (isChosen(kind, at, only))
            test(`${name}, in ${kind.title}`, async () => {
              const stage = started.stageOf(kind.coin)
              await stage.judged(await steps(stage))
            })
    })
}

/** Starts the node, and a product that follows it, for all coins of a network. */
export const startNetwork = async ({ start }: PlayNetwork) => {
  const { chain, coins } = await start()
  const world = await startWorld([chain])
  const follower = world.openFollower()
  expect(await follower.look(chain)).toBe('FINE')
  const stages = coins.map((coin) => openStage(world, follower, coin))
  return {
    stageOf: (wanted: string) => {
      const stage = stages.find(({ coin }) => coin.coin === wanted)
      if (!stage) throw new Error(`There is no ${wanted}`)
      return stage
    },
    close: () => Promise.all([world.close(), chain.stop()]),
  }
}
