import { approveOpenProposal } from '@pool/contract/agreements/staffProposals'
import { cents } from '@pool/contract/base/money'
import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openNode } from '../../chain/nodes/open.ts'
import { openSpendingProof } from '../../chain/nodes/proof.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../../testing/addresses.ts'
import { hasAnvil } from '../../testing/anvil.ts'
import { expectWhole, letHoursPass } from '../../testing/decisions.ts'
import { stopLooks } from '../../testing/looks.ts'
import { addOwn } from '../../testing/ownCoins.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { actAs, investorWith, person } from '../../testing/product.ts'
import { followPayouts } from './followPayouts.ts'

describe.skipIf(!hasAnvil)('a withdrawal marked by hand', () => {
  let paid: PaidProduct
  beforeAll(async () => {
    paid = await startPaidProduct()
    await addOwn(paid.product.database, 'Ethereum', paid.anvil.payer)
  })
  afterAll(() => paid?.close())
  afterEach(async () => {
    await expectWhole(paid.product)
    await letHoursPass(paid.product, 25)
  })

  const query = async (text: string, values: unknown[] = []) =>
    (await paid.product.database.superuser.query(text, values)).rows
  /** Makes all blocks final, reads them and follows. */
  const settle = async () => {
    await paid.anvil.ask('anvil_mine', '0x44')
    await paid.look()
    return follow()
  }
  const follow = () => {
    const { settings } = paid
    return followPayouts(paid.product.context, { settings, node: openNode(settings) })
  }
  const approved = async (amount: number) => {
    const { product } = paid
    const investor = await investorWith(product, amount + 30)
    const address = newAddress('Ethereum')
    const { transactionId: id } = await requestWithdrawal(product.context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(BigInt(amount * 100)),
      destinationAddress: address,
      networkName: 'Ethereum',
    })
    const by = actAs(await person(product, ['ADMIN']))
    await approveWithdrawal(product.context, { transactionId: id, userId: investor.id, by })
    return { id, address }
  }
  const mark = async (id: string, evidence: string) => {
    const { status } = await paid.product.call(markSent, {
      token: paid.admin.token,
      params: { id },
      payload: { networkName: 'Ethereum', evidence },
    })
    expect(status).toBe(200)
  }
  const alarms = async () =>
    (await query('SELECT kind FROM payout_alarms WHERE ended_at IS NULL')).map(({ kind }) => kind)

  test('is told where more left than it is worth', async () => {
    const { id, address } = await approved(10)
    await mark(id, await paid.usdc.send(address, dollars(40_000)))
    await settle()
    expect(await alarms()).toEqual(['UNEXPLAINED'])
  })

  const complete = async (id: string) =>
    (await paid.product.call(markCompleted, { token: paid.admin.token, params: { id } })).body as {
      proposalId: string | null
    }
  const statusOf = async (id: string) =>
    (await query('SELECT status FROM transactions WHERE id = $1', [id]))[0]?.status

  test('is completed once the node shows its worth', async () => {
    const { id, address } = await approved(20)
    await mark(id, await paid.usdc.send(address, dollars(20)))
    expect(await settle()).toMatchObject({ completed: 1 })
    expect(await settle()).toMatchObject({ completed: 0 })
    expect(await statusOf(id)).toBe('COMPLETED')
  })

  test('waits for a fine node that was looked at', async () => {
    const { id, address } = await approved(20)
    await mark(id, await paid.usdc.send(address, dollars(20)))
    await paid.anvil.ask('anvil_mine', '0x44')
    await paid.look()
    await query("UPDATE chains SET state = 'LYING'")
    expect(await follow()).toMatchObject({ completed: 0 })
    await paid.look()
    await stopLooks(paid.product.database)
    expect(await follow()).toMatchObject({ completed: 0 })
    await paid.look()
    expect(await follow()).toMatchObject({ completed: 1 })
    expect(await statusOf(id)).toBe('COMPLETED')
  })

  test.each([
    ['less', 15],
    ['more', 25],
  ])('waits for two people where %s arrived', async (_, sent) => {
    const { id, address } = await approved(20)
    await mark(id, await paid.usdc.send(address, dollars(sent)))
    expect(await settle()).toMatchObject({ completed: 0 })
    expect(await statusOf(id)).toBe('PROCESSING')
  })

  test('is completed by no one person without a transaction', async () => {
    const { product } = paid
    const { id } = await approved(20)
    await mark(id, `0x${'7'.repeat(64)}`)
    const { proposalId } = await complete(id)
    expect(proposalId).toEqual(expect.any(String))
    expect(await settle()).toMatchObject({ completed: 0 })
    expect(await statusOf(id)).toBe('PROCESSING')
    const forged = `UPDATE transactions SET status = 'COMPLETED', completed_at = now(), completed_basis = 'x' WHERE id = '${id}'`
    await expect(product.database.pool.query(forged)).rejects.toThrow('no payout on the chain')
    const other = await person(product, ['ADMIN'])
    const params = { id: proposalId ?? '' }
    const { status } = await product.call(approveOpenProposal, { token: other.token, params })
    expect(status).toBe(200)
    expect(await statusOf(id)).toBe('COMPLETED')
  })

  test('is proven by its own block and units alone', async () => {
    const { settings } = paid
    const { id, address } = await approved(20)
    const transaction = await paid.usdc.send(address, dollars(20))
    await mark(id, transaction)
    await settle()
    const [spending] = await query(
      `SELECT transaction_id AS transaction, height::int, block_hash AS hash FROM spendings WHERE transaction_id = $1`,
      [transaction],
    )
    const spent = [{ address: paid.anvil.payer, input: null, units: String(dollars(20)) }]
    const [sent] = await query(
      `SELECT output, address, asset, units::text FROM sent_coins JOIN spendings AS s ON s.id = spending_id WHERE s.transaction_id = $1`,
      [transaction],
    )
    const shown = { ...spending, spent }
    const proves = async (of: object, coins: object) => {
      // Each proof reads its block anew.
      const shownAt = await openSpendingProof(settings, openNode(settings))
      return (await shownAt({ ...shown, ...of }, { ...sent, ...coins })) !== undefined
    }
    expect(await proves({}, {})).toBe(true)
    expect(await proves({ hash: `0x${'1'.repeat(64)}` }, {})).toBe(false)
    expect(await proves({}, { units: String(dollars(21)) })).toBe(false)
    expect(await proves({}, { asset: 'USDT' })).toBe(false)
  })
})
