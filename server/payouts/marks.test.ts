import { cents } from '@pool/contract/money'
import { markSent } from '@pool/contract/sending'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openNode } from '../nodes/open.ts'
import { newAddress } from '../testing/addresses.ts'
import { hasAnvil } from '../testing/anvil.ts'
import { expectWhole, letHoursPass } from '../testing/decisions.ts'
import { addOwn } from '../testing/ownCoins.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../testing/paidProduct.ts'
import { actAs, investorWith, person } from '../testing/product.ts'
import { approveWithdrawal } from '../transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../transactions/requestWithdrawal.ts'
import { followPayouts } from './followPayouts.ts'

describe.skipIf(!hasAnvil)('a withdrawal marked by hand', { timeout: 120_000 }, () => {
  let paid: PaidProduct
  beforeAll(async () => {
    paid = await startPaidProduct()
    await addOwn(paid.product.database, 'Ethereum', paid.anvil.payer)
  }, 120_000)
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
    const { settings } = paid
    return followPayouts(paid.product.context, { settings, node: openNode(settings) })
  }
  const approved = async (amount: number) => {
    const { product } = paid
    const investor = await investorWith(product, amount + 30)
    const address = newAddress('Ethereum')
    const { transactionId: id } = await requestWithdrawal(product.context, {
      ...{ by: { id: investor.id, from: 'tests' }, amount: cents(BigInt(amount * 100)) },
      ...{ destinationAddress: address, networkName: 'Ethereum' },
    })
    const by = actAs(await person(product, ['ADMIN']))
    await approveWithdrawal(product.context, { transactionId: id, userId: investor.id, by })
    return { id, address }
  }
  const mark = async (id: string, evidence: string) => {
    const { status } = await paid.product.call(markSent, {
      ...{ token: paid.admin.token, params: { id } },
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
})
