import { randomUUID } from 'node:crypto'
import { giveUpBatch } from '@pool/contract/batches'
import { askRelease, askSending } from '@pool/contract/loans'
import { cents } from '@pool/contract/money'
import { listAlarms, settleAlarm } from '@pool/contract/payouts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openNode } from '../nodes/open.ts'
import { followPayouts } from '../payouts/followPayouts.ts'
import { contributeCapital } from '../reserve/contributeCapital.ts'
import { newAddress } from '../testing/addresses.ts'
import { hasAnvil } from '../testing/anvil.ts'
import { expectWhole } from '../testing/decisions.ts'
import { expectCustody, openDesk } from '../testing/loanDesk.ts'
import { addOwn } from '../testing/ownCoins.ts'
import { dollars, type PaidProduct, startPaidProduct } from '../testing/paidProduct.ts'
import { codeOf, person } from '../testing/product.ts'
import { sendable } from '../testing/sendingDesk.ts'

describe.skipIf(!hasAnvil)('a loan that the chain pays otherwise', { timeout: 120_000 }, () => {
  let paid: PaidProduct
  beforeAll(async () => {
    paid = await startPaidProduct()
    await addOwn(paid.product.database, 'Ethereum', paid.anvil.payer)
    await contributeCapital(paid.product.context, {
      ...{ amount: cents(10_000_00n), note: 'For loans', contributedBy: 'tests' },
    })
  }, 120_000)
  afterAll(() => paid?.close())

  test.each([-1, 1])('by %i dollars waits for a payment of its units', async (more) => {
    const { product, admin } = paid
    const desk = openDesk(product, admin, await person(product, ['ADMIN']))
    const id = await desk.approved({ ...sendable(), amount: 200 })
    const [address, { token }, params] = [newAddress('Ethereum'), admin, { id }]
    const payload = { networkName: 'Ethereum', address }
    const asked = await product.call(askSending, { token, params, payload })
    await desk.agree(asked.body.proposalId)
    const batchId = randomUUID()
    await desk.rows(
      `INSERT INTO batches (id, network_name, asset, decimals, kind, format, state, payer, dollars, rate_at, file, digest, made_by)
       VALUES ($1, 'Ethereum', 'USDC', 6, 'PAYOUT', 'CSV', 'READY', $2, 1, now(), '', '', $3)`,
      ...[batchId, paid.anvil.payer, admin.id],
    )
    await desk.rows(
      `INSERT INTO batch_payouts (batch_id, position, sending_id, address, units)
       SELECT $1, 0, id, address, $2 FROM loan_sendings WHERE loan_id = $3`,
      ...[batchId, String(dollars(200)), id],
    )
    const pay = async (amount: number) => {
      await paid.usdc.send(address, dollars(amount))
      await paid.anvil.ask('anvil_mine', '0x44')
      await paid.look()
      const { settings } = paid
      await followPayouts(product.context, { settings, node: openNode(settings) })
    }
    await pay(200 + more)

    const alarms = (await product.call(listAlarms, { token })).body
    const alarm = alarms.find((each) => each.batchId === batchId)
    expect(alarm).toMatchObject({ kind: more < 0 ? 'SHORT' : 'MORE', settledBy: null })
    expect(await desk.statusOf(id)).toBe('SENDING')
    const free = () =>
      product.call(askRelease, { token, params, payload: { reason: 'Paid otherwise' } })
    const giveUp = () =>
      product.call(giveUpBatch, {
        ...{ token, params: { id: batchId }, payload: { reason: 'Paid otherwise' } },
      })
    const settled = { params: { id: alarm?.id ?? '' }, payload: { reason: 'The signer erred' } }
    expect((await product.call(settleAlarm, { token, ...settled })).status).toBe(200)
    // Its coins are gone, so no two people free its money, as no withdrawal is given back.
    expect(codeOf(await giveUp())).toBe('batchOnChain')
    expect(codeOf(await free())).toBe('loanInBatch')
    expect(await desk.balanceOf('sending')).toBe(200_00)
    await pay(200)
    expect(await desk.statusOf(id)).toBe('ACTIVE')
    expect(await desk.balanceOf('sending')).toBe(0)
    await expectWhole(product)
    await expectCustody(product)
  })
})
