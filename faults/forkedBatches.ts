/** A batch of Bitcoin is made while its node stands behind, or is changed for one on a fork. */
import { expect } from 'vitest'
import { insertKey } from '../server/chain/wallets/addressKeys.ts'
import { deriveWallets } from '../server/chain/wallets/deriveWallets.ts'
import { giveUpBatch } from '../server/coins/batches/giveUpBatch.ts'
import { makeBatch } from '../server/coins/batches/makeBatch.ts'
import { takeFile } from '../server/coins/batches/queries.ts'
import { newAddress } from '../server/testing/addresses.ts'
import { playAccount, signPsbt } from '../server/testing/coinsOut.ts'
import { asItsOwn } from '../server/testing/litecoind.ts'
import { askAt } from '../server/testing/playNode.ts'
import type { Payouts, Steps } from './chainPayouts.ts'
import type { Target } from './playChain.ts'

/** Puts a play key in force, whose first addresses are wallets of the pool. */
const playKey = async ({ stage: { world } }: Payouts) => {
  const { context } = world.product
  const play = playAccount()
  const added = { text: play.text, fingerprint: play.fingerprint, addedBy: world.staff.id }
  await context.db
    .transaction()
    .execute((transaction) =>
      insertKey(transaction, context.keys, { network: 'Bitcoin', ...added, by: world.staff }),
    )
  await deriveWallets(context)
  return play
}

/** The calls of a batch for one withdrawal, whose file is signed outside. */
const batching = ({ stage, query }: Payouts, id: string) => {
  const { context } = stage.world.product
  const by = stage.world.staff
  return {
    make: () =>
      makeBatch(context, {
        by,
        asked: {
          kind: 'PAYOUT',
          networkName: 'Bitcoin',
          coin: 'BTC',
          withdrawalIds: [id],
          loanIds: [],
          feeRate: 5,
        },
      }),
    giveUp: (batch: string) =>
      giveUpBatch(context, { id: batch, reason: 'The node is on another fork', by }),
    fileOf: async (batch: string) => (await takeFile(context, { id: batch, by })).text,
    inputsOf: async (batch: string): Promise<string[]> =>
      (
        await query('SELECT input FROM batch_inputs WHERE batch_id = $1 ORDER BY input', [batch])
      ).map(({ input }) => input),
    batches: async () => (await query('SELECT id FROM batches')).length,
  }
}

/** Lets so many calls reach the node, and the later ones another one. */
const swapAfter = ({ stage: { chain } }: Payouts, calls: number, to: Target | undefined) => {
  let asked = 0
  chain.door.set((_, forward) => {
    asked += 1
    return forward(to !== undefined && asked > calls ? to : undefined)
  })
  return () => asked
}

const impossible = { details: { problem: 'nodeNotFine' } }

/**
 * The node is behind, on a fork, and changed for the fork's after each call of making. None makes a
 * batch. One that was made on a fork pays once on each, also by old files.
 */
export const madeBetweenForks: Steps = async (payouts) => {
  // Long: one story of three batches on two forks, in the order of blocks.
  const { stage, due, settle, query, all, ours } = payouts
  const { chain, coin, units, look } = stage
  const { root, key } = await playKey(payouts)
  await coin.pay({ to: key.addressAt(0), units: units(60) })
  await settle()
  const { id, to } = await due(40)
  const { make, giveUp, fileOf, inputsOf, batches } = batching(payouts, id)
  const fork = await chain.fork()
  // This coin is on one fork alone, and the larger one, so a selection takes it.
  const funding = await coin.pay({ to: key.addressAt(1), units: units(90) })
  await settle()
  chain.door.set((_, forward) => forward(fork))
  await expect(make()).rejects.toMatchObject(impossible)
  await fork.mine(chain.depth * 2)
  await expect(make()).rejects.toMatchObject(impossible)

  const before = await batches()
  const calls = swapAfter(payouts, 0, undefined)
  const first = await make()
  const needed = calls()
  expect(await inputsOf(first.id)).toEqual([expect.stringContaining(funding)])
  const unsigned = await fileOf(first.id)
  const [paid] = await query('SELECT units FROM batch_payouts WHERE batch_id = $1', [first.id])
  chain.door.clear()
  await giveUp(first.id)
  expect(needed).toBeGreaterThan(4)
  for (let reached = 0; reached < needed; reached += 1) {
    swapAfter(payouts, reached, fork)
    await expect(make()).rejects.toMatchObject(impossible)
  }
  chain.door.clear()
  expect(await batches()).toBe(before + 1)

  // Again on the first fork: it excludes the file that was given up.
  const second = await make()
  expect(await inputsOf(second.id)).toEqual(await inputsOf(first.id))
  const signed = signPsbt(root, await fileOf(second.id))

  // The other fork wins, since it is longer. Its node knows nothing of the coin.
  const onFork = askAt(fork.url, fork.credentials?.())
  const ahead = async () => (await chain.height()) - (await onFork<number>('getblockcount'))
  await fork.mine(Math.max(1, (await ahead()) + 1))
  chain.door.set((_, forward) => forward(fork))
  await look()
  await expect(giveUp(second.id)).rejects.toMatchObject({ code: 'batchOnChain' })
  await expect(make()).rejects.toMatchObject({ details: { problem: 'empty' } })
  await fork.mine(1, [funding])
  await fork.mine(chain.depth)
  await look()
  await giveUp(second.id)
  const third = await make()
  expect(await inputsOf(third.id)).toEqual(await inputsOf(first.id))
  const thirdSigned = signPsbt(root, await fileOf(third.id))
  await onFork('sendrawtransaction', thirdSigned)
  for (const old of [signed, signPsbt(root, unsigned)])
    await expect(onFork('sendrawtransaction', old)).rejects.toThrow()
  await onFork('generateblock', asItsOwn(newAddress()), [thirdSigned])
  await fork.mine(chain.depth)
  await look()
  await stage.follower.payOut(chain)
  expect(await query('SELECT status FROM transactions WHERE id = $1', [id])).toEqual([
    { status: 'COMPLETED' },
  ])
  // Its node has the coin's one spend.
  const [input = ''] = await inputsOf(third.id)
  const [funded = '', place] = input.split(':')
  expect(await onFork('gettxout', funded, Number(place))).toBeNull()

  // The first fork comes back, and there an old file is sent. Each chain pays once.
  chain.door.clear()
  await chain.mine(Math.max(1, 1 - (await ahead())))
  await look()
  const back = await askAt(chain.door.url)<string>('sendrawtransaction', signed)
  await chain.mine(chain.depth)
  await look()
  await stage.follower.payOut(chain)
  const outputs = await chain.confirmed([to])
  expect(outputs).toMatchObject([
    { key: expect.stringContaining(back), units: BigInt(paid?.units) },
  ])
  const told = await query(
    'SELECT DISTINCT kind FROM payout_alarms WHERE ended_at IS NULL AND batch_id = ANY ($1) ORDER BY kind',
    [[first.id, second.id, third.id]],
  )
  expect(told).toEqual([])
  await fork.stop()
  await ours.pay(...all)
  return []
}
