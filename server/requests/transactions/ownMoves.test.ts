import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import { hasAnvil } from '../../testing/anvil.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { addOwn } from '../../testing/ownCoins.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { confirmDeposit } from './confirmDeposit.ts'

describe.skipIf(!hasAnvil)('coins from an address of ours', () => {
  let paid: PaidProduct
  beforeAll(async () => {
    paid = await startPaidProduct()
    await addOwn(paid.product.database, 'Ethereum', paid.anvil.payer)
  })
  afterAll(() => paid?.close())

  test('credit no investor and open no deposit', async () => {
    const { product, usdc, settle, investor, depositsOf } = paid
    const { owner, id, address } = await investor(250)
    const other = await investor()
    const transaction = await usdc.send(address, dollars(250))
    await usdc.send(other.address, dollars(40))
    expect(await settle()).toEqual({ opened: 0, credited: 0 })
    expect(await depositsOf(owner)).toMatchObject([{ id, status: 'PENDING' }])
    expect(await depositsOf(other.owner)).toEqual([])
    const config = { ...product.context.config, poolMode: 'live' } as const
    const by = { id: paid.admin.id, name: paid.admin.email, from: 'tests' }
    await expect(
      confirmDeposit(
        { ...product.context, config },
        { transactionId: id, by, evidence: transaction },
      ),
    ).rejects.toMatchObject({ code: 'evidenceUnseen' })
    await expectWhole(product)
  })

  test('credit nothing at an address of ours', async () => {
    const { product, anvil, usdc, settle } = paid
    const cold = newAddress('Ethereum')
    await addOwn(product.database, 'Ethereum', cold, 'COLD')
    const [, stranger] = await anvil.ask<string[]>('eth_accounts')
    await usdc.send(cold, dollars(5), { from: stranger })
    expect(await settle()).toEqual({ opened: 0, credited: 0 })
    const { rows } = await product.database.pool.query(
      'SELECT state, deposit_id FROM payments WHERE address = $1',
      [cold],
    )
    expect(rows).toEqual([{ state: 'CONFIRMED', deposit_id: null }])
  })

  test('credit an investor whom a withdrawal pays', async () => {
    const { product, usdc, look, settle, investor, available } = paid
    const { superuser } = product.database
    const { owner, address } = await investor()
    const transaction = await usdc.send(address, dollars(60))
    await look()
    await superuser.query(
      `SET session_replication_role = replica;
       INSERT INTO batches (id, network_name, asset, decimals, kind, format, state, dollars, rate_at, file, digest, made_by)
       VALUES ('00000000-0000-0000-0000-00000000000b', 'Ethereum', 'USDC', 6, 'PAYOUT', 'CSV', 'SEEN', 1, now(), '', '', '${owner.id}');
       INSERT INTO batch_payouts (batch_id, position, withdrawal_id, address, units, transaction_id, output)
       VALUES ('00000000-0000-0000-0000-00000000000b', 0, '${owner.id}', '${address}', 60000000, '${transaction}', 0);
       SET session_replication_role = origin`,
    )
    expect(await settle()).toMatchObject({ credited: 1 })
    expect(await available(owner)).toBe(60)
  })
})
