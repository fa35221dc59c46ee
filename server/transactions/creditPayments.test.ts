import { cents, dollarsFromCents } from '@pool/contract/money'
import { listNotices } from '@pool/contract/notices'
import { listPayments } from '@pool/contract/payments'
import { cancel, deposit } from '@pool/contract/requests'
import { transactionStory } from '@pool/contract/stories'
import { listTransactions } from '@pool/contract/transactions'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { EvmSettings } from '../chainsFile.ts'
import { openLedger } from '../ledger/ledger.ts'
import { openNode } from '../nodes/open.ts'
import { lookAt } from '../nodes/states.ts'
import { insertSetRate } from '../rates/rates.ts'
import { newAddress } from '../testing/addresses.ts'
import {
  ANVIL_CHAIN,
  type Anvil,
  hasAnvil,
  type PlayToken,
  playToken,
  startAnvil,
} from '../testing/anvil.ts'
import { expectWhole, letHoursPass } from '../testing/decisions.ts'
import { chainsFile } from '../testing/playNode.ts'
import { codeOf, type Person, type Product, person, startProduct } from '../testing/product.ts'
import { addWallet } from '../wallets/addWallet.ts'
import { confirmDeposit } from './confirmDeposit.ts'
import { creditPayments } from './creditPayments.ts'
import { expireDeposits } from './expireDeposits.ts'
import { rejectDeposit } from './rejectDeposit.ts'

const NETWORK = 'Ethereum'
const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7'

