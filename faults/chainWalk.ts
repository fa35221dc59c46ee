/** A random walk of payments, blocks, forks and looks. */
import { expect } from 'vitest'
import { openRandom } from '../server/operator/demo/random.ts'
import { rounds } from '../server/testing/rounds.ts'
import type { Steps } from './chainCases.ts'
import { differences } from './chainJudge.ts'
import type { Investor } from './chainWorld.ts'

const SEED = Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 1e9))
const PEOPLE = 3
/** Fewer blocks than a payment needs to be credited, on every chain. */
const DEEPEST = 6

type Mined = { readonly id: string; readonly height: number }

/** Prints its seed when credits differ in the end. `FAULTS_SEED` repeats it. */
export const randomWalk: Steps = async (stage) => {
  const { world, coin, chain, follower, investor, pay, units, settle } = stage
  const random = openRandom(SEED)
  const below = (count: number): number => Math.floor(random.next() * count)
  const followers = [follower, world.openFollower()]
  const people: Investor[] = []
  for (let made = 0; made < PEOPLE; made += 1) people.push(await investor())
  const one = () => people[below(PEOPLE)] as Investor
  let waiting: string[] = []
  const outbid = new Set<string>()
  let mined: readonly Mined[] = []

  const mine = async (blocks: number): Promise<void> => {
    const height = (await chain.height()) + 1
    await chain.mine(blocks)
    mined = [...mined, ...waiting.map((id) => ({ id, height }))]
    waiting = []
  }
  /** A transaction may spend an earlier one, so those that come again are the first. */
  const fork = async (): Promise<void> => {
    await mine(1)
    // Now and then below what was credited.
    const depth = 1 + below(DEEPEST) + (below(8) === 0 ? chain.depth : 0)
    const height = (await chain.height()) - depth + 1
    const off = mined.filter((each) => each.height >= height).map(({ id }) => id)
    const kept = off.slice(0, below(off.length + 1))
    await chain.reorganise(depth, kept)
    mined = [...mined.filter((each) => each.height < height), ...kept.map((id) => ({ id, height }))]
    // The others are in the pool of a Bitcoin node again, and unknown to an EVM node.
    if (chain.network === 'Bitcoin') waiting = off.slice(kept.length)
  }
  /** Only the newest one, once: it has no children that would go with it. */
  const replace = async (): Promise<void> => {
    const id = waiting.at(-1)
    if (id === undefined || outbid.has(id)) return
    // A wallet's higher fee is good for its own height alone, and a fork may be lower.
    const isForUs = chain.network !== 'Bitcoin' && below(2) === 1
    const next = isForUs ? { to: one().address, units: units(10 + below(100)) } : undefined
    const made = await coin.outbid(id, next)
    outbid.add(made)
    waiting = [...waiting.slice(0, -1), made]
  }
  const look = () => Promise.all(followers.map((each) => each.look(chain)))
  const acts: readonly (() => Promise<unknown>)[] = [
    async () => waiting.push(await pay(one(), 10 + below(30_000) / 100)),
    async () => waiting.push(await pay(one(), 10 + below(30_000) / 100)),
    async () => world.ask(one().owner, coin, 10 + below(300)),
    replace,
    () => mine(1 + below(4)),
    () => mine(1 + below(4)),
    fork,
    look,
    look,
    () => follower.credit(chain),
  ]
  await chain.mine(DEEPEST + chain.depth + 1)
  for (let step = 0; step < rounds({ full: 120, short: 40 }); step += 1)
    await acts[below(acts.length)]?.()
  await pay(one(), 50)
  await settle()
  expect([SEED, await differences(world, chain)]).toEqual([SEED, []])
  const credits = await Promise.all(people.map(world.creditsOf))
  expect([SEED, credits.flat().length > 0]).toEqual([SEED, true])
  return []
}
