import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import {
  BATCH_SIZES,
  batchFile,
  makeBatch,
  previewBatch,
  readBatch,
} from '@pool/contract/coins/batches'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import { newAddress } from '../../testing/addresses.ts'
import { hasAnvil } from '../../testing/anvil.ts'
import {
  approvedWithdrawal,
  PLAIN_KEY,
  PLAY_SAFE,
  setRate,
  startEvmPool,
} from '../../testing/coinsOut.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { startFakeNode } from '../../testing/fakeNode.ts'
import { estimateFees } from './estimateFees.ts'
import { safeTransactionOf } from './safe.ts'
import { tryCalls } from './trial.ts'

/** Burns 880,000 gas, or all but 5,000. */
const [BURNS_MUCH, BURNS_ALL] = ['0x5a5b5a8103620d6d801160015700', '0x5b5a6113881060005700']
/** Takes coins once a block. */
const TAKES_ONE = '0x4360005414600d574360005500' + '5b60006000fd'

type Builder = {
  readonly transactions: readonly { to: string; value: string; data: string | null }[]
}

describe.skipIf(!hasAnvil)('a payment of an EVM network', () => {
  let pool: Awaited<ReturnType<typeof startEvmPool>>
  beforeAll(async () => {
    pool = await startEvmPool()
  })
  afterAll(() => pool?.close())
  afterAll(() => expectWhole(pool.product))

  const approved = async (dollars: number, address = newAddress('Ethereum')) =>
    (await approvedWithdrawal(pool.product, { dollars, address, networkName: 'Ethereum' })).id
  const contract = async (code: string) => {
    const address = newAddress('Ethereum')
    await pool.anvil.ask('anvil_setCode', address, code)
    return address
  }
  const asked = (coin: string, withdrawalIds: readonly string[], more: object = {}) => ({
    token: pool.admin.token,
    payload: {
      networkName: 'Ethereum',
      coin,
      withdrawalIds: [...withdrawalIds],
      payer: PLAY_SAFE,
      ...more,
    },
  })
  const preview = async (...order: Parameters<typeof asked>) =>
    (await pool.product.call(previewBatch, asked(...order))).body
  const out = (id: string | undefined, why: string) => ({ withdrawalId: id, loanId: null, why })

  test('that burns gas is named and left out', async () => {
    await pool.look()
    const [honest, much, all] = [
      await approved(20),
      await approved(10, await contract(BURNS_MUCH)),
      await approved(10, await contract(BURNS_ALL)),
    ]
    for (const more of [{}, { format: 'CSV', payer: PLAIN_KEY }])
      expect(await preview('ETH', [much, honest, all], more)).toMatchObject({
        payouts: [{ withdrawalId: honest }],
        leftOut: [out(much, 'costly'), out(all, 'costly')],
      })
  })

  test('that its payee takes once is left out after that', async () => {
    const payee = await contract(TAKES_ONE)
    const [first, second] = [await approved(10, payee), await approved(10, payee)]
    await pool.look()
    expect(await preview('ETH', [first, second])).toMatchObject({
      payouts: [{ withdrawalId: first }],
      leftOut: [out(second, 'refused')],
    })
  })

  test('has its fee beside the amount', async () => {
    await pool.look()
    const ids = [await approved(30), await approved(40), await approved(50)]
    const shown = await preview('USDC', ids)
    const { id } = (await pool.product.call(makeBatch, asked('USDC', ids))).body
    const batch = (await pool.product.call(readBatch, { token: pool.admin.token, params: { id } }))
      .body
    for (const { fee, feeCoin, feeDollars, gas, gasPrice } of [shown, batch]) {
      expect({ feeCoin, fee: Number(fee) }).toEqual({
        feeCoin: 'ETH',
        fee: expect.closeTo((Number(gas) * Number(gasPrice)) / 1e9, 15),
      })
      // One ETH is $2,000 in this pool. Cents are rounded up.
      expect(feeDollars).toBe(Math.ceil(Number(fee) * 200_000) / 100)
    }
    const { text } = (
      await pool.product.call(batchFile, { token: pool.admin.token, params: { id } })
    ).body
    const calls = (JSON.parse(text) as Builder).transactions.map(({ to, value, data }) => ({
      to,
      value: BigInt(value),
      data: data?.slice(2) ?? '',
    }))
    await pool.safe.execute(batch.safeHash ?? '', safeTransactionOf(calls, pool.multiSend))
    const block = await pool.anvil.ask<{ gasUsed: string }>('eth_getBlockByNumber', 'latest', false)
    // The play Safe checks no signatures, for which 120,000 are counted.
    expect(Number(batch.gas) - Number(block.gasUsed)).toBeGreaterThan(100_000)
    expect(Number(batch.gas) - Number(block.gasUsed)).toBeLessThan(130_000)
    await pool.look()
  })

  test('waits while its fee is above the bound', async () => {
    await pool.look()
    const [small, large] = [await approved(490), await approved(9_000)]
    // So that a payment costs some $20: above $5, and below 1 % of the larger one.
    const { gas, gasPrice } = await preview('USDC', [small])
    const each = ((Number(gas) - 141_000) * Number(gasPrice)) / 1e9
    await setRate(pool.product, 'ETH', (20 / each).toFixed(2))
    expect(await preview('USDC', [small, large])).toMatchObject({
      payouts: [{ withdrawalId: large }],
      leftOut: [out(small, 'feeAboveBound')],
    })
    await setRate(pool.product, 'ETH', '2000')
  })

  test('is made up to the fee that was agreed', async () => {
    await pool.look()
    const { context } = pool.product
    const estimated = async () => {
      expect(await estimateFees(context)).toEqual({ asked: 1, failed: [] })
      const { rows } = await pool.product.database.superuser.query('SELECT * FROM fee_estimates')
      expect(rows).toMatchObject([{ network_name: 'Ethereum' }])
      return dollarsFromCents(cents(rows[0].cents))
    }
    const before = await estimated()
    expect(before).toBeLessThan(5)
    const price = Number((await preview('USDC', [await approved(490)])).gasPrice)
    // So that 65,000 of gas cost $12.00.
    await setRate(pool.product, 'ETH', (11.99 / ((65_000 * price) / 1e9)).toFixed(2))
    expect(await estimated()).toBe(12)
    const address = newAddress('Ethereum')
    const wanted = { dollars: 100, address, networkName: 'Ethereum' }
    await expect(approvedWithdrawal(pool.product, wanted)).rejects.toThrow(/you bear \$7\.00/)
    const { id } = await approvedWithdrawal(pool.product, { ...wanted, share: 7 })
    const plain = await preview('USDC', [id])
    expect(plain).toMatchObject({ payouts: [{ withdrawalId: id }], leftOut: [] })
    const each = ((Number(plain.gas) - 141_000) * price) / 1e9
    await setRate(pool.product, 'ETH', (12.05 / each).toFixed(2))
    const other = await approved(20_000)
    expect(await preview('USDC', [id, other])).toMatchObject({
      payouts: [{ withdrawalId: other }],
      leftOut: [out(id, 'feeAboveBound')],
    })
    await setRate(pool.product, 'ETH', (11.95 / each).toFixed(2))
    expect(await preview('USDC', [id])).toMatchObject({ payouts: [{ withdrawalId: id }] })
    await setRate(pool.product, 'ETH', '2000')
    await estimated()
  })

  test('waits for a file below a third of a block', async () => {
    const ids: string[] = []
    for (let each = 0; each < 6; each += 1) ids.push(await approved(10))
    await pool.anvil.ask('evm_setBlockGasLimit', '0xd0000')
    await pool.look()
    const { payouts, leftOut, gas } = await preview('ETH', ids)
    await pool.anvil.ask('evm_setBlockGasLimit', '0x1c9c380')
    expect(gas).toBeLessThan(0xd0000 / 3)
    expect(payouts.length).toBeGreaterThan(1)
    expect(leftOut).toEqual(ids.slice(payouts.length).map((id) => out(id, 'full')))
    await pool.look()
    expect((await preview('ETH', ids)).leftOut).toEqual([])
  })

  test('waits for a file of 100 payments from a Safe', async () => {
    const most = BATCH_SIZES.SAFE
    const ids = await Promise.all(Array.from({ length: most + 2 }, () => approved(10)))
    await pool.look()
    const { payouts, leftOut } = await preview('ETH', ids)
    expect(payouts).toHaveLength(most)
    expect(leftOut.map(({ why }) => why)).toEqual(['full', 'full'])
    const plain = await preview('ETH', ids, { format: 'CSV', payer: PLAIN_KEY })
    expect(plain.payouts).toHaveLength(ids.length)
  })

  test('is refused where the coin refuses its payer', async () => {
    const code = await pool.anvil.ask<string>('eth_getCode', pool.usdc.contract, 'latest')
    // It has six decimals and enough for any balance, and answers a transfer with false.
    const parts = [
      '60003560e01c8063a9059cbb1460265763313ce56714603157',
      '637fffffff60005260206000f3',
    ]
    const answers = ['5b600060005260206000f3', '5b600660005260206000f3']
    await pool.anvil.ask(
      'anvil_setCode',
      pool.usdc.contract,
      `0x${[...parts, ...answers].join('')}`,
    )
    try {
      const { status, body } = await pool.product.call(
        previewBatch,
        asked('USDC', [await approved(10)]),
      )
      expect([status, body]).toMatchObject([409, { details: { problem: 'payerRefused' } }])
    } finally {
      await pool.anvil.ask('anvil_setCode', pool.usdc.contract, code)
    }
  })
})

