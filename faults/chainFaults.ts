/** Faults of nodes and of the product while coins arrive. */
import { expect, vi } from 'vitest'
import { LOCKS } from '../server/base/locks.ts'
import { openNode } from '../server/chain/nodes/open.ts'
import { creditPayments } from '../server/requests/transactions/creditPayments.ts'
import { bitcoin, type Case, type Only, type Stage, type Steps, token } from './chainCases.ts'
import { randomWalk } from './chainWalk.ts'
import type { Follower } from './chainWorld.ts'
import type { NodeRequest, Way } from './playChain.ts'

/** A node with two coins has its faults once. */
const onceANode: Only = ({ coin }) => coin !== 'ETH'

const WAIT = { timeout: 60_000, interval: 50 }

type Strike = { readonly way: Way; readonly stop?: () => Promise<void> }

/** Strikes before a look, and again between a look and its credit. */
const struck =
  (state: string, strike: (stage: Stage) => Promise<Strike>): Steps =>
  async (stage) => {
    const { world, chain, investor, pay, look, credit } = stage
    const one = await investor(50)
    await pay(one, 50)
    await chain.mine(chain.depth)
    const { way, stop } = await strike(stage)
    chain.door.set(way)
    await look(state)
    await credit()
    chain.door.clear()
    await look()
    chain.door.set(way)
    await credit()
    chain.door.clear()
    await stop?.()
    expect(await world.creditsOf(one)).toEqual([])
    return [[one, [50]]]
  }

const away = struck('AWAY', async () => ({ way: async () => undefined }))

const half = struck('LYING', async () => ({
  way: async (_, forward) => {
    const text = await forward()
    return text.slice(0, text.length / 2)
  },
}))

/** The answer of one method, changed. */
const changing =
  (method: string, change: (result: unknown) => unknown): Way =>
  async (asked, forward) => {
    const text = await forward()
    if (asked.method !== method) return text
    const answer = JSON.parse(text) as { result: unknown }
    return JSON.stringify({ ...answer, result: change(answer.result) })
  }

const behind = struck('BEHIND', async ({ chain }) => ({
  way:
    chain.network === 'Bitcoin'
      ? changing('getblockchaininfo', (info) => ({ ...(info as object), headers: 1_000_000 }))
      : changing('eth_syncing', () => ({ currentBlock: '0x1', highestBlock: '0xffff' })),
}))

/** Only its blocks tell the two apart. */
const onAnotherChain = struck('LYING', async ({ chain }) => {
  const other = await chain.other()
  return { way: (_, forward) => forward(other), stop: other.stop }
})

const stuck: Steps = async ({ world, chain, investor, pay, look, credit }) => {
  const one = await investor(50)
  await pay(one, 50)
  await chain.mine(chain.depth)
  await look()
  await world.product.database.superuser.query(
    `UPDATE chains SET height_since = now() - interval '2 days' WHERE network_name = $1`,
    [chain.network],
  )
  await look('STUCK')
  await credit()
  expect(await world.creditsOf(one)).toEqual([])
  return [[one, [50]]]
}

/** A payment that only the killed node's pool had is gone, until it is sent again. */
const killed: Steps = async ({ coin, chain, investor, pay, look }) => {
  const [mined, pooled] = [await investor(50), await investor(60)]
  await pay(mined, 50)
  await chain.mine()
  const id = await pay(pooled, 60)
  await look()
  await coin.killNode?.(() => look('AWAY'))
  await look()
  await chain.revive(id)
  return [
    [mined, [50]],
    [pooled, [60]],
  ]
}

/** The payment is final where it was read. The other fork does not have it. */
const anotherFork: Steps = async ({ world, chain, investor, pay, look, credit }) => {
  const fork = await chain.fork()
  const one = await investor(50)
  await pay(one, 50)
  await chain.mine(chain.depth)
  await look()
  await fork.mine(chain.depth + 3)
  chain.door.set((_, forward) => forward(fork))
  await credit()
  await look()
  await credit()
  expect(await world.creditsOf(one)).toEqual([])
  chain.door.clear()
  await fork.stop()
  await chain.mine(5)
  await look()
  return [[one, [50]]]
}

/** The node comes back without the blocks of a credited payment, and then with others, not more. */
const olderFiles: Steps = async ({ world, chain, investor, pay, settle, look, credit }) => {
  const older = await chain.fork()
  const one = await investor(50)
  await pay(one, 50)
  await settle()
  const isBehind = async () => {
    await look('BEHIND')
    await credit()
    expect(await world.creditsOf(one)).toEqual([50])
  }
  chain.door.set((_, forward) => forward(older))
  await isBehind()
  await older.mine(2)
  await isBehind()
  chain.door.clear()
  await older.stop()
  await look()
  return [[one, [50]]]
}

/**
 * Calls are answered by two forks in turn. Both have the first payment, in other blocks. The second
 * is on one, and not deep.
 */
