import {
  batchFile,
  compareSigned,
  giveUpBatch,
  makeBatch,
  readBatch,
  sendSigned,
} from '@pool/contract/coins/batches'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openNode } from '../../chain/nodes/open.ts'
import { newAddress } from '../../testing/addresses.ts'
import { ANVIL_CHAIN, hasAnvil } from '../../testing/anvil.ts'
import { approvedWithdrawal, PLAIN_KEY, PLAY_SAFE, startEvmPool } from '../../testing/coinsOut.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { executionBy } from '../../testing/playSafe.ts'
import { codeOf } from '../../testing/product.ts'
import { followPayouts } from '../payouts/followPayouts.ts'
import { readRawEvm } from './rawEvm.ts'
import { safeTransactionOf, transferData } from './safe.ts'

const hex = (value: bigint | number): string => `0x${value.toString(16)}`
const USD = 1_000_000n
const THIEF = '0x1111111111111111111111111111111111111112'

type Transfer = { readonly to: string; readonly units: bigint }

describe.skipIf(!hasAnvil)('a signed file of an EVM network', () => {
  let pool: Awaited<ReturnType<typeof startEvmPool>>
  beforeAll(async () => {
    pool = await startEvmPool()
  })
  afterAll(() => pool?.close())
  afterAll(() => expectWhole(pool.product))

  const token = () => ({ token: pool.admin.token })
  const approved = async (dollars: number, address: string) =>
    (await approvedWithdrawal(pool.product, { dollars, address, networkName: 'Ethereum' })).id
  const made = async (format: 'SAFE' | 'CSV', payees: readonly string[]) => {
    const withdrawalIds = await Promise.all(payees.map((payee) => approved(100, payee)))
    const { status, body } = await pool.product.call(makeBatch, {
      ...token(),
      payload: {
        networkName: 'Ethereum',
        coin: 'USDC',
        withdrawalIds,
        format,
        payer: format === 'SAFE' ? PLAY_SAFE : PLAIN_KEY,
      },
    })
    expect(status).toBe(200)
    const { id } = body
    await pool.product.call(batchFile, { ...token(), params: { id } })
    return id
  }
  const compare = (id: string, text: string) =>
    pool.product.call(compareSigned, { ...token(), params: { id }, payload: { text } })
  const send = (id: string, text: string) =>
    pool.product.call(sendSigned, { ...token(), params: { id }, payload: { text } })
  const giveUp = (id: string) =>
    pool.product.call(giveUpBatch, {
      ...token(),
      params: { id },
      payload: { reason: 'A test' },
    })
  const read = async (id: string) =>
    (await pool.product.call(readBatch, { ...token(), params: { id } })).body
  const follow = async () => {
    await pool.look()
    const { settings } = pool
    await followPayouts(pool.product.context, { settings, node: openNode(settings) })
  }
  const nextOf = async (from: string) =>
    Number(await pool.anvil.ask<string>('eth_getTransactionCount', from, 'pending'))
  /** Signs with a key of the node, as a wallet does elsewhere. */
  const sign = (transaction: object) =>
    pool.anvil.ask<string>('eth_signTransaction', {
      gas: hex(80_000),
      maxFeePerGas: hex(3_000_000_000),
      maxPriorityFeePerGas: hex(1_000_000_000),
      ...transaction,
    })
  const transfers = async (all: readonly Transfer[], more: object = {}, skip = 0) => {
    const next = await nextOf(PLAIN_KEY)
    const signed: string[] = []
    for (const [at, { to, units }] of all.entries())
      signed.push(
        await sign({
          from: PLAIN_KEY,
          to: pool.usdc.contract,
          data: `0x${transferData(to, units)}`,
          nonce: hex(next + skip + at),
          ...more,
        }),
      )
    return signed.join('\n')
  }
  /** Names the lines that differ. */
  const wrongOf = async (id: string, text: string) => {
    const { body } = await compare(id, text)
    expect(body.isSame).toBe(false)
    expect(codeOf(await send(id, text))).toBe('signedDiffers')
    return [
      ...new Set(
        body.lines.filter(({ expected, found }) => expected !== found).map(({ what }) => what),
      ),
    ]
  }

  test('is read as the node signed it', async () => {
    const shared = { from: PLAIN_KEY, to: THIEF, value: '0x7b', data: '0xabcdef', nonce: '0x81' }
    const gas = { gas: hex(60_000) }
    for (const [type, price] of [
      ['0x0', { gasPrice: hex(2_000_000_000) }],
      ['0x2', { maxFeePerGas: hex(2_000_000_000), maxPriorityFeePerGas: '0x1' }],
    ] as const) {
      const asked = { ...shared, ...gas, ...price, type, chainId: hex(ANVIL_CHAIN) }
      const raw = await pool.anvil.ask<string>('eth_signTransaction', asked)
      expect(readRawEvm(raw)).toMatchObject({
        chainId: BigInt(ANVIL_CHAIN),
        from: PLAIN_KEY,
        to: THIEF,
        value: 123n,
        data: 'abcdef',
        nonce: 129n,
        gas: 60_000n,
        price: 2_000_000_000n,
      })
    }
  })

  test('of a plain key is sent and explained once', async () => {
    const payees = [newAddress('Ethereum'), newAddress('Ethereum')]
    const id = await made('CSV', payees)
    const text = await transfers(payees.map((to) => ({ to, units: 100n * USD })))
    const shown = (await compare(id, text)).body
    expect(shown).toMatchObject({
      isSame: true,
      lines: expect.arrayContaining([
        { what: 'payment', of: payees[0], expected: '100', found: '100' },
        { what: 'payer', of: null, expected: PLAIN_KEY, found: PLAIN_KEY },
      ]),
    })
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(id, text)))
    const done = answers.filter(({ status }) => status === 200)
    expect(done.length).toBeGreaterThan(0)
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(codeOf(answer)).toBe('batchBusy')
    const { rows } = await pool.product.database.superuser.query(
      "SELECT FROM audit_entries WHERE action = 'batch.sent' AND subject_id = $1",
      [id],
    )
    expect(rows).toHaveLength(1)
    // The same payments, signed anew, would pay again.
    const again = await transfers(payees.map((to) => ({ to, units: 100n * USD })))
    expect(codeOf(await send(id, again))).toBe('signedOther')
    expect(codeOf(await giveUp(id))).toBe('batchOnChain')
    await follow()
    for (const payee of payees) expect(await pool.balanceOf(payee, 'USDC')).toBe(100n * USD)
    expect(await read(id)).toMatchObject({ state: 'COMPLETED', sentBy: pool.admin.email })
    expect(codeOf(await send(id, text))).toBe('batchClosed')
  })

  /** A batch of which the node took the first transaction, and refused the second. */
  const halfSent = async () => {
    const payees = [newAddress('Ethereum'), newAddress('Ethereum')]
    const id = await made('CSV', payees)
    const right = payees.map((to) => ({ to, units: 100n * USD }))
    const [first = ''] = (await transfers(right)).split('\n')
    // The node takes no transaction below the fee of the next block.
    const cheap = { maxFeePerGas: hex(1_000), maxPriorityFeePerGas: '0x0' }
    const [, second = ''] = (await transfers(right, cheap)).split('\n')
    await pool.anvil.ask('anvil_setNextBlockBaseFeePerGas', hex(100_000_000))
    const text = `${first} ${second}`
    expect(codeOf(await send(id, text))).toBe('signedRefused')
    await follow()
    expect((await read(id)).state).toBe('SEEN')
    await pool.anvil.ask('anvil_setNextBlockBaseFeePerGas', '0x1')
    return { id, payees, right, text }
  }

  test('of a plain key stays the only one', async () => {
    const { id, payees, right, text } = await halfSent()
    expect(codeOf(await send(id, await transfers(right)))).toBe('signedOther')
    await pool.anvil.ask('evm_setAutomine', false)
    expect((await send(id, text)).status).toBe(200)
    expect(codeOf(await giveUp(id))).toBe('restMayCome')
    await pool.anvil.ask('evm_setAutomine', true)
    await follow()
    expect((await read(id)).state).toBe('COMPLETED')
    for (const payee of payees) expect(await pool.balanceOf(payee, 'USDC')).toBe(100n * USD)
  })

  test('brings no payment that was freed meanwhile', async () => {
    const { id, payees, text } = await halfSent()
    expect((await giveUp(id)).status).toBe(200)
    expect(codeOf(await send(id, text))).toBe('batchClosed')
    expect(await pool.balanceOf(payees[1] ?? '', 'USDC')).toBe(0n)
  })

  test('of a plain key that differs is not sent', async () => {
    const payees = [newAddress('Ethereum'), newAddress('Ethereum')]
    const id = await made('CSV', payees)
    const [first = '', second = ''] = payees
    const right = payees.map((to) => ({ to, units: 100n * USD }))
    const coin = await sign({
      from: PLAIN_KEY,
      to: second,
      value: '0x64',
      nonce: hex((await nextOf(PLAIN_KEY)) + 1),
    })
    const approval = await sign({
      from: PLAIN_KEY,
      to: pool.usdc.contract,
      data: `0x095ea7b3${transferData(THIEF, 1n).slice(8)}`,
      nonce: hex((await nextOf(PLAIN_KEY)) + 2),
    })
    const one = await transfers([{ to: first, units: 100n * USD }])
    for (const [text, what] of [
      [
        await transfers([
          { to: first, units: 100n * USD },
          { to: THIEF, units: 100n * USD },
        ]),
        ['payment', 'other'],
      ],
      [
        await transfers([
          { to: first, units: 100n * USD },
          { to: second, units: 99n * USD },
        ]),
        ['payment'],
      ],
      [await transfers([...right, { to: second, units: 100n * USD }]), ['other']],
      [one, ['payment']],
      [`${one} ${coin}`, ['payment', 'token']],
      [`${await transfers(right)} ${approval}`, ['call']],
      [await transfers(right, {}, 1), ['nonce']],
      [await transfers(right, { maxFeePerGas: hex(900_000_000_000) }), ['fee']],
      [await transfers(right, { gas: hex(22_000) }), ['gas']],
    ] as const)
      expect(await wrongOf(id, text)).toEqual(what)
    // The chain 1 in place of the play chain, in two bytes less. Another key signed that.
    const elsewhere = (await transfers(right)).replace(
      /02f8(..)827a69/g,
      (_, size: string) => `02f8${(Number.parseInt(size, 16) - 2).toString(16)}01`,
    )
    expect(await wrongOf(id, elsewhere)).toEqual(expect.arrayContaining(['chain', 'payer']))
    const other = await transfers(right, { from: pool.anvil.payer })
    expect(await wrongOf(id, other)).toContain('payer')
    for (const text of ['nothing', '0x02', `0x${'c0'.repeat(40)}`, one.slice(0, -2)])
      expect(codeOf(await compare(id, text))).toBe('signedUnreadable')
    expect(await pool.balanceOf(THIEF, 'USDC')).toBe(0n)
    expect((await giveUp(id)).status).toBe(200)
    expect(codeOf(await send(id, await transfers(right)))).toBe('batchClosed')
  })

  test('of a Safe is compared by its own hash', async () => {
    const payees = [newAddress('Ethereum'), newAddress('Ethereum')]
    const id = await made('SAFE', payees)
    const { safeHash } = await read(id)
    const right = payees.map((to) => ({ to, units: 100n * USD }))
    const executing = async (all: readonly Transfer[], more: object = {}, extra = '') => {
      const calls = all.map(({ to, units }) => ({
        to: pool.usdc.contract,
        value: 0n,
        data: transferData(to, units),
      }))
      const approval = { to: extra, value: 0n, data: '095ea7b3' }
      const data = executionBy(
        safeHash ?? '',
        safeTransactionOf([...calls, ...(extra === '' ? [] : [approval])], pool.multiSend),
      )
      const from = pool.anvil.payer
      const nonce = hex(await nextOf(from))
      return sign({ from, to: PLAY_SAFE, data, nonce, gas: hex(400_000), ...more })
    }
    const [first = ''] = payees
    for (const [text, what] of [
      [
        await executing([
          { to: first, units: 100n * USD },
          { to: THIEF, units: 100n * USD },
        ]),
        ['payment', 'other', 'rest'],
      ],
      [await executing([{ to: first, units: 100n * USD }]), ['payment', 'rest']],
      [await executing(right, {}, THIEF), ['call', 'rest']],
      [await executing(right.toReversed()), ['rest']],
      [await executing(right, { to: THIEF }), ['payer']],
      [await executing(right, { value: '0x1' }), ['call', 'payment', 'rest']],
    ] as const)
      expect((await wrongOf(id, text)).sort()).toEqual([...what].sort())
    const text = await executing(right)
    expect(
      (await compare(id, text)).body.lines.filter((each) => each.expected !== each.found),
    ).toEqual([])
    const answers = await Promise.all([send(id, text), send(id, text)])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    await follow()
    for (const payee of payees) expect(await pool.balanceOf(payee, 'USDC')).toBe(100n * USD)
    expect(await read(id)).toMatchObject({ state: 'COMPLETED' })
    expect(codeOf(await send(id, text))).toBe('batchClosed')
  })
})
