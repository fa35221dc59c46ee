import { cents } from '@pool/contract/base/money'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { hasAnvil } from '../../testing/anvil.ts'
import { expectWhole, letHoursPass } from '../../testing/decisions.ts'
import { stopLooks } from '../../testing/looks.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import type { Person } from '../../testing/product.ts'
import { confirmDeposit } from './confirmDeposit.ts'
import { rejectDeposit } from './rejectDeposit.ts'

describe.skipIf(!hasAnvil)('forged, doubted and raced payments', () => {
  let paid: PaidProduct
  beforeAll(async () => {
    paid = await startPaidProduct()
  })
  afterAll(() => paid.close())
  afterEach(async () => {
    await expectWhole(paid.product)
    await letHoursPass(paid.product, 25)
  })

  test('a row that the node does not show credits nothing', async () => {
    const { product, anvil, usdc, look, credit, investor, available } = paid
    const forged = [
      'units = units * 10',
      "block_hash = '0x' || repeat('ab', 32)",
      "transaction_id = '0x' || repeat('cd', 32)",
      'height = height - 1',
      'output = 7',
      'address = $2',
    ]
    const other = await investor()
    const real = await investor()
    await usdc.send(real.address, dollars(20))
    const sent: { set: string; owner: Person; hash: string }[] = []
    for (const set of forged) {
      const { owner, address } = await investor()
      sent.push({ set, owner, hash: await usdc.send(address, dollars(20)) })
    }
    await anvil.ask('anvil_mine', '0x80')
    await look()
    // Seen by the node, and not deep enough.
    const { owner: early, address } = await investor()
    await usdc.send(address, dollars(20))
    await look()
    for (const { set, hash } of sent)
      await product.database.superuser.query(
        `UPDATE payments SET ${set} WHERE transaction_id = $1${set.includes('$2') ? '' : " AND $2 <> ''"}`,
        [hash, other.address],
      )
    await product.database.superuser.query(
      "UPDATE payments SET state = 'CONFIRMED' WHERE address = $1",
      [address],
    )
    const chain = (state: string) =>
      product.database.superuser.query('UPDATE chains SET state = $1', [state])
    await chain('LYING')
    expect(await credit()).toEqual({ opened: 0, credited: 0 })
    await chain('FINE')
    expect(await credit()).toEqual({ opened: 1, credited: 1 })
    expect(await available(real.owner)).toBe(20)
    for (const { owner } of [...sent, other]) expect(await available(owner)).toBe(0)
    expect(await available(early)).toBe(0)
    await product.database.superuser.query('DELETE FROM payments WHERE deposit_id IS NULL')
  })

  test('a state without a look in its time credits nothing', async () => {
    const { product, anvil, usdc, look, credit, investor, available } = paid
    const { owner, address } = await investor()
    await usdc.send(address, dollars(20))
    await anvil.ask('anvil_mine', '0x44')
    await look()
    await stopLooks(product.database)
    expect(await credit()).toEqual({ opened: 0, credited: 0 })
    await look()
    expect(await credit()).toEqual({ opened: 1, credited: 1 })
    expect(await available(owner)).toBe(20)
  })

  test('a deposit of another person gets no coins', async () => {
    const { product, usdc, settle, investor, available } = paid
    const [victim, thief] = [await investor(), await investor()]
    const hash = await usdc.send(victim.address, dollars(80))
    // As the product's role in the database could write it.
    await product.database.pool.query(
      `INSERT INTO transactions (id, user_id, type, amount, status, wallet_id, evidence_network, evidence, evidence_output, unannounced, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 'deposit', 8000, 'PENDING', id, 'Ethereum', $2, 0, true, now() - interval '1 day', now() FROM wallets WHERE address = $3`,
      [thief.owner.id, hash, thief.address],
    )
    await expect(settle()).rejects.toThrow('Transaction not found')
    expect([await available(victim.owner), await available(thief.owner)]).toEqual([0, 0])
    await product.database.superuser.query('DELETE FROM payments WHERE deposit_id IS NULL')
  })

  test('doubts of staff leave the credit to a person', async () => {
    const { product, admin, usdc, look, settle, investor, available } = paid
    const by = { id: admin.id, name: admin.email, from: 'tests' }
    const rejected = await investor(70)
    await usdc.send(rejected.address, dollars(70))
    await look()
    await rejectDeposit(product.context, {
      transactionId: rejected.id,
      by,
      reason: 'Stolen coins',
    })
    // An explorer counts the logs of a whole block.
    const counted = await investor(30)
    const hash = await usdc.send(counted.address, dollars(30))
    await confirmDeposit(product.context, {
      transactionId: counted.id,
      evidence: `${hash}:57`,
      by,
    })
    expect(await settle()).toEqual({ opened: 2, credited: 0 })
    expect(await settle()).toEqual({ opened: 0, credited: 0 })
    expect(await available(rejected.owner)).toBe(0)
    expect(await available(counted.owner)).toBe(30)
    await product.database.superuser.query('DELETE FROM payments WHERE deposit_id IS NULL')
  })

  test('nodes and staff at once credit each payment once', async () => {
    const { product, admin, anvil, usdc, look, credit, investor, available, depositsOf } = paid
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
    const { product, usdc, credit, settle, investor, available, depositsOf } = paid
    const { owner, address } = await investor()
    await usdc.send(address, dollars(90))
    const ledger = { ...product.context.ledger, post: () => Promise.reject(new Error('killed')) }
    await expect(settle({ ...product.context, ledger })).rejects.toThrow('killed')
    expect(await depositsOf(owner)).toMatchObject([{ status: 'PENDING', unannounced: true }])
    expect(await credit()).toEqual({ opened: 0, credited: 1 })
    expect(await available(owner)).toBe(90)
  })

  test('after forks and repeats, credits are what the node says', async () => {
    const { product, anvil, usdc, usdt, look, credit, settle, ask, investor } = paid
    const people = [await investor(), await investor(), await investor()] as const
    const seed = Date.now() % 1_000_000
    const random = fc.sample(fc.nat(), { seed, numRuns: 1_000 })
    const chance = (below: number) => (random.pop() ?? 0) % below
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
      expect([seed, await product.context.ledger.available(owner.id)]).toEqual([seed, cents])
    }
  })
})
