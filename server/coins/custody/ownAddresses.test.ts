import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import { cents } from '@pool/contract/base/money'
import { approve } from '@pool/contract/requests/decisions'
import { withdraw } from '@pool/contract/requests/requests'
import { expect, test } from 'vitest'
import { savePayoutAddress } from '../../money/payoutAddresses/payoutAddress.ts'
import { newAddress } from '../../testing/addresses.ts'
import { actAs, codeOf, fund, type Person, person, testProduct } from '../../testing/product.ts'

const product = testProduct()

const asks = ({ id: userId, token }: Person, destinationAddress?: string) =>
  product.call(withdraw, { token, payload: { userId, amount: 20, destinationAddress } })

test('an address that a stranger saved becomes one of ours', async () => {
  const [first, second, admin] = [
    await person(product, ['SUPER_ADMIN']),
    await person(product, ['SUPER_ADMIN']),
    await person(product, ['ADMIN']),
  ]
  const stranger = await person(product)
  await fund(product, stranger, cents(100_00n))
  const address = newAddress('Ethereum')
  const saved = { userId: stranger.id, address, networkName: 'Ethereum', by: actAs(stranger) }
  await savePayoutAddress(product.context, saved)
  const waiting = await asks(stranger, address)
  expect(waiting.status).toBe(200)

  const named = { kind: 'OWN_ADDRESS', networkName: 'Ethereum', address, class: 'SAFE' } as const
  const asked = await product.call(askProposal, {
    token: first.token,
    payload: { ...named, reason: 'The next Safe' },
  })
  expect(asked.status).toBe(200)
  const agreed = await product.call(approveProposal, {
    token: second.token,
    params: { id: asked.body.id },
  })
  expect(agreed.status).toBe(200)

  // No coins go there in the name of the stranger.
  expect(await asks(stranger, address)).toMatchObject({ status: 400 })
  const approving = { transactionId: waiting.body.transactionId, userId: stranger.id }
  const refused = await product.call(approve, { token: admin.token, payload: approving })
  expect(codeOf(refused)).toBe('payeeIsPoolWallet')

  // One to which money goes already stays the investor's.
  const paid = newAddress('Ethereum')
  const { body } = await asks(stranger, paid)
  const payload = { transactionId: body.transactionId, userId: stranger.id, payeeAddress: paid }
  expect((await product.call(approve, { token: admin.token, payload })).status).toBe(200)
  const again = await product.call(askProposal, {
    token: first.token,
    payload: { ...named, address: paid, reason: 'Another Safe' },
  })
  expect(codeOf(again)).toBe('addressOfInvestor')
})
