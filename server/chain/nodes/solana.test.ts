import { base58 } from '@scure/base'
import { type Address, generateKeyPairSigner } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  getCloseAccountInstruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SolanaSettings } from '../../base/configuration/chainsFile.ts'
import { newAddress } from '../../testing/addresses.ts'
import { type PlaySolana, startSolana } from '../../testing/solanaServer.ts'
import { hasSvm, putTable } from '../../testing/solanaSvm.ts'
import { type PlayMint, playMint } from '../../testing/solanaTokens.ts'
import type { Node, Payment } from './node.ts'
import { openSolana } from './solana.ts'

/** Pays for the account of a token, which real clusters ask of each. */
const SOL = 1_000_000_000n

describe.skipIf(!hasSvm)('a Solana node', () => {
  let solana: PlaySolana
  let usdc: PlayMint
  beforeAll(async () => {
    solana = await startSolana()
    usdc = await playMint(solana, 6)
  })

  const settings = (more: Partial<SolanaSettings> = {}): SolanaSettings => ({
    network: 'Solana',
    kind: 'solana',
    url: solana.url,
    genesis: solana.genesis,
    tokens: [{ symbol: 'USDC', mint: usdc.mint, decimals: 6 }],
    pollSeconds: 1,
    stuckAfterMinutes: 5,
    ...more,
  })
  const open = (more?: Partial<SolanaSettings>): Node => openSolana(settings(more), {})
  const address = () => newAddress('Solana')
  const watch = (...addresses: string[]) => ({
    receivers: new Map(addresses.map((each) => [each, each])),
    inputs: new Set<string>(),
  })
  /** Ends the slot, and returns the payments in it to watched addresses. */
  const paid = async (
    addresses: readonly string[],
    more?: Partial<SolanaSettings>,
  ): Promise<readonly Payment[] | undefined> => {
    solana.produce()
    return (await open(more).block(solana.newest(), watch(...addresses)))?.payments
  }
  const brief = (payments: readonly Payment[] | undefined) =>
    payments?.map(({ address: to, asset, units }) => [to, asset, units])

  test('on the named cluster with its tokens is fine', async () => {
    await expect(open().check()).resolves.toBeUndefined()
  })

  test('on another cluster is named by both', async () => {
    const genesis = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
    await expect(open({ genesis }).check()).rejects.toMatchObject({
      state: 'OTHER_CHAIN',
      message: `The node is on ${solana.genesis}, and CHAINS names devnet`,
    })
  })

  test('refuses other decimals and addresses without a mint', async () => {
    const named = (mint: string, decimals: number) =>
      open({ tokens: [{ symbol: 'USDC', mint, decimals }] }).check()
    await expect(named(usdc.mint, 9)).rejects.toMatchObject({
      state: 'WRONG_TOKEN',
      message: 'USDC: the mint says 6 decimals, and CHAINS names 9',
    })
    const { payer, svm } = solana.ledger
    const holder = await usdc.accountOf(payer.address)
    const real = svm.getAccount(usdc.mint)
    const copy = address() as Address
    // A copy that another program keeps can be written by it at will.
    if (real.exists) svm.setAccount({ ...real, address: copy, programAddress: payer.address })
    // An account of tokens has its owner where a mint has its decimals.
    const owned = address() as Address
    const account = svm.getAccount(holder)
    if (account.exists) {
      const data = Buffer.from(account.data).fill(Buffer.from([6, 1]), 44, 46)
      svm.setAccount({ ...account, address: owned, data })
    }
    for (const none of [address(), payer.address, holder, copy, owned])
      await expect(named(none, 6)).rejects.toMatchObject({
        state: 'WRONG_TOKEN',
        message: `USDC: no token has the mint ${none}`,
      })
  })

  test('finds coins by the balance of an address', async () => {
    const ours = address()
    const id = await solana.pay([ours], SOL)
    expect(await paid([ours])).toEqual([
      {
        transaction: id,
        output: expect.any(Number),
        address: ours,
        asset: 'SOL',
        units: SOL,
        decimals: 9,
        inputs: [],
        isCoinbase: false,
      },
    ])
    await solana.pay([ours], 0n)
    expect(await paid([ours])).toEqual([])
    await solana.pay([address()], SOL)
    expect(await paid([ours])).toEqual([])
  })

  test('tells coins to the unit beside large balances', async () => {
    const { payer, svm } = solana.ledger
    expect(Number.isSafeInteger(Number(svm.getBalance(payer.address)))).toBe(false)
    const ours = address()
    await solana.pay([ours], 8_000_000n * SOL)
    await solana.pay([ours], 1_000_000n * SOL)
    solana.produce()
    await solana.pay([ours], 1_500_000n * SOL + 1n)
    expect(brief(await paid([ours]))).toEqual([[ours, 'SOL', 1_500_000n * SOL + 1n]])
  })

  test('finds tokens in an account of the same transaction', async () => {
    const ours = address()
    const id = await usdc.send(ours, 2_500_000n)
    expect(await paid([ours])).toEqual([
      {
        transaction: id,
        output: expect.any(Number),
        address: ours,
        asset: 'USDC',
        units: 2_500_000n,
        decimals: 6,
        inputs: [],
        isCoinbase: false,
      },
    ])
    await usdc.send(ours, 0n)
    expect(await paid([ours])).toEqual([])
    const other = address()
    await usdc.send(other, 8n)
    expect(brief(await paid([other, await usdc.accountOf(other)]))).toEqual([[other, 'USDC', 8n]])
    await usdc.send(ours, 7n)
    expect(brief(await paid([ours]))).toEqual([[ours, 'USDC', 7n]])
  })

  test('finds each receiver of one transaction', async () => {
    const [first, second] = [address(), address()]
    const { payer } = solana.ledger
    const id = await solana.send({
      instructions: [
        ...(await usdc.instructionsTo(first, 5n)),
        ...(await usdc.instructionsTo(second, 6n)),
        getTransferSolInstruction({ source: payer, destination: first as Address, amount: SOL }),
      ],
    })
    const payments = await paid([first, second])
    expect(new Set(brief(payments)?.map((each) => each.join(' ')))).toEqual(
      new Set([`${first} SOL ${SOL}`, `${first} USDC 5`, `${second} USDC 6`]),
    )
    expect(
      new Set(payments?.map(({ transaction, output }) => `${transaction} ${output}`)).size,
    ).toBe(3)
    expect(new Set(payments?.map(({ transaction }) => transaction))).toEqual(new Set([id]))
  })

  test('finds nothing in a transaction that failed', async () => {
    const ours = address()
    const { payer } = solana.ledger
    const id = await solana.send({
      instructions: [
        getTransferSolInstruction({ source: payer, destination: ours as Address, amount: SOL }),
        getTransferSolInstruction({
          source: payer,
          destination: ours as Address,
          amount: 10n ** 18n,
        }),
      ],
    })
    expect(await paid([ours])).toEqual([])
    expect(await open().transaction(id)).toMatchObject({ state: 'MINED', succeeded: false })
  })

  test('ignores mints that the operator does not name', async () => {
    const ours = address()
    const unknown = await playMint(solana, 6)
    await unknown.send(ours, 1_000_000n)
    expect(await paid([ours])).toEqual([])
  })

  test('counts what is left after the fee of a token', async () => {
    const ours = address()
    const taking = await playMint(solana, 6, 100)
    const tokens = [{ symbol: 'USDT', mint: taking.mint, decimals: 6 }]
    await expect(open({ tokens }).check()).resolves.toBeUndefined()
    await taking.send(ours, 1_000_000n)
    expect(brief(await paid([ours], { tokens }))).toEqual([[ours, 'USDT', 990_000n]])
  })

  test('pays nothing by moves between accounts of one owner', async () => {
    const owner = await generateKeyPairSigner()
    const other = await generateKeyPairSigner()
    await usdc.send(owner.address, 9n)
    await usdc.send(other.address, 1n)
    solana.produce()
    const [source, destination] = [
      await usdc.accountOf(owner.address),
      await usdc.accountOf(other.address),
    ]
    // The other account is the owner's from here on, with the one unit that it has.
    await solana.send({
      instructions: [
        getSetAuthorityInstruction({
          owned: destination,
          owner: other,
          authorityType: 2,
          newAuthority: owner.address,
        }),
      ],
    })
    expect(brief(await paid([owner.address]))).toEqual([[owner.address, 'USDC', 1n]])
    const { mint } = usdc
    await solana.send({
      instructions: [
        getTransferCheckedInstruction({
          source,
          mint,
          destination,
          authority: owner,
          amount: 9n,
          decimals: 6,
        }),
      ],
    })
    expect(await paid([owner.address])).toEqual([])
    // The deposit for the empty account goes back to an address of the pool.
    const back = address()
    await solana.send({
      instructions: [
        getCloseAccountInstruction({
          account: source,
          destination: back as Address,
          owner,
        }),
      ],
    })
    expect(await paid([owner.address, back])).toMatchObject([{ address: back, asset: 'SOL' }])
  })

  test.each([0, 1] as const)('reads transactions of version %i', async (version) => {
    const ours = address()
    const instructions = [...(await usdc.instructionsTo(ours, 11n))]
    await solana.send({ instructions, version })
    expect(brief(await paid([ours]))).toEqual([[ours, 'USDC', 11n]])
  })

  test('finds receivers that a lookup table names', async () => {
    const [first, second] = [address(), address()]
    const { payer, svm } = solana.ledger
    const table = address() as Address
    putTable(svm, table, [first, second].map(base58.decode))
    solana.produce(2)
    const transfer = (destination: string, amount: bigint) =>
      getTransferSolInstruction({ source: payer, destination: destination as Address, amount })
    await solana.send({
      instructions: [transfer(first, SOL), transfer(second, 2n * SOL)],
      version: 0,
      tables: { [table]: [first as Address, second as Address] },
    })
    const payments = brief(await paid([first, second]))
    expect(payments).toHaveLength(2)
    expect(payments).toContainEqual([first, 'SOL', SOL])
    expect(payments).toContainEqual([second, 'SOL', 2n * SOL])
  })

  test('stops at a version that it cannot read', async () => {
    const ours = address()
    const { payer } = solana.ledger
    const pay = getTransferSolInstruction({
      source: payer,
      destination: ours as Address,
      amount: SOL,
    })
    await solana.send({ instructions: [pay] }, 2)
    await expect(paid([ours])).rejects.toMatchObject({
      state: 'TOO_NEW',
      message: expect.stringMatching(
        `^Slot ${solana.newest()}: getBlock: Transaction version \\(2\\) is not supported`,
      ),
    })
  })

  test('names blocks by slot, hash and parent', async () => {
    const node = open()
    solana.produce()
    const before = await node.head()
    solana.skip(3)
    solana.produce()
    const head = await node.head()
    expect(head).toMatchObject({
      height: before.height + 4,
      finalHeight: null,
      below: { height: before.height, hash: before.hash },
    })
    expect(await node.hashAt(head.height)).toBe(head.hash)
    expect(await node.block(head.height, watch())).toMatchObject({
      height: head.height,
      hash: head.hash,
      parent: before.hash,
    })
  })

  test.each([false, true])('tells skipped slots from later ones, by a store: %s', async (store) => {
    const node = open()
    solana.skip(1, store)
    solana.produce()
    const head = solana.newest()
    for (const slot of [head - 1, head + 1]) {
      expect(await node.block(slot, watch())).toBeUndefined()
      expect(await node.hashAt(slot)).toBeUndefined()
    }
    expect(await node.isSkipped?.(head - 1)).toBe(true)
    expect(await node.isSkipped?.(head)).toBe(false)
    expect(await node.isSkipped?.(head + 1)).toBe(false)
  })

  test('shows only what is final', async () => {
    const ours = address()
    const node = open()
    const head = await node.head()
    const id = await solana.pay([ours], SOL)
    solana.confirm()
    expect(await node.head()).toEqual(head)
    expect(await node.block(head.height + 1, watch(ours))).toBeUndefined()
    expect(await node.transaction(id)).toEqual({ state: 'PENDING' })
    solana.produce()
    const { height, hash } = { ...(await node.head()).below }
    expect(await node.transaction(id)).toEqual({ state: 'MINED', height, hash, succeeded: true })
    expect(await node.transaction(base58.encode(new Uint8Array(64).fill(7)))).toEqual({
      state: 'UNKNOWN',
    })
  })

  test('behind, away or without old blocks is a state', async () => {
    const node = open()
    solana.fallBehind(700)
    await expect(node.head()).rejects.toMatchObject({
      state: 'BEHIND',
      message: 'getHealth: Node is behind by 700 slots (-32005)',
    })
    solana.fallBehind(0)
    await expect(open({ url: 'http://127.0.0.1:1' }).head()).rejects.toMatchObject({
      state: 'AWAY',
    })
    const first = solana.newest()
    solana.forgetBelow(first)
    await expect(node.block(first - 1, watch())).rejects.toMatchObject({
      state: 'AWAY',
      message: expect.stringContaining(`First available block: ${first}`),
    })
    solana.forgetBelow(0)
  })
})