const settingsAt = (url: string) => ({ url, kind: 'evm', network: 'Ethereum' }) as EvmSettings
const word = (value: number) => value.toString(16).padStart(64, '0')
const call = { to: newAddress('Ethereum'), value: 0n, data: 'a9059cbb' }

/** Answers of nodes about a payment that cannot be made. None of them is an acceptance. */
const answers: readonly (readonly [node: string, answer: object])[] = [
  ['geth', { error: { code: 3, message: 'execution reverted', data: '0x' } }],
  ['Nethermind', { error: { code: -32_015, message: 'VM execution error' } }],
  ['Parity', { error: { code: -32_015, message: 'VM execution error.', data: 'Reverted 0x' } }],
  ['Besu', { error: { code: -32_000, message: 'Execution reverted' } }],
  ['Erigon', { error: { code: -32_000, message: 'gas required exceeds allowance (2000000)' } }],
  ['a token', { error: { code: -32_000, message: 'Blacklistable: account is blacklisted' } }],
  ['a provider', { error: { code: -32_005, message: 'request rate exceeded' } }],
  ['a node without overrides', { error: { code: -32_602, message: 'too many arguments' } }],
  ['a node that ignores overrides', { result: '0x' }],
  ['a half answer', { result: `0x${word(1)}` }],
  ['another form', { result: true }],
  ['no result', { result: null }],
]

test.each(answers)('the words of %s are no acceptance', async (_, answer) => {
  const { url } = await startFakeNode(({ id }, response) => {
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    return undefined
  })
  const trying = tryCalls(settingsAt(url), {
    from: PLAIN_KEY,
    calls: [call],
    limit: 100_000n,
    most: 1_000_000n,
  })
  await expect(trying).rejects.toSatisfy(
    (error) => error instanceof Refusal && JSON.stringify(error).includes('noTrial'),
  )
})

test.each([
  ['a word of one', [1, 30_000, 32, 1], true],
  ['nothing, as USDT', [1, 30_000, 0, 0], true],
  ['false', [1, 30_000, 32, 0], false],
  ['a reverted call', [0, 30_000, 32, 1], false],
])('a token that answers %s', async (_, words, isTaken) => {
  const { url } = await startFakeNode(() => `0x${words.map(word).join('')}`)
  const tried = await tryCalls(settingsAt(url), {
    from: PLAIN_KEY,
    calls: [call],
    limit: 100_000n,
    most: 1_000_000n,
  })
  expect(tried).toEqual([{ isTaken, gas: 30_000n }])
})
