import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import { giveUpBatch } from '@pool/contract/coins/batches'
import { listAlarms, settleAlarm } from '@pool/contract/coins/payouts'
import { askRelease, askSending } from '@pool/contract/lending/loans'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openNode } from '../../chain/nodes/open.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { newAddress } from '../../testing/addresses.ts'
import { hasAnvil } from '../../testing/anvil.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { followAndLend } from '../../testing/followAndLend.ts'
import { expectCustody, openDesk } from '../../testing/loanDesk.ts'
import { addOwn } from '../../testing/ownCoins.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../../testing/paidProduct.ts'
import { codeOf, person } from '../../testing/product.ts'
import { sendable } from '../../testing/sendingDesk.ts'

describe.skipIf(!hasAnvil)('a loan that the chain pays otherwise', () => {
  let paid: PaidProduct
  beforeAll(async () => {
    paid = await startPaidProduct()
    await addOwn(paid.product.database, 'Ethereum', paid.anvil.payer)
    await contributeCapital(paid.product.context, {
      amount: cents(10_000_00n),
      note: 'For loans',
      contributedBy: 'tests',
    })
  })
  afterAll(() => paid?.close())

  /** Two loans that a batch is to pay, each with its address. */
  const batched = async () => {
    const { product, admin } = paid
    const { token } = admin
    const desk = openDesk(product, admin, await person(product, ['ADMIN']))
    const reserved = async () => {
      const id = await desk.approved({ ...sendable(), amount: 200 })
      const address = newAddress('Ethereum')
      const payload = { networkName: 'Ethereum', address }
      const asked = await product.call(askSending, { token, params: { id }, payload })
      await desk.agree(asked.body.proposalId)
      return { id, address }
    }
    const loans = [await reserved(), await reserved()] as const
    const batchId = randomUUID()
    await desk.rows(
      `INSERT INTO batches (id, network_name, asset, decimals, kind, format, state, payer, dollars, rate_at, file, digest, made_by)
       VALUES ($1, 'Ethereum', 'USDC', 6, 'PAYOUT', 'CSV', 'READY', $2, 1, now(), '', '', $3)`,
      batchId,
      paid.anvil.payer,
      admin.id,
    )
    for (const [position, { id }] of loans.entries())
      await desk.rows(
        `INSERT INTO batch_payouts (batch_id, position, sending_id, address, units)
         SELECT $1, $2, id, address, $3 FROM loan_sendings WHERE loan_id = $4`,
        batchId,
        position,
        String(dollars(200)),
        id,
      )
    const pay = async ({ address }: { readonly address: string }, amount: number) => {
      await paid.usdc.send(address, dollars(amount))
      await paid.anvil.ask('anvil_mine', '0x44')
      await paid.look()
      const { settings } = paid
      await followAndLend(product.context, { settings, node: openNode(settings) })
    }
    const payload = { reason: 'Paid otherwise' }
    const free = ({ id }: { readonly id: string }) =>
      product.call(askRelease, { token, params: { id }, payload })
    const giveUp = () => product.call(giveUpBatch, { token, params: { id: batchId }, payload })
    /** Settles the alarm of the batch, which says that a payment was of less or of more. */
    const settle = async (kind: 'SHORT' | 'MORE') => {
      const alarms = (await product.call(listAlarms, { token })).body
      const alarm = alarms.find((each) => each.batchId === batchId && each.kind === kind)
      expect(alarm?.settledBy).toBeNull()
      const params = { id: alarm?.id ?? '' }
      expect((await product.call(settleAlarm, { token, params, payload })).status).toBe(200)
    }
    return { desk, loans, pay, free, giveUp, settle }
  }

  test.each([
    [-1, 'SHORT'],
    [1, 'MORE'],
  ] as const)('by %i dollars waits for exactly its units', async (more, kind) => {
    const { desk, loans, pay, free, giveUp, settle } = await batched()
    const [loan, other] = loans
    await pay(loan, 200 + more)
    expect(await desk.statusOf(loan.id)).toBe('SENDING')
    await settle(kind)
    // The batch may still pay them, so no two people free their money.
    expect(codeOf(await giveUp())).toBe('batchOnChain')
    expect(codeOf(await free(loan))).toBe('loanInBatch')
    for (const each of [loan, other]) await pay(each, 200)
    expect(await desk.statusOf(loan.id)).toBe('ACTIVE')
    expect(await desk.balanceOf('sending')).toBe(0)
    await expectWhole(paid.product)
    await expectCustody(paid.product)
  })

  test('is freed by two once its batch has paid another', async () => {
    const { desk, loans, pay, free, settle } = await batched()
    const [loan, other] = loans
    await pay(loan, 199)
    await settle('SHORT')
    await pay(other, 200)
    expect(await desk.statusOf(other.id)).toBe('ACTIVE')
    await desk.agree((await free(loan)).body.proposalId)
    expect(await desk.statusOf(loan.id)).toBe('APPROVED')
    expect(await desk.balanceOf('sending')).toBe(0)
    await expectWhole(paid.product)
    await expectCustody(paid.product)
  })
})