const forksInTurn: Steps = async ({ chain, follower, investor, pay }) => {
  const fork = await chain.fork()
  const [both, one] = [await investor(50), await investor(60)]
  const first = await pay(both, 50)
  await chain.mine(3)
  const second = await pay(one, 60)
  await chain.mine()
  await chain.vanish(second)
  await fork.mine(2)
  await fork.mine(1, [first])
  await fork.mine(1, [second])
  let calls = 0
  chain.door.set((_, forward) => {
    calls += 1
    return calls % 3 === 0 ? forward(fork) : forward()
  })
  for (let looks = 0; looks < 8; looks += 1) {
    await follower.look(chain)
    await follower.credit(chain)
    await chain.mine(3)
    await fork.mine(1)
  }
  chain.door.clear()
  await fork.stop()
  return [
    [both, [50]],
    [one, []],
  ]
}

const creditBy = async ({ context }: Follower, network: string): Promise<void> => {
  const settings = context.config.chains.find((each) => each.network === network)
  if (!settings) throw new Error(`There is no node of ${network}`)
  await creditPayments(context, { settings, node: openNode(settings) })
}

/** Both processes credit, and the lock lets one of them follow. */
const twoFollowers: Steps = async ({ world, chain, follower, investor, pay }) => {
  const one = await investor(50)
  const nodes = [follower, world.openFollower()]
  const paid: string[] = []
  for (let round = 1; round <= 6; round += 1) {
    paid.push(await pay(one, 50 + round))
    await chain.mine()
    await Promise.all(nodes.map(({ look }) => look(chain)))
    if (round % 2 === 0) await chain.reorganise(2, paid.slice(-2))
    await Promise.all(nodes.map(({ look }) => look(chain)))
    await Promise.all(nodes.map((each) => creditBy(each, chain.network)))
  }
  await chain.mine(chain.depth)
  await Promise.all(nodes.map(({ look }) => look(chain)))
  await Promise.all(nodes.map((each) => creditBy(each, chain.network)))
  return [[one, [51, 52, 53, 54, 55, 56]]]
}

const isOfBlock = ({ method, params }: NodeRequest): boolean =>
  method === 'getblock' || (method === 'eth_getBlockByNumber' && params?.[1] === true)

const HOLDERS = `FROM pg_locks WHERE locktype = 'advisory' AND classid = ${LOCKS.followers} AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

/** The lock's session ends while its node is answering. `meanwhile` comes before the answer. */
const lockLost =
  (meanwhile: (stage: Stage, id: string, takeOver: () => Promise<void>) => Promise<void>): Steps =>
  async (stage) => {
    const { world, chain, follower, investor, pay, look } = stage
    const { superuser } = world.product.database
    const blocks = async () =>
      (
        await superuser.query(
          'SELECT height::int, hash FROM chain_blocks WHERE network_name = $1 ORDER BY height',
          [chain.network],
        )
      ).rows
    const next = world.openFollower()
    const takeOver = () =>
      vi.waitFor(async () => {
        await next.look(chain)
        expect((await blocks()).at(-1)?.height).toBe(await chain.height())
      }, WAIT)
    const one = await investor(50)
    await look()
    const id = await pay(one, 50)
    await chain.mine(2)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const { promise: held, resolve: hold } = Promise.withResolvers<void>()
    let isFirst = true
    chain.door.set(async (asked, forward) => {
      const text = await forward()
      if (!isFirst || !isOfBlock(asked)) return text
      isFirst = false
      hold()
      await released
      return text
    })
    const cut = expect(follower.look(chain)).rejects.toThrow()
    await held
    const { rowCount } = await superuser.query(`SELECT pg_terminate_backend(pid) ${HOLDERS}`)
    expect(rowCount).toBe(1)
    await meanwhile(stage, id, takeOver)
    const before = await blocks()
    release()
    await cut
    expect(await blocks()).toEqual(before)
    chain.door.clear()
    await takeOver()
    for (const { height, hash } of (await blocks()).slice(-20))
      expect(hash).toBe(await chain.hashAt(height))
    return [[one, [50]]]
  }

const lockLostAlone = lockLost(async () => undefined)
const lockTakenOver = lockLost(async ({ chain }, id, takeOver) => {
  await chain.reorganise(2, [id])
  await takeOver()
})

export const nodeFaults: readonly Case[] = [
  ['a node that is away credits nothing', away, onceANode],
  ['half of an answer credits nothing', half, onceANode],
  ['a node that is behind credits nothing', behind, onceANode],
  ['a node that is stuck credits nothing', stuck, onceANode],
  ['a node on older files takes nothing back', olderFiles, bitcoin],
  ['a node on older files takes nothing back', olderFiles, token],
  ['a node on another chain credits nothing', onAnotherChain, onceANode],
  ['a killed node finds its payments again', killed, bitcoin],
  ['answers of another fork credit nothing', anotherFork, onceANode],
  ['answers of two forks in turn count once', forksInTurn, onceANode],
  ['two nodes of the product credit once', twoFollowers, onceANode],
  ['a follower without its lock writes nothing', lockLostAlone, onceANode],
  ['credits after a random walk are exact', randomWalk],
  ['a lost lock is taken over at once', lockTakenOver, onceANode],
]
