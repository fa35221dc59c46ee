import { dollarsFromCents } from '@pool/contract/base/money'
import { deposit } from '@pool/contract/requests/requests'
import type { Address } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SolanaSettings } from '../../base/configuration/chainsFile.ts'
import { creditPayments } from '../../requests/transactions/creditPayments.ts'
import { newAddress } from '../../testing/addresses.ts'
import { chainsFile } from '../../testing/playNode.ts'
import { type Person, type Product, person, startProduct } from '../../testing/product.ts'
import { type PlaySolana, startSolana } from '../../testing/solanaServer.ts'
import { hasSvm } from '../../testing/solanaSvm.ts'
import { type PlayMint, playMint } from '../../testing/solanaTokens.ts'
import { addWallet } from '../wallets/addWallet.ts'
import type { Node } from './node.ts'
import { openNode } from './open.ts'
import { listPayments } from './queries.ts'
import { requireNodes } from './requireNodes.ts'
import { pollNode } from './states.ts'

describe.skipIf(!hasSvm)('on Solana', () => {
  let solana: PlaySolana
  let usdc: PlayMint
  let product: Product
  let settings: SolanaSettings
  let node: Node
  beforeAll(async () => {
    solana = await startSolana()
    usdc = await playMint(solana, 6)
    const { url, genesis } = solana
    const tokens = [{ symbol: 'USDC', mint: usdc.mint, decimals: 6 }]
    const CHAINS = chainsFile({ Solana: { kind: 'solana', url, genesis, tokens } })
    product = await startProduct({ CHAINS, AUTO_CONFIRM_UP_TO: '1000' })
    settings = product.context.config.chains[0] as SolanaSettings
    node = openNode(settings)
  })
  afterAll(() => product?.close())
  beforeEach(async () => {
    await product.database.superuser.query(
      'DELETE FROM payments; DELETE FROM chain_blocks; DELETE FROM chains',
    )
    solana.produce()
    expect(await look()).toMatchObject({ state: 'FINE' })
  })

  const look = (by: Partial<Node> = {}) => {
    const { config: pricing, db, keys } = product.context
    return pollNode(db, { settings, node: { ...node, ...by }, pricing, keys, receivers: new Map() })
  }
  const credit = () => creditPayments(product.context, { settings, node })
  const cursor = async (): Promise<number> =>
    (await product.database.superuser.query('SELECT max(height)::int AS height FROM chain_blocks'))
      .rows[0].height
  const payments = async () =>
    (
      await product.database.superuser.query(
        'SELECT address, asset, units::int, state, height::int FROM payments ORDER BY height, units',
      )
    ).rows
  const available = async ({ id }: Person) =>
    dollarsFromCents(await product.context.ledger.available(id))
  /** An investor who waits for $250, and the address of the deposit. */
  const investor = async () => {
    const networkName = 'Solana'
    await addWallet(
      product.context,
      { address: newAddress(networkName), networkName },
      { name: 'tests', from: 'tests' },
    )
    const owner = await person(product)
    const { id: userId, token } = owner
    const { body } = await product.call(deposit, {
      token,
      payload: { userId, amount: 250, networkName },
    })
    return { owner, address: body.address }
  }
  const coins = (to: string, amount: bigint) =>
    getTransferSolInstruction({ source: solana.ledger.payer, destination: to as Address, amount })

  test('one transaction pays and credits two investors', async () => {
    const [first, second] = [await investor(), await investor()]
    const id = await solana.send({
      instructions: [
        ...(await usdc.instructionsTo(first.address, 250_000_000n)),
        ...(await usdc.instructionsTo(second.address, 40_000_000n)),
        coins(second.address, 3_000_000n),
      ],
    })
    solana.confirm()
    await look()
    expect(await payments()).toEqual([])
    solana.produce()
    await look()
    const height = await cursor()
    const rest = { state: 'CONFIRMED', height: height - 1 }
    expect(await payments()).toEqual([
      { address: second.address, asset: 'SOL', units: 3_000_000, ...rest },
      { address: second.address, asset: 'USDC', units: 40_000_000, ...rest },
      { address: first.address, asset: 'USDC', units: 250_000_000, ...rest },
    ])
    const listed = await listPayments(product.context)
    expect(listed.map(({ evidence, needed }) => [evidence.replace(/:\d+$/, ''), needed])).toEqual(
      Array(3).fill([id, null]),
    )
    expect(await credit()).toEqual({ opened: 0, credited: 2 })
    expect([await available(first.owner), await available(second.owner)]).toEqual([250, 40])
    await look()
    expect(await credit()).toEqual({ opened: 0, credited: 0 })
  })

  test('a row that the node does not confirm credits nothing', async () => {
    const { owner, address } = await investor()
    await usdc.send(address, 250_000_000n)
    solana.produce()
    await look()
    const raise = (by: number) =>
      product.database.superuser.query('UPDATE payments SET units = units + $1', [by])
    await raise(1_000_000)
    expect(await credit()).toEqual({ opened: 0, credited: 0 })
    expect(await available(owner)).toBe(0)
    await raise(-1_000_000)
    expect(await credit()).toEqual({ opened: 0, credited: 1 })
  })

  test('skipped slots are passed, and nothing is lost', async () => {
    const { address } = await investor()
    const began = await cursor()
    await usdc.send(address, 1n)
    solana.skip()
    solana.produce()
    // More than are read at once.
    solana.skip(21, true)
    await usdc.send(address, 2n)
    solana.produce(3)
    solana.skip(9)
    await look()
    expect(await cursor()).toBe(solana.newest())
    expect(await payments()).toMatchObject([
      { units: 1, height: began + 2, state: 'CONFIRMED' },
      { units: 2, height: began + 24, state: 'CONFIRMED' },
    ])
    await usdc.send(address, 3n)
    solana.produce()
    await look()
    expect((await payments()).map(({ units }) => units)).toEqual([1, 2, 3])
  })

  test('reading begins above a skipped slot', async () => {
    const { address } = await investor()
    await product.database.superuser.query('DELETE FROM chain_blocks')
    solana.skip(2)
    await usdc.send(address, 5n)
    solana.produce()
    expect(await look()).toMatchObject({ state: 'FINE' })
    expect(await payments()).toMatchObject([{ units: 5, height: solana.newest() }])
  })

  test('a version that is too new stops reading there', async () => {
    const [before, after] = [await investor(), await investor()]
    await usdc.send(before.address, 250_000_000n)
    solana.produce()
    const last = solana.newest()
    await solana.send({ instructions: [coins(newAddress('Solana'), 3_000_000n)] }, 2)
    solana.produce()
    await usdc.send(after.address, 250_000_000n)
    solana.produce()
    await look()
    for (const _ of [1, 2]) {
      expect(await look()).toMatchObject({
        state: 'TOO_NEW',
        words: expect.stringContaining(`Slot ${last + 1}: `),
      })
      solana.produce(9)
    }
    expect(await cursor()).toBe(last)
    expect(await payments()).toMatchObject([{ address: before.address, state: 'CONFIRMED' }])
    expect(await credit()).toEqual({ opened: 0, credited: 0 })
    // As a newer product reads it.
    expect(await look({ block: readAll })).toMatchObject({ state: 'FINE' })
    expect(await payments()).toMatchObject([{}, { address: after.address, state: 'CONFIRMED' }])
    expect(await credit()).toEqual({ opened: 0, credited: 2 })
  })
  /** Blocks with the transactions of the version that is too new left out. */
  const readAll: Node['block'] = async (height, watched) => {
    const hash = await node.hashAt(height)
    if (hash === undefined) return undefined
    return node.block(height, watched).catch(async () => ({
      height,
      hash,
      payments: [],
      spendings: [],
      spends: [],
      time: null,
      parent: (await node.hashAt(height - 1)) ?? '',
    }))
  }

  test('a block that is called skipped is not passed', async () => {
    const { address } = await investor()
    const began = await cursor()
    await usdc.send(address, 7n)
    solana.produce(3)
    const hidden = await look({
      block: async (height, watched) =>
        height === began + 1 ? undefined : node.block(height, watched),
      isSkipped: async () => true,
    })
    expect(hidden).toMatchObject({
      state: 'LYING',
      words: `Block ${began + 2} does not follow block ${began}`,
    })
    const late = await look({
      block: async (height, watched) =>
        height === began + 1 ? undefined : node.block(height, watched),
    })
    expect(late).toMatchObject({ state: 'AWAY', words: `Block ${began + 1} is missing` })
    expect([await cursor(), await payments()]).toEqual([began, []])
    // Nor is the newest block, which the node has just named.
    const head = solana.newest()
    expect(
      await look({
        block: async (height, watched) =>
          height === head ? undefined : node.block(height, watched),
        isSkipped: async (height) => height === head,
      }),
    ).toMatchObject({ state: 'FINE' })
    expect(await look({ block: async () => undefined, isSkipped: async () => true })).toMatchObject(
      {
        state: 'AWAY',
        words: `Block ${head} is missing`,
      },
    )
    await look()
    expect(await payments()).toMatchObject([{ units: 7 }])
  })

  test('final payments stay where a node has less or others', async () => {
    const { address } = await investor()
    await usdc.send(address, 9n)
    solana.produce()
    await look()
    const before = [await cursor(), await payments()]
    const height = solana.newest()
    expect(await look({ hashAt: async () => undefined })).toMatchObject({
      state: 'BEHIND',
      words: `The node has no block ${height}, which was read before`,
    })
    expect(await look({ hashAt: async () => solana.genesis })).toMatchObject({
      state: 'LYING',
      words: `Block ${height} was final, and now it is another one`,
    })
    expect([await cursor(), await payments()]).toEqual(before)
    expect(await look()).toMatchObject({ state: 'FINE' })
  })

  test('blocks that the node has forgotten are not passed', async () => {
    const { address } = await investor()
    await usdc.send(address, 11n)
    solana.produce(4)
    const began = await cursor()
    solana.forgetBelow(solana.newest() - 1)
    expect(await look()).toMatchObject({ state: 'AWAY' })
    expect([await cursor(), await payments()]).toEqual([began, []])
    solana.forgetBelow(0)
    await look()
    expect(await payments()).toMatchObject([{ units: 11 }])
  })

  test('another cluster and other decimals stop a start', async () => {
    const { config, db } = product.context
    const log = { warn: () => undefined } as never
    const start = (more: Partial<SolanaSettings>) =>
      requireNodes({ config: { ...config, chains: [{ ...settings, ...more }] }, db }, log)
    await expect(start({})).resolves.toBeUndefined()
    await expect(start({ genesis: newAddress('Solana') })).rejects.toThrow(
      `Solana: The node is on ${solana.genesis}`,
    )
    await expect(
      start({ tokens: [{ symbol: 'USDC', mint: usdc.mint, decimals: 9 }] }),
    ).rejects.toThrow('Solana: USDC: the mint says 6 decimals, and CHAINS names 9')
  })
})