describe.skipIf(!hasAnvil)('payments on an EVM network', () => {
  let anvil: Anvil
  let usdc: PlayToken
  let usdt: PlayToken
  let product: Product
  let admin: Person
  beforeAll(async () => {
    anvil = await startAnvil()
    usdc = await playToken(anvil, 6)
    usdt = await playToken(anvil, 18, USDT)
    const CHAINS = chainsFile({
      [NETWORK]: {
        kind: 'evm',
        url: anvil.url,
        chainId: ANVIL_CHAIN,
        tokens: [
          { symbol: 'USDC', contract: usdc.contract, decimals: 6 },
          { symbol: 'USDT', contract: usdt.contract, decimals: 18 },
        ],
      },
    })
    product = await startProduct({ CHAINS, AUTO_CONFIRM_UP_TO: '1000' })
    admin = await person(product, ['ADMIN'])
    await look()
  })
  afterAll(async () => {
    await product.close()
    await anvil.stop()
  })
  afterEach(async () => {
    await expectWhole(product)
    await letHoursPass(product, 25)
  })

  const settings = () => product.context.config.chains[0] as EvmSettings
  const node = () => openNode(settings())
  const look = async () => {
    const pricing = product.context.config
    const followed = { settings: settings(), node: node(), pricing, receivers: new Map() }
    expect(await lookAt(product.context.db, followed)).toMatchObject({ state: 'FINE' })
  }
  const credit = (context = product.context) =>
    creditPayments(context, { settings: settings(), node: node() })
  /** Makes all blocks final, reads them, and lets the product credit. */
  const settle = async (context = product.context) => {
    await anvil.ask('anvil_mine', '0x80')
    await look()
    return credit(context)
  }
  const ask = async (by: Person, amount: number) =>
    (
      await product.call(deposit, {
        token: by.token,
        payload: { userId: by.id, amount, networkName: NETWORK },
      })
    ).body
  /** An investor with an address, and a waiting deposit unless the amount is 0. */
  const investor = async (amount = 0) => {
    await addWallet(
      product.context,
      { address: newAddress(NETWORK), networkName: NETWORK },
      { name: 'tests', from: 'tests' },
    )
    const owner = await person(product)
    const { transactionId: id, address } = await ask(owner, amount || 10)
    if (amount === 0)
      await product.call(cancel, { token: owner.token, params: { id }, payload: {} })
    return { owner, id, address }
  }
  const dollars = (amount: number) => BigInt(amount * 1_000_000)
  const available = async ({ id }: Person) =>
    dollarsFromCents(await product.context.ledger.available(id))
  const depositsOf = async ({ id }: Person) =>
    (
      await product.database.pool.query(
        `SELECT id, amount::int / 100.0 AS amount, requested_amount::int / 100.0 AS asked, status, ending, basis, unannounced
         FROM transactions WHERE user_id = $1 AND ending IS DISTINCT FROM 'cancelled' ORDER BY created_at, id`,
        [id],
      )
    ).rows.map(({ amount, asked, ...row }) => ({
      ...row,
      amount: Number(amount),
      asked: asked === null ? null : Number(asked),
    }))

  test('what was asked for and came is credited', async () => {
    const { owner, id, address } = await investor(250)
    await usdc.send(address, dollars(250))
    await look()
    expect(await credit()).toEqual({ opened: 0, credited: 0 })
    expect(await settle()).toEqual({ opened: 0, credited: 1 })
    const basis = expect.stringMatching(/^250 USDC in block \d+ of Ethereum, worth \$250\.00$/)
    expect(await depositsOf(owner)).toEqual([
      {
        ...{ id, amount: 250, asked: null, status: 'APPROVED', ending: 'automatic', basis },
        unannounced: false,
      },
    ])
    expect(await available(owner)).toBe(250)
    expect(await settle()).toEqual({ opened: 0, credited: 0 })
    const { rows } = await product.database.pool.query('SELECT deposit_id FROM payments')
    expect(rows).toEqual([{ deposit_id: id }])
    const { body } = await product.call(listPayments, { token: admin.token })
    expect(body).toMatchObject([{ userId: owner.id, depositId: id }])
  })

  test('less, more and a second payment are credited in full', async () => {
    const { owner, address } = await investor(100)
    await usdt.send(address, 40n * 10n ** 18n)
    await settle()
    expect(await available(owner)).toBe(40)
    await ask(owner, 100)
    await usdc.send(address, dollars(160.5))
    await usdc.send(address, dollars(20))
    await settle()
    expect(await depositsOf(owner)).toMatchObject([
      { amount: 40, asked: 100, unannounced: false },
      { amount: 160.5, asked: 100, unannounced: false },
      { amount: 20, asked: null, unannounced: true },
    ])
    expect(await available(owner)).toBe(220.5)
  })

  test('the deposit of the same amount is credited first', async () => {
    const { owner, address } = await investor(300)
    await ask(owner, 75)
    await usdc.send(address, dollars(75))
    await settle()
    expect(await depositsOf(owner)).toMatchObject([
      { amount: 300, status: 'PENDING' },
      { amount: 75, status: 'APPROVED', asked: null },
    ])
  })

  test('coins without a request have a deposit of their own', async () => {
    const { owner, address } = await investor()
    await usdc.sendBoth(address, address, dollars(25))
    expect(await settle()).toEqual({ opened: 2, credited: 2 })
    const [first] = await depositsOf(owner)
    const { body } = await product.call(transactionStory, {
      token: owner.token,
      params: { id: first.id },
    })
    expect(body.events).toMatchObject([
      { what: 'arrived', by: { kind: 'system' } },
      { what: 'confirmed', by: { kind: 'system' } },
    ])
    const { body: notices } = await product.call(listNotices, { token: owner.token })
    expect(JSON.stringify(notices)).toContain('"deposit.arrived"')
    expect(await available(owner)).toBe(50)
  })

  test('one transaction credits two investors', async () => {
    const [first, second] = [await investor(30), await investor(30)]
    await usdc.sendBoth(first.address, second.address, dollars(30))
    expect(await settle()).toEqual({ opened: 0, credited: 2 })
    expect([await available(first.owner), await available(second.owner)]).toEqual([30, 30])
  })

  test('a late payment to an archived address is credited', async () => {
    const { owner, address } = await investor(60)
    await expireDeposits(product.context, 0)
    await product.database.superuser.query(
      'UPDATE wallets SET archived_at = now() WHERE address = $1',
      [address],
    )
    await usdc.send(address, dollars(60))
    await settle()
    expect(await depositsOf(owner)).toMatchObject([
      { status: 'EXPIRED' },
      { status: 'APPROVED', amount: 60, unannounced: true },
    ])
  })

  test('more than the product may credit waits for a person', async () => {
    const asked = await investor(1_001)
    const without = await investor()
    await usdc.send(asked.address, dollars(1_001))
    await usdc.send(without.address, dollars(1_001))
    expect(await settle()).toEqual({ opened: 1, credited: 0 })
    expect(await settle()).toEqual({ opened: 0, credited: 0 })
    const [waits] = await depositsOf(without.owner)
    expect(waits).toMatchObject({ status: 'PENDING', unannounced: true, amount: 1_001 })
    // Its coins are here, so it is neither called off nor forgotten.
    const { token } = without.owner
    const refused = await product.call(cancel, { token, params: { id: waits.id }, payload: {} })
    expect(codeOf(refused)).toBe('forbidden')
    await expireDeposits(product.context, 0)
    const { body } = await product.call(listTransactions, {
      token: admin.token,
      query: { ids: waits.id, limit: '1' },
    })
    expect(body).toMatchObject([{ unannounced: true, flags: ['unannounced'] }])
    const by = { id: admin.id, name: admin.email, from: 'tests' }
    await confirmDeposit(product.context, { transactionId: waits.id, by })
    expect(await available(without.owner)).toBe(1_001)
    // The rejected one is not opened again.
    const rejected = await investor()
    await usdc.send(rejected.address, dollars(2_000))
    await settle()
    const [{ id }] = await depositsOf(rejected.owner)
    await rejectDeposit(product.context, { transactionId: id, by, reason: 'Stolen coins' })
    expect(await settle()).toEqual({ opened: 0, credited: 0 })
    expect(await depositsOf(rejected.owner)).toMatchObject([{ status: 'REJECTED' }])
  })

  test('limits of a day hold, and free the rest later', async () => {
    const { owner, address } = await investor()
    for (let sent = 0; sent < 11; sent += 1) await usdc.send(address, dollars(1_000))
    expect(await settle()).toEqual({ opened: 11, credited: 10 })
    await letHoursPass(product, 25)
    expect(await settle()).toEqual({ opened: 0, credited: 1 })
    expect(await available(owner)).toBe(11_000)
  })

  test('below the minimum, and without a rate, a person decides', async () => {
    const small = await investor(5)
    await usdc.send(small.address, dollars(9.99))
    const unpriced = await investor()
    await anvil.pay(unpriced.address, 10n ** 17n)
    expect(await settle()).toEqual({ opened: 0, credited: 0 })
    const by = { id: admin.id, name: 'tests', from: 'tests' }
    const rate = { coin: 'ETH', dollars: '2000', setBy: admin.id, by } as const
    await insertSetRate(product.context.db, product.context.keys, rate)
    expect(await credit()).toEqual({ opened: 1, credited: 1 })
    expect(await available(unpriced.owner)).toBe(200)
    expect(await depositsOf(small.owner)).toMatchObject([{ status: 'PENDING' }])
  })

  test('without the setting nothing is credited', async () => {
    const [asked, without] = [await investor(50), await investor()]
    for (const { address } of [asked, without]) await usdc.send(address, dollars(50))
    const config = { ...product.context.config, autoConfirmUpTo: cents(0n) }
    expect(await settle({ ...product.context, config })).toEqual({ opened: 1, credited: 0 })
    expect(await depositsOf(asked.owner)).toMatchObject([{ status: 'PENDING' }])
    expect(await depositsOf(without.owner)).toMatchObject([{ status: 'PENDING' }])
    expect(await settle()).toEqual({ opened: 0, credited: 2 })
  })

  test('a row that the node does not show credits nothing', async () => {
    const forged = [
      'units = units * 10',
      "block_hash = '0x' || repeat('ab', 32)",
      "transaction_id = '0x' || repeat('cd', 32)",
      'height = height - 1',
      'output = 7',
      'address = $2',
    ]
    const other = await investor()
    const sent = []
    for (const set of forged) {
      const { owner, address } = await investor()
      sent.push({ set, owner, hash: await usdc.send(address, dollars(20)) })
    }
    await anvil.ask('anvil_mine', '0x80')
    await look()
    for (const { set, hash } of sent)
      await product.database.superuser.query(
        `UPDATE payments SET ${set} WHERE transaction_id = $1${set.includes('$2') ? '' : " AND $2 <> ''"}`,
        [hash, other.address],
      )
    expect(await credit()).toEqual({ opened: 0, credited: 0 })
    for (const { owner } of [...sent, other]) expect(await available(owner)).toBe(0)
    await product.database.superuser.query('DELETE FROM payments WHERE deposit_id IS NULL')
  })

  test('nodes and staff at once credit each payment once', async () => {
    const contexts = Array.from({ length: 3 }, () => ({
      ...product.context,
      ledger: openLedger(product.database.pool),
    }))
    const by = { id: admin.id, name: admin.email, from: 'tests' }
    for (let round = 0; round < 4; round += 1) {
      const { owner, id, address } = await investor(40)
      const [first, second] = [
        await usdc.send(address, dollars(40)),
        await usdc.send(address, dollars(15)),
      ]
      await anvil.ask('anvil_mine', '0x80')
      await look()
      // Staff name the same payment, or the other one without its log.
      const named =
        round % 2 ? { evidence: `${first}:0` } : { evidence: second, receivedAmount: cents(15_00n) }
      await Promise.allSettled([
        confirmDeposit(product.context, { transactionId: id, by, ...named }),
        ...contexts.map(credit),
      ])
      await credit()
      expect(await available(owner)).toBe(55)
      expect((await depositsOf(owner)).map(({ amount }) => amount).sort()).toEqual([15, 40])
    }
  })

  test('a stop between opening and crediting loses nothing', async () => {
    const { owner, address } = await investor()
    await usdc.send(address, dollars(90))
    const ledger = { ...product.context.ledger, post: () => Promise.reject(new Error('killed')) }
    await expect(settle({ ...product.context, ledger })).rejects.toThrow('killed')
    expect(await depositsOf(owner)).toMatchObject([{ status: 'PENDING', unannounced: true }])
    expect(await credit()).toEqual({ opened: 0, credited: 1 })
    expect(await available(owner)).toBe(90)
  })

  test('after forks and repeats, credits are what the node says', async () => {
    const people = await Promise.all([investor(), investor(), investor()])
    const chance = (below: number) => Math.floor(Math.random() * below)
    for (let step = 0; step < 30; step += 1) {
      const one = people[chance(people.length)] as (typeof people)[number]
      const amount = 10 + chance(300) / 4
      const [token, part] = chance(2) ? [usdc, 10n ** 4n] : [usdt, 10n ** 16n]
      const units = BigInt(amount * 100) * part
      if (chance(3) === 0) await ask(one.owner, amount)
      await token.send(one.address, units)
      if (chance(4) === 0) await token.sendBoth(one.address, people[0].address, units)
      if (chance(5) === 0) await anvil.ask('anvil_reorg', 1 + chance(3), [])
      if (chance(3) === 0) await Promise.all([look(), credit()])
      if (chance(10) === 0) await settle()
    }
    await settle()
    await letHoursPass(product, 25)
    await Promise.all([settle(), credit()])
    // The judge reads the node, not the rows.
    for (const { owner, address } of people) {
      const logs = await anvil.ask<{ address: string; data: string }[]>('eth_getLogs', {
        fromBlock: '0x0',
        toBlock: 'latest',
        topics: [null, null, `0x${address.slice(2).toLowerCase().padStart(64, '0')}`],
      })
      const cents = logs.reduce(
        (sum, log) =>
          sum + BigInt(log.data) / (log.address === usdc.contract ? 10n ** 4n : 10n ** 16n),
        0n,
      )
      expect(logs.length).toBeGreaterThan(0)
      expect(await product.context.ledger.available(owner.id)).toBe(cents)
    }
  })
})
