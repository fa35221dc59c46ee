import { type Address, generateKeyPairSigner, type Instruction } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { getBurnInstruction } from '@solana-program/token'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SolanaSettings } from '../../base/configuration/chainsFile.ts'
import { newAddress } from '../../testing/addresses.ts'
import { type PlaySolana, startSolana } from '../../testing/solanaServer.ts'
import { hasSvm } from '../../testing/solanaSvm.ts'
import { type PlayMint, playMint } from '../../testing/solanaTokens.ts'
import type { Spending } from './node.ts'
import { openSolana } from './solana.ts'

const SOL = 1_000_000_000n
/** Lamports that keep a new account of tokens. */
const RENT = 2_039_280n
const FEE = 5_000n

describe.skipIf(!hasSvm)('a spending of Solana', () => {
  let solana: PlaySolana
  let usdc: PlayMint
  let taxed: PlayMint
  let ours: Address
  beforeAll(async () => {
    solana = await startSolana()
    usdc = await playMint(solana, 6)
    taxed = await playMint(solana, 6, 100)
    ours = solana.ledger.payer.address
  })

  const address = () => newAddress('Solana') as Address
  /** Ends the slot, and returns what it spends of these addresses. */
  const spendings = async (...watched: readonly string[]): Promise<readonly Spending[]> => {
    solana.produce()
    const settings: SolanaSettings = {
      network: 'Solana',
      kind: 'solana',
      url: solana.url,
      genesis: solana.genesis,
      tokens: [
        { symbol: 'USDC', mint: usdc.mint, decimals: 6 },
        { symbol: 'TAX', mint: taxed.mint, decimals: 6 },
      ],
      pollSeconds: 1,
      stuckAfterMinutes: 5,
    }
    const receivers = new Map(watched.map((each) => [each, each]))
    const found = await openSolana(settings, {}).block(solana.newest(), {
      receivers,
      inputs: new Set<string>(),
    })
    return found?.spendings ?? []
  }
  const spending = async (...watched: readonly string[]): Promise<Spending | undefined> =>
    (await spendings(...watched))[0]
  const brief = (found: Spending | undefined) => ({
    spent: found?.spent.map(({ address: from, asset, units }) => [from, asset, units]),
    sent: found?.sent.map(({ address: to, asset, units }) => [to, asset, units]),
    fee: found?.fee,
  })
  const coins = (from: typeof solana.ledger.payer, to: string, amount: bigint): Instruction =>
    getTransferSolInstruction({ source: from, destination: to as Address, amount })

  test('names who received its coins and its fee', async () => {
    const [one, other] = [address(), address()]
    const id = await solana.pay([one, other], SOL)
    const found = await spending(ours)
    expect(found).toMatchObject({ transaction: id, inputs: [] })
    expect(brief(found)).toEqual({
      spent: [[ours, 'SOL', 2n * SOL]],
      sent: expect.arrayContaining([
        [one, 'SOL', SOL],
        [other, 'SOL', SOL],
      ]),
      fee: FEE,
    })
    expect(await spendings(address())).toEqual([])
  })

  test('counts the rent of a new account as its fee', async () => {
    const payee = address()
    await usdc.send(payee, 2_500_000n)
    expect(brief(await spending(ours))).toEqual({
      spent: [[ours, 'USDC', 2_500_000n]],
      sent: [[payee, 'USDC', 2_500_000n]],
      fee: FEE + RENT,
    })
    await usdc.send(payee, 1n)
    expect(brief(await spending(ours))).toMatchObject({ fee: FEE })
  })

  test('is no fee where coins hide beside tokens', async () => {
    const [thief, hidden] = [address(), 7n * SOL]
    const instructions = await usdc.instructionsTo(thief, 1n)
    const account = await usdc.accountOf(thief)
    await solana.send({
      instructions: [...instructions, coins(solana.ledger.payer, account, hidden)],
    })
    const atOnce = brief(await spending(ours))
    expect(atOnce).toMatchObject({ fee: FEE })
    expect(atOnce.sent).toContainEqual([null, 'SOL', hidden + RENT])
    // The same into an account that was there before.
    await solana.send({ instructions: [coins(solana.ledger.payer, account, hidden)] })
    expect(brief(await spending(ours))).toEqual({
      spent: [[ours, 'SOL', hidden]],
      sent: [[null, 'SOL', hidden]],
      fee: FEE,
    })
  })

  test('tells what a token kept or burned', async () => {
    const payee = address()
    await taxed.send(payee, 1_000_000n)
    expect(brief(await spending(ours))).toMatchObject({
      spent: [[ours, 'TAX', 1_000_000n]],
      sent: [
        [payee, 'TAX', 990_000n],
        [null, 'TAX', 10_000n],
      ],
    })
    const { payer } = solana.ledger
    const account = await usdc.accountOf(ours)
    await solana.send({
      instructions: [
        getBurnInstruction({ account, mint: usdc.mint, authority: payer, amount: 40n }),
      ],
    })
    expect(brief(await spending(ours))).toEqual({
      spent: [[ours, 'USDC', 40n]],
      sent: [[null, 'USDC', 40n]],
      fee: FEE,
    })
  })

  test('names no receiver beside coins of others', async () => {
    const [other, payee] = [await generateKeyPairSigner(), address()]
    await solana.pay([other.address], 10n * SOL)
    await spendings()
    await solana.send({
      instructions: [coins(other, payee, SOL), coins(solana.ledger.payer, payee, 3n)],
    })
    const found = brief(await spending(ours))
    expect(found).toMatchObject({ spent: [[ours, 'SOL', 3n]], sent: [[null, 'SOL', SOL + 3n]] })
    // The other one's side is as little told.
    await solana.send({ instructions: [coins(other, payee, SOL)] })
    expect(brief(await spending(other.address))).toEqual({
      spent: [[other.address, 'SOL', SOL]],
      sent: [[payee, 'SOL', SOL]],
      fee: 0n,
    })
  })

  test('that failed costs its fee alone', async () => {
    await solana.send({
      instructions: [coins(solana.ledger.payer, address(), 90_000_000n * SOL)],
    })
    expect(brief(await spending(ours))).toEqual({ spent: [], sent: [], fee: FEE })
  })

  test('between our own addresses has both ends', async () => {
    const cold = address()
    await solana.pay([cold], SOL)
    expect(brief(await spending(ours, cold))).toMatchObject({ sent: [[cold, 'SOL', SOL]] })
  })
})
