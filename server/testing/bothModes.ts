import { savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { approve } from '@pool/contract/requests/decisions'
import { withdraw } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import type { Transaction } from '@pool/contract/requests/transactions'
import { LIVE } from '../testing/live.ts'
import { type Person, type Product, person, startProduct } from '../testing/product.ts'

/** A product in each mode with an admin, and helpers of the payout address tests. */
const admins = new Map<Product, Person>()

export const startBothModes = async (): Promise<{
  readonly sandbox: Product
  readonly live: Product
  readonly close: () => Promise<void>
}> => {
  const sandbox = await startProduct()
  const live = await startProduct(LIVE)
  for (const product of [sandbox, live]) admins.set(product, await person(product, ['ADMIN']))
  const close = async () => {
    await sandbox.close()
    await live.close()
  }
  return { sandbox, live, close }
}

export const adminOf = (product: Product): string => admins.get(product)?.token ?? ''
export const save = (
  product: Product,
  { token }: Person,
  address: string,
  networkName = 'Bitcoin',
) => product.call(savePayoutAddress, { token, payload: { address, networkName } })
export const ask = async (product: Product, { id, token }: Person, more: object = {}) =>
  product.call(withdraw, { token, payload: { userId: id, amount: 10, ...more } })
export const idOf = (answer: { body: unknown }): string =>
  (answer.body as { transactionId: string }).transactionId
/** Approves with the address that staff see now. */
export const decide = async (product: Product, investor: Person, transactionId: string) => {
  const { payee, destinationAddress } = await read(product, transactionId)
  const payload = {
    transactionId,
    userId: investor.id,
    payeeAddress: payee?.address ?? destinationAddress,
  }
  return product.call(approve, { token: adminOf(product), payload })
}
export const read = async (product: Product, transactionId: string): Promise<Transaction> => {
  const { body } = await product.call(transactionStory, {
    token: adminOf(product),
    params: { id: transactionId },
  })
  return body.transaction
}
/** Ages saved addresses and withdrawals. Their triggers refuse changes, so they are lifted. */
export const letTimePass = async ({ database: { superuser } }: Product, hours: number) => {
  for (const [table, columns] of [
    ['payout_addresses', ['created_at', 'usable_from']],
    ['transactions', ['created_at']],
  ] as const) {
    const earlier = columns
      .map((column) => `${column} = ${column} - interval '${hours} hours'`)
      .join()
    await superuser.query(
      `BEGIN; ALTER TABLE ${table} DISABLE TRIGGER USER; UPDATE ${table} SET ${earlier}; ALTER TABLE ${table} ENABLE TRIGGER USER; COMMIT`,
    )
  }
}
