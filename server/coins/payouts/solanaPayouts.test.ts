import { setRate } from '@pool/contract/chain/rates'
import {
  type BatchPlan,
  batchFile,
  giveUpBatch,
  makeBatch,
  previewBatch,
  readBatch,
} from '@pool/contract/coins/batches'
import { transactionStory } from '@pool/contract/requests/stories'
import type { Address } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SolanaSettings } from '../../base/configuration/chainsFile.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { pollNode } from '../../chain/nodes/states.ts'
import { newAddress } from '../../testing/addresses.ts'
import { approvedWithdrawal } from '../../testing/coinsOut.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { addOwn } from '../../testing/ownCoins.ts'
import { chainsFile } from '../../testing/playNode.ts'
import { codeOf, type Person, type Product, person, startProduct } from '../../testing/product.ts'
import { type PlaySolana, startSolana } from '../../testing/solanaServer.ts'
import { hasSvm } from '../../testing/solanaSvm.ts'
import { type PlayMint, playMint } from '../../testing/solanaTokens.ts'
import { passGuard } from '../../testing/tamper.ts'
import { postCoins } from '../custody/postCoins.ts'
import { followPayouts } from './followPayouts.ts'

describe.skipIf(!hasSvm)('payouts on Solana', () => {
  let solana: PlaySolana
  let usdc: PlayMint
  let product: Product
  let settings: SolanaSettings
  let admin: Person
  let payer: Address
  beforeAll(async () => {
    solana = await startSolana()
    usdc = await playMint(solana, 6)
    const { url, genesis, ledger } = solana
    const tokens = [{ symbol: 'USDC', mint: usdc.mint, decimals: 6 }]
    product = await startProduct({
      CHAINS: chainsFile({ Solana: { kind: 'solana', url, genesis, tokens } }),
    })
    settings = product.context.config.chains[0] as SolanaSettings
    admin = await person(product, ['ADMIN'])
    const { token } = await person(product, ['SUPER_ADMIN'])
    await product.call(setRate, { token, payload: { coin: 'SOL', dollars: '100' } })
    payer = ledger.payer.address
    await addOwn(product.database, 'Solana', payer)
    // Reading begins above what made the token.
    solana.produce()
    await look()
  })
  afterAll(() => product?.close())
  beforeEach(async () => {
    await settle()
    // The rest of earlier tests is neither looked at nor told again.
    await rows('UPDATE payout_alarms SET ended_at = now() WHERE ended_at IS NULL')
    await passGuard(
      product.database.superuser,
      'batches',
      "UPDATE batches SET made_at = now() - interval '1 year', state = 'COMPLETED' WHERE state NOT IN ('COMPLETED', 'GIVEN_UP')",
    )
    await rows(
      "UPDATE spendings SET changed_at = now() - interval '1 year', seen_at = now() - interval '1 year'",
    )
  })
  afterAll(() => expectWhole(product))

  const rows = async (text: string, ...values: unknown[]) =>
    (await product.database.superuser.query(text, values)).rows
  const look = async () => {
    const { db, config: pricing, keys } = product.context
    const node = openNode(settings)
    expect(
      await pollNode(db, { settings, node, pricing, keys, receivers: new Map() }),
    ).toMatchObject({
      state: 'FINE',
    })
  }
  const follow = (more: object = {}) =>
    followPayouts(product.context, { settings, node: { ...openNode(settings), ...more } })
  /** Makes what was sent final, reads it and follows. */
  const settle = async () => {
    solana.produce()
    await look()
    return follow()
  }
  const approved = async (amount = 20) => {
    const address = newAddress('Solana')
    const asked = { dollars: amount, address, networkName: 'Solana' }
    return { ...(await approvedWithdrawal(product, asked)), address, amount }
  }
  type Approved = Awaited<ReturnType<typeof approved>>
  const payloadOf = (all: readonly Approved[], coin: string) => ({
    networkName: 'Solana',
    coin,
    payer,
    withdrawalIds: all.map(({ id }) => id),
  })
  const make = (all: readonly Approved[], coin = 'USDC') =>
    product.call(makeBatch, { token: admin.token, payload: payloadOf(all, coin) })
  const made = async (all: readonly Approved[], coin?: string) => {
    const answer = await make(all, coin)
    expect(answer.body).toMatchObject({ state: 'READY' })
    return answer.body.id
  }
  const fileOf = async (id: string) =>
    (await product.call(batchFile, { token: admin.token, params: { id } })).body.text
  const giveUp = (id: string) =>
    product.call(giveUpBatch, {
      token: admin.token,
      params: { id },
      payload: { reason: 'A test' },
    })
  const read = async (id: string) =>
    (await product.call(readBatch, { token: admin.token, params: { id } })).body
  const statusOf = async (...all: readonly Approved[]) => {
    const found = await rows(
      'SELECT id, status FROM transactions WHERE id = ANY ($1)',
      all.map(({ id }) => id),
    )
    return all.map(({ id }) => found.find((row) => row.id === id)?.status)
  }
  const alarms = async () =>
    (
      await rows(
        'SELECT kind FROM payout_alarms WHERE ended_at IS NULL AND settled_at IS NULL ORDER BY kind',
      )
    ).map(({ kind }) => kind)
  const sendCoins = (to: string, amount: bigint) =>
    solana.send({
      instructions: [
        getTransferSolInstruction({
          source: solana.ledger.payer,
          destination: to as Address,
          amount,
        }),
      ],
    })
  /** Pays each line of a file, as a distributor of tokens does. */
  const execute = async (file: string): Promise<string[]> => {
    const ids: string[] = []
    for (const line of file.trim().split('\r\n').slice(1)) {
      const [recipient = '', amount = '', mint] = line.split(',')
      const [whole = '', decimals = ''] = amount.split('.')
      const units = (places: number) => BigInt(whole + decimals.padEnd(places, '0'))
      if (mint) expect(mint).toBe(usdc.mint)
      ids.push(await (mint ? usdc.send(recipient, units(6)) : sendCoins(recipient, units(9))))
    }
    return ids
  }

  test('of tokens are followed to their end', async () => {
    const [ada, bob] = [await approved(), await approved(25.5)]
    const { body: shown } = await product.call(previewBatch, {
      token: admin.token,
      payload: payloadOf([ada, bob], 'USDC'),
    })
    expect(shown as BatchPlan).toMatchObject({
      format: 'CSV',
      network: 'Solana',
      payer,
      total: '45.5',
      leftOut: [],
    })
    const id = await made([ada, bob])
    const file = await fileOf(id)
    expect(file).toBe(
      `recipient,amount,mint\r\n${ada.address},20,${usdc.mint}\r\n${bob.address},25.5,${usdc.mint}\r\n`,
    )
    const [first] = await execute(file)
    // Only final blocks are read.
    solana.confirm()
    await look()
    expect(await follow()).toEqual({ sent: 0, completed: 0, raised: 0 })
    expect(await settle()).toEqual({ sent: 2, completed: 2, raised: 0 })
    expect(await statusOf(ada, bob)).toEqual(['COMPLETED', 'COMPLETED'])
    expect((await read(id)).state).toBe('COMPLETED')
    const { body } = await product.call(transactionStory, {
      token: ada.owner.token,
      params: { id: ada.id },
    })
    expect(body).toMatchObject({
      transaction: { sent: { evidence: expect.stringMatching(`^${first}:\\d+$`) } },
      coinPayout: { network: 'Solana', amount: '20', payment: { state: 'CONFIRMED' } },
    })
    expect(await settle()).toEqual({ sent: 0, completed: 0, raised: 0 })
    expect(await alarms()).toEqual([])
  })

  test('of coins have movements and a fee in books', async () => {
    const ada = await approved(50)
    await execute(await fileOf(await made([ada], 'SOL')))
    expect(await settle()).toEqual({ sent: 1, completed: 1, raised: 0 })
    await postCoins(product.context.db, product.context.config)
    const [spending] = await rows(
      `SELECT transaction_id FROM spendings ORDER BY seen_at DESC, id DESC LIMIT 1`,
    )
    expect(
      await rows(
        'SELECT kind, from_account, to_account, units::text FROM coin_movements WHERE transaction_id = $1 ORDER BY kind',
        spending?.transaction_id,
      ),
    ).toEqual([
      { kind: 'GAS', from_account: 'payer', to_account: 'network', units: '5000' },
      { kind: 'SENT', from_account: 'payer', to_account: 'payouts', units: '500000000' },
    ])
  })

  test('of other units or twice complete nothing more', async () => {
    const [ada, bob] = [await approved(), await approved()]
    await made([ada, bob])
    await usdc.send(ada.address, 19_999_999n)
    await usdc.send(bob.address, 20_000_000n)
    await usdc.send(bob.address, 20_000_000n)
    expect(await settle()).toMatchObject({ sent: 1, completed: 1 })
    expect(await alarms()).toEqual(['SHORT', 'TWICE', 'UNEXPLAINED'])
    expect(await statusOf(ada, bob)).toEqual(['APPROVED', 'COMPLETED'])
  })

  test('without a batch, and of coins of others, are told', async () => {
    const ada = await approved()
    await made([ada])
    await usdc.send(newAddress('Solana'), 5_000_000n)
    expect(await settle()).toEqual({ sent: 0, completed: 0, raised: 1 })
    expect(await alarms()).toEqual(['UNEXPLAINED'])
    expect(await statusOf(ada)).toEqual(['APPROVED'])
  })

  test('need the node to show them in their block', async () => {
    const ada = await approved()
    await execute(await fileOf(await made([ada])))
    solana.produce()
    await look()
    expect(await follow({ block: async () => undefined })).toMatchObject({ completed: 0 })
    await rows('UPDATE sent_coins SET units = units + 1')
    expect(await follow()).toMatchObject({ completed: 0 })
    await rows('UPDATE sent_coins SET units = units - 1')
    expect(await follow()).toMatchObject({ completed: 1 })
  })

  test('of a file that was given up are paid once', async () => {
    const ada = await approved()
    const id = await made([ada])
    const file = await fileOf(id)
    expect((await giveUp(id)).status).toBe(200)
    await execute(file)
    solana.produce()
    await look()
    // Before anything explains what left.
    expect(codeOf(await make([ada]))).toBe('batchImpossible')
    expect(await follow()).toMatchObject({ sent: 0, completed: 0 })
    expect(await alarms()).toEqual(['GIVEN_BACK'])
    expect(codeOf(await make([ada]))).toBe('batchImpossible')
  })

  test('of a batch that was sent are not given up', async () => {
    const ada = await approved()
    const id = await made([ada])
    await execute(await fileOf(id))
    solana.produce()
    await look()
    expect(codeOf(await giveUp(id))).toBe('batchOnChain')
    await follow()
    expect(codeOf(await giveUp(id))).toBe('batchClosed')
  })
})
