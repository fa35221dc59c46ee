import { listPayments } from '@pool/contract/coins/payments'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openNode } from '../../chain/nodes/open.ts'
import { insertSetRate } from '../../chain/rates/rates.ts'
import { newAddress } from '../../testing/addresses.ts'
import { hasAnvil, playContract, type Step } from '../../testing/anvil.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { confirmDeposit } from './confirmDeposit.ts'
import { creditPayments } from './creditPayments.ts'

const CONTRACT = newAddress('Ethereum')
/** A tenth of a coin, worth $20. */
const TENTH = 10n ** 17n

describe.skipIf(!hasAnvil)('coins that a contract sends', () => {
  let paid: PaidProduct
  beforeAll(async () => {
    paid = await startPaidProduct({ traces: true })
    const { product, admin } = paid
    const by = { id: admin.id, name: 'tests', from: 'tests' }
    const rate = { coin: 'ETH', dollars: '200', setBy: admin.id, by } as const
    await insertSetRate(product.context.db, product.context.keys, rate)
  })
  afterAll(() => paid?.close())
  beforeEach(() => expectWhole(paid.product))

  /** A transaction of a contract that sends to each address. Returns its id. */
  const payAll = async (
    addresses: readonly string[],
    { units = TENTH, at = newAddress('Ethereum'), ...more } = {},
  ) => {
    const steps: Step[] = addresses.map((send) => ({ send, units }))
    const contract = await playContract(paid.anvil, at, steps)
    const value = units * BigInt(addresses.length)
    return paid.anvil.pay(contract, value, { gas: '0x7a120', gasPrice: '0x2e90edd000', ...more })
  }
  const evidenceOf = async (owner: { readonly id: string }) => {
    const { body } = await paid.product.call(listPayments, { token: paid.admin.token })
    return body
      .filter(({ userId }) => userId === owner.id)
      .map(({ evidence }) => evidence)
      .sort()
  }

  test('credit two investors, and one of them twice', async () => {
    const { settle, investor, available, depositsOf } = paid
    const [first, second] = [await investor(20), await investor()]
    const id = await payAll([first.address, second.address, first.address])
    expect(await settle()).toEqual({ opened: 2, credited: 3 })
    expect(await settle()).toEqual({ opened: 0, credited: 0 })
    expect([await available(first.owner), await available(second.owner)]).toEqual([40, 20])
    expect(await depositsOf(first.owner)).toMatchObject([
      { id: first.id, status: 'APPROVED', unannounced: false },
      { status: 'APPROVED', unannounced: true },
    ])
    expect(await evidenceOf(first.owner)).toEqual([`${id}:-2`, `${id}:-4`])
    expect(await evidenceOf(second.owner)).toEqual([`${id}:-3`])
  })

  test('are named by staff as the product shows them', async () => {
    const { product, admin, settle, ask, investor, available } = paid
    // More than the product credits itself.
    const { owner, id, address } = await investor(2_000)
    const { transactionId: second } = await ask(owner, 2_000)
    const transaction = await payAll([address, address], { units: 100n * TENTH })
    await settle()
    const live = { ...product.context, config: { ...product.context.config, poolMode: 'live' } }
    const confirm = (transactionId: string, output: number) =>
      confirmDeposit(live as typeof product.context, {
        transactionId,
        evidence: `${transaction}:${output}`,
        by: { id: admin.id, name: admin.email, from: 'tests' },
      })
    await expect(confirm(id, -9)).rejects.toMatchObject({ code: 'evidenceUnseen' })
    await expect(confirm(id, -1)).rejects.toMatchObject({ code: 'evidenceInvalid' })
    await confirm(id, -2)
    await expect(confirm(second, -2)).rejects.toMatchObject({ code: 'evidenceOutputUsed' })
    await confirm(second, -3)
    expect(await available(owner)).toBe(4_000)
    expect(await settle()).toEqual({ opened: 0, credited: 0 })
  })

  test('keep their number in another block', async () => {
    const { product, anvil, look, settle, investor, available } = paid
    const [first, second] = [await investor(), await investor()]
    const pay = () => payAll([first.address, second.address], { at: CONTRACT })
    const before = await anvil.ask('evm_snapshot')
    const id = await pay()
    await look()
    const rows = async () =>
      (
        await product.database.superuser.query(
          'SELECT id, output, address, state FROM payments WHERE transaction_id = $1 ORDER BY output',
          [id],
        )
      ).rows
    const seen = await rows()
    expect(seen).toMatchObject([
      { output: -3, address: second.address, state: 'SEEN' },
      { output: -2, address: first.address, state: 'SEEN' },
    ])
    await anvil.ask('evm_revert', before)
    await anvil.ask('anvil_mine', '0x3')
    await look()
    expect(await rows()).toMatchObject([{ state: 'DROPPED' }, { state: 'DROPPED' }])
    // The same transaction comes back in a higher block.
    expect(await pay()).toBe(id)
    expect(await settle()).toEqual({ opened: 2, credited: 2 })
    expect(await rows()).toEqual(seen.map((row) => ({ ...row, state: 'CONFIRMED' })))
    expect([await available(first.owner), await available(second.owner)]).toEqual([20, 20])
  })

  test('are credited where the node traces them again', async () => {
    const { product, anvil, settings, look, investor, available } = paid
    const { owner, address } = await investor()
    await payAll([address])
    await anvil.ask('anvil_mine', '0x80')
    await look()
    const creditBy = (traces: boolean) =>
      creditPayments(product.context, { settings, node: openNode({ ...settings, traces }) })
    expect(await creditBy(false)).toEqual({ opened: 0, credited: 0 })
    expect(await creditBy(true)).toEqual({ opened: 1, credited: 1 })
    expect(await available(owner)).toBe(20)
  })
})
