import { listUnseen, settleUnseen } from '@pool/contract/coins/unseen'
import { listAudit } from '@pool/contract/reports/audit'
import { listNotices } from '@pool/contract/reports/notices'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import type { Node } from '../../chain/nodes/node.ts'
import { openNode } from '../../chain/nodes/open.ts'
import { pollNode } from '../../chain/nodes/states.ts'
import { addWallet } from '../../chain/wallets/addWallet.ts'
import { newAddress } from '../../testing/addresses.ts'
import { type Anvil, hasAnvil, playContract } from '../../testing/anvil.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { stopLooks } from '../../testing/looks.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { codeOf, person } from '../../testing/product.ts'
import { compareBalances } from './compareBalances.ts'

describe.skipIf(!hasAnvil)('balances compared with payments', () => {
  let paid: PaidProduct
  let anvil: Anvil
  let settings: EvmSettings
  let node: Node
  beforeAll(async () => {
    paid = await startPaidProduct()
    anvil = paid.anvil
    settings = paid.settings
    node = openNode(settings)
  })
  afterAll(() => paid?.close())
  // Addresses of earlier tests are older than the first look, and begin with what they have.
  beforeEach(() =>
    paid.product.database.superuser.query(
      `DELETE FROM unseen_arrivals; DELETE FROM balance_checks; DELETE FROM payments;
       UPDATE chains SET followed_since = now()`,
    ),
  )

  const compare = (by: Node = node, stopping?: AbortSignal) =>
    compareBalances(paid.product.context, { settings, node: by, stopping })
  /** Makes all blocks final, reads them, and compares. */
  const compareAll = async (by?: Node) => {
    await anvil.ask('anvil_mine', '0x80')
    await paid.look()
    return compare(by)
  }
  /** Gives coins that no transaction shows. */
  const slip = async (address: string, units: bigint) => {
    const before = BigInt(await anvil.ask<string>('eth_getBalance', address, 'latest'))
    await anvil.ask('anvil_setBalance', address, `0x${(before + units).toString(16)}`)
  }
  const findings = async () =>
    (
      await paid.product.database.superuser.query(
        'SELECT address, asset, units::int, above < height AS forward FROM unseen_arrivals ORDER BY found_at, asset, units',
      )
    ).rows

  test('find what a new address got before its first comparison', async () => {
    const { address } = await paid.investor()
    await paid.usdc.sendSilently(address, 17n)
    await anvil.pay(address, 5n)
    expect(await compareAll()).toBe(1)
    expect(await findings()).toEqual([{ address, asset: 'USDC', units: 17, forward: true }])
    expect(await compareAll()).toBe(0)
  })

  test('find coins that were moved on within the hour', async () => {
    const [address = ''] = (await anvil.ask<string[]>('eth_accounts')).slice(3)
    const { product } = paid
    const by = { name: 'tests', from: 'tests' }
    await addWallet(product.context, { address, networkName: 'Ethereum' }, by)
    const owner = await person(product)
    await paid.ask(owner, 10)
    await anvil.ask('anvil_setBalance', address, '0x0')
    await anvil.pay(address, 10n ** 18n)
    expect(await compareAll()).toBe(0)
    // The play token takes nothing from its sender, so what it sent is missing as well.
    await paid.usdc.sendSilently(address, 17n)
    const payment = { from: address, to: paid.settings.tokens[0]?.contract, gas: '0x30d40' }
    const data = `0x${paid.usdc.callOf(newAddress('Ethereum'), 3n)}`
    await anvil.ask('eth_sendTransaction', { ...payment, data })
    await anvil.ask('eth_sendTransaction', { from: address, to: anvil.payer, value: '0x5' })
    await slip(address, 1n)
    expect(await compareAll()).toBe(2)
    expect(await findings()).toMatchObject([
      { address, asset: 'ETH', units: 1 },
      { address, asset: 'USDC', units: 20 },
    ])
  })

  test('find nothing that older addresses have, or was seen', async () => {
    const { address } = await paid.investor()
    await slip(address, 11n)
    await paid.product.database.superuser.query('UPDATE chains SET followed_since = now()')
    expect(await compareAll()).toBe(0)
    await anvil.pay(address, 5n)
    await paid.usdc.send(address, dollars(25))
    await paid.usdt.send(address, 7n)
    expect(await compareAll()).toBe(0)
    expect(await findings()).toEqual([])
  })

  test('find coins and tokens without a payment once', async () => {
    const { address } = await paid.investor()
    expect(await compareAll()).toBe(0)
    await slip(address, 13n)
    await anvil.pay(address, 5n)
    await paid.usdc.sendSilently(address, 17n)
    await paid.usdc.send(address, dollars(1))
    const payer = await playContract(anvil, newAddress('Ethereum'), [{ send: address, units: 29n }])
    await anvil.pay(payer, 29n, { gas: '0x7a120' })
    expect(await compareAll()).toBe(2)
    const found = [
      { address, asset: 'ETH', units: 13 + 29, forward: true },
      { address, asset: 'USDC', units: 17, forward: true },
    ]
    expect(await findings()).toEqual(found)
    expect(await compareAll()).toBe(0)
    expect(await findings()).toEqual(found)
    await expectWhole(paid.product)
  })

  test('count what traces find as seen', async () => {
    const { address } = await paid.investor()
    await compareAll()
    const payer = await playContract(anvil, newAddress('Ethereum'), [{ send: address, units: 31n }])
    await anvil.pay(payer, 31n, { gas: '0x7a120' })
    await anvil.ask('anvil_mine', '0x80')
    const traced = { ...settings, traces: true }
    const { config: pricing, keys } = paid.product.context
    const followed = {
      settings: traced,
      node: openNode(traced),
      pricing,
      keys,
      receivers: new Map(),
    }
    await pollNode(paid.product.context.db, followed)
    expect(await compare()).toBe(0)
  })

  test('see no block before it is final', async () => {
    const { address } = await paid.investor()
    await compareAll()
    await slip(address, 19n)
    await anvil.ask('anvil_mine', '0x1')
    await paid.look()
    expect(await compare()).toBe(0)
    expect(await compareAll()).toBe(1)
  })

  test('are those of addresses that an investor was given', async () => {
    const { product } = paid
    const [given, free] = [(await paid.investor()).address, newAddress('Ethereum')]
    await product.database.superuser.query(
      `INSERT INTO wallets (id, address, network_name) VALUES (gen_random_uuid(), '${free}', 'Ethereum');
       UPDATE wallets SET archived_at = now() WHERE address = '${given}'`,
    )
    await compareAll()
    for (const address of [given, free]) await slip(address, 3n)
    expect(await compareAll()).toBe(1)
    expect(await findings()).toMatchObject([{ address: given }])
    await product.database.superuser.query(`DELETE FROM wallets WHERE address = '${free}'`)
  })

  test('wait for a fine node of the chain', async () => {
    const { address } = await paid.investor()
    await compareAll()
    await slip(address, 23n)
    await anvil.ask('anvil_mine', '0x80')
    await paid.look()
    const { superuser } = paid.product.database
    await superuser.query("UPDATE chains SET state = 'STUCK'")
    expect(await compare()).toBeUndefined()
    await superuser.query("UPDATE chains SET state = 'FINE'")
    await stopLooks(paid.product.database)
    expect(await compare()).toBeUndefined()
    await paid.look()
    expect(await compare({ ...node, hashAt: async () => `0x${'0'.repeat(64)}` })).toBeUndefined()
    const { balances: _, ...without } = node
    expect(await compare(without)).toBeUndefined()
    expect(await findings()).toEqual([])
    expect(await compare()).toBe(1)
  })

  test('are found once by many comparisons at a time', async () => {
    const owners = [await paid.investor(), await paid.investor(), await paid.investor()]
    await compareAll()
    for (const [at, { address }] of owners.entries()) await slip(address, BigInt(at + 1))
    await anvil.ask('anvil_mine', '0x80')
    await paid.look()
    // Each has read the balances before any writes.
    let reading = 4
    const { promise: haveRead, resolve } = Promise.withResolvers<void>()
    const waits: Node = {
      ...node,
      balances: async (height, addresses) => {
        const read = (await node.balances?.(height, addresses)) ?? []
        reading -= 1
        if (reading === 0) resolve()
        await haveRead
        return read
      },
    }
    const found = await Promise.all(Array.from({ length: 4 }, () => compare(waits)))
    expect(found.reduce((sum: number, each) => sum + (each ?? 0), 0)).toBe(3)
    expect((await findings()).map(({ units }) => units).sort()).toEqual([1, 2, 3])
  })

  test('lose nothing where the product ends in between', async () => {
    const owners = []
    // More than are compared in one transaction.
    for (let made = 0; made < 60; made += 1) owners.push(await paid.investor())
    await compareAll()
    for (const { address } of owners) await slip(address, 2n)
    await anvil.ask('anvil_mine', '0x80')
    await paid.look()
    // Ends after the first reading, and then after the second one.
    const stopping = new AbortController()
    const ends: Node = {
      ...node,
      balances: async (height, addresses) => {
        const read = (await node.balances?.(height, addresses)) ?? []
        stopping.abort()
        return read
      },
    }
    expect(await compare(ends, stopping.signal)).toBeUndefined()
    expect(await findings()).toEqual([])
    let readings = 0
    const fails: Node = {
      ...node,
      balances: async (height, addresses) => {
        readings += 1
        if (readings > 1) throw new Error('killed')
        return (await node.balances?.(height, addresses)) ?? []
      },
    }
    await expect(compare(fails)).rejects.toThrow('killed')
    const half = (await findings()).length
    expect([half > 0, half < owners.length]).toEqual([true, true])
    await compare()
    expect((await findings()).map(({ address }) => address).sort()).toEqual(
      owners.map(({ address }) => address).sort(),
    )
  })

  test('are settled by staff with a reason, once', async () => {
    const { product, admin } = paid
    const { owner, address } = await paid.investor()
    await compareAll()
    await slip(address, 10n ** 16n)
    await compareAll()
    const { body } = await product.call(listUnseen, { token: admin.token })
    expect(body).toMatchObject([
      {
        network: 'Ethereum',
        address,
        userId: owner.id,
        asset: 'ETH',
        amount: '0.01',
        settledAt: null,
        settledBy: null,
        reason: null,
      },
    ])
    const { body: notices } = await product.call(listNotices, { token: admin.token })
    expect(JSON.stringify(notices)).toContain('"arrival.unseen"')
    const id = body[0]?.id ?? ''
    const settle = (reason: string, { token } = admin) =>
      product.call(settleUnseen, { token, params: { id }, payload: { reason } })
    expect((await settle(' ')).status).toBe(400)
    expect((await settle('Credited by hand')).status).toBe(200)
    expect(codeOf(await settle('Again'))).toBe('unseenSettled')
    expect((await product.call(listUnseen, { token: admin.token })).body).toMatchObject([
      { settledBy: admin.email, reason: 'Credited by hand' },
    ])
    const auditor = await person(product, ['SUPER_ADMIN'])
    const { body: entries } = await product.call(listAudit, { token: auditor.token })
    expect(entries.slice(0, 8)).toContainEqual(
      expect.objectContaining({
        action: 'arrival.settled',
        actor: admin.email,
        reason: 'Credited by hand',
        subjectId: id,
      }),
    )
    await expectWhole(product)
  })
})
