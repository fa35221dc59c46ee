import { cents } from '@pool/contract/base/money'
import { createWallet } from '@pool/contract/chain/wallets'
import { listPayments } from '@pool/contract/coins/payments'
import { listNotices } from '@pool/contract/reports/notices'
import { cancel } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertSetRate } from '../../chain/rates/rates.ts'
import { newAddress } from '../../testing/addresses.ts'
import { hasAnvil } from '../../testing/anvil.ts'
import { expectWhole, letHoursPass } from '../../testing/decisions.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { codeOf } from '../../testing/product.ts'
import { passGuard } from '../../testing/tamper.ts'
import { confirmDeposit } from './confirmDeposit.ts'
import { expireDeposits } from './expireDeposits.ts'
import { rejectDeposit } from './rejectDeposit.ts'

describe.skipIf(!hasAnvil)('payments on an EVM network', () => {
  let paid: PaidProduct
  beforeAll(async () => {
    paid = await startPaidProduct()
  })
  afterAll(() => paid.close())
  afterEach(async () => {
    await expectWhole(paid.product)
    await letHoursPass(paid.product, 25)
  })

  test('what was asked for and came is credited', async () => {
    const { product, admin, usdc, look, credit, settle, investor, available, depositsOf } = paid
    const { owner, id, address } = await investor(250)
    await usdc.send(address, dollars(250))
    await look()
    expect(await credit()).toEqual({ opened: 0, credited: 0 })
    expect(await settle()).toEqual({ opened: 0, credited: 1 })
    const basis = expect.stringMatching(/^250 USDC in block \d+ of Ethereum, worth \$250\.00$/)
    expect(await depositsOf(owner)).toEqual([
      {
        id,
        amount: 250,
        asked: null,
        status: 'APPROVED',
        ending: 'automatic',
        basis,
        unannounced: false,
      },
    ])
    expect(await available(owner)).toBe(250)
    expect(await settle()).toEqual({ opened: 0, credited: 0 })
    const { rows } = await product.database.pool.query(
      'SELECT deposit_id FROM payments WHERE address = $1',
      [address],
    )
    expect(rows).toEqual([{ deposit_id: id }])
    const { body } = await product.call(listPayments, { token: admin.token })
    expect(body).toContainEqual(expect.objectContaining({ userId: owner.id, depositId: id }))
  })

  test('less, more and a second payment are credited in full', async () => {
    const { usdc, usdt, settle, ask, investor, available, depositsOf } = paid
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
    const { usdc, settle, ask, investor, depositsOf } = paid
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
    const { product, usdc, settle, investor, available, depositsOf } = paid
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
    expect(JSON.stringify(notices)).toContain('"deposit.unannounced"')
    expect(await available(owner)).toBe(50)
  })

  test('one transaction credits two investors', async () => {
    const { usdc, settle, investor, available } = paid
    const [first, second] = [await investor(30), await investor(30)]
    await usdc.sendBoth(first.address, second.address, dollars(30))
    expect(await settle()).toEqual({ opened: 0, credited: 2 })
    expect([await available(first.owner), await available(second.owner)]).toEqual([30, 30])
  })

  test('a late payment to an archived address is credited', async () => {
    const { product, usdc, settle, investor, depositsOf } = paid
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

  test('coins on another network of an address are credited', async () => {
    const { product, admin, usdc, settle, investor, available, depositsOf } = paid
    const elsewhere = await investor(35, 'Polygon')
    // This one has another address on the network that is paid.
    const both = await investor(20, 'Polygon')
    await product.call(createWallet, {
      token: admin.token,
      payload: { address: newAddress('Ethereum'), networkName: 'Ethereum' },
    })
    await paid.ask(both.owner, 20)
    // One that no key of the pool gave may be a contract.
    const imported = await investor(15, 'Polygon')
    await passGuard(
      product.database.superuser,
      'wallets',
      `WITH key AS (INSERT INTO address_keys (id, network_name, key, fingerprint, added_by)
         VALUES (gen_random_uuid(), 'Polygon', 'xpub', '', $1) RETURNING id)
       UPDATE wallets SET key_id = key.id, derivation_index = place FROM key,
         unnest($2::text[]) WITH ORDINALITY AS derived (address, place) WHERE wallets.address = derived.address`,
      [admin.id, [elsewhere.address, both.address]],
    )
    await usdc.send(imported.address, dollars(15))
    await usdc.send(elsewhere.address, dollars(35))
    await usdc.send(both.address, dollars(20))
    expect(await settle()).toEqual({ opened: 1, credited: 1 })
    expect(await depositsOf(elsewhere.owner)).toMatchObject([
      { status: 'PENDING', amount: 35 },
      { status: 'APPROVED', amount: 35, unannounced: true },
    ])
    expect(await available(both.owner)).toBe(0)
    expect(await available(imported.owner)).toBe(0)
    await product.database.superuser.query('DELETE FROM payments WHERE deposit_id IS NULL')
  })

  test('more than the product may credit waits for a person', async () => {
    const { product, admin, usdc, settle, investor, available, depositsOf } = paid
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
    expect(codeOf(refused)).toBe('depositArrived')
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
    const { product, usdc, settle, investor, available } = paid
    const { owner, address } = await investor()
    for (let sent = 0; sent < 11; sent += 1) await usdc.send(address, dollars(1_000))
    expect(await settle()).toEqual({ opened: 11, credited: 10 })
    await letHoursPass(product, 25)
    expect(await settle()).toEqual({ opened: 0, credited: 1 })
    expect(await available(owner)).toBe(11_000)
  })

  test('below the minimum, and without a rate, a person decides', async () => {
    const { product, admin, anvil, usdc, credit, settle, investor, available, depositsOf } = paid
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

  test('two thousand payments below the minimum hold up nobody', async () => {
    const { product, usdc, settle, investor, available } = paid
    const sender = await investor()
    const other = await investor()
    await product.database.superuser.query(
      `INSERT INTO payments (id, network_name, transaction_id, output, address, asset, units, decimals, state, height, block_hash, confirmed_at, dollars, rate_at, seen_at)
       SELECT new_id(), 'Ethereum', '0x' || lpad(to_hex(n), 64, '0'), 0, $1, 'USDC', 9500000, 6, 'CONFIRMED', 1, '0x1', now(), 1, now(), now() - interval '1 day'
       FROM generate_series(1, 2000) AS n`,
      [sender.address],
    )
    await usdc.send(other.address, dollars(40))
    await usdc.send(sender.address, dollars(30))
    expect(await settle()).toEqual({ opened: 2, credited: 2 })
    expect(await available(other.owner)).toBe(40)
    expect(await available(sender.owner)).toBe(30)
    await product.database.superuser.query('DELETE FROM payments WHERE units = 9500000')
  })

  test('without the setting nothing is credited', async () => {
    const { product, usdc, settle, investor, depositsOf } = paid
    const [asked, without] = [await investor(50), await investor()]
    for (const { address } of [asked, without]) await usdc.send(address, dollars(50))
    const config = { ...product.context.config, autoConfirmUpTo: cents(0n) }
    expect(await settle({ ...product.context, config })).toEqual({ opened: 1, credited: 0 })
    expect(await depositsOf(asked.owner)).toMatchObject([{ status: 'PENDING' }])
    expect(await depositsOf(without.owner)).toMatchObject([{ status: 'PENDING' }])
    expect(await settle()).toEqual({ opened: 0, credited: 2 })
  })
})
