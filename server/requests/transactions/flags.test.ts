import { endOtherSessions } from '@pool/contract/accounts/sessions'
import { cents } from '@pool/contract/base/money'
import { createWallet } from '@pool/contract/chain/wallets'
import { savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { approve } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import {
  listTransactions,
  type Transaction,
  type TransactionFlag,
  transactionFlags,
} from '@pool/contract/requests/transactions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import {
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
} from '../../testing/product.ts'
import { flagRules, flagsOf, type RequestFacts } from './flags.ts'

const usual: RequestFacts = {
  type: 'withdrawal',
  amount: cents(5_000n),
  isFrozen: false,
  isTakenBack: false,
  isSuspended: false,
  owes: false,
  paysPoolWallet: false,
  paysSharedAddress: false,
  isUnannounced: false,
  isAddressNewer: false,
  largestApproved: cents(5_000n),
  hasWithdrawn: true,
  requestsOfDay: 1,
}

test.each<[TransactionFlag, Partial<RequestFacts>, boolean]>([
  ['ownerFrozen', { isFrozen: true }, true],
  ['ownerFrozen', { isFrozen: true, type: 'deposit' }, false],
  ['takenBack', { isTakenBack: true }, true],
  ['takenBack', { isTakenBack: true, type: 'deposit' }, false],
  ['ownerSuspended', { isSuspended: true }, true],
  ['ownerSuspended', { isSuspended: true, type: 'deposit' }, false],
  ['ownerOwes', { owes: true }, true],
  ['ownerOwes', { owes: true, type: 'deposit' }, false],
  ['poolWallet', { paysPoolWallet: true }, true],
  ['poolWallet', {}, false],
  ['sharedAddress', { paysSharedAddress: true }, true],
  ['sharedAddress', {}, false],
  ['addressChanged', { isAddressNewer: true }, true],
  ['addressChanged', {}, false],
  ['firstWithdrawal', { hasWithdrawn: false }, true],
  ['firstWithdrawal', { hasWithdrawn: false, type: 'deposit' }, false],
  ['firstWithdrawal', {}, false],
  ['unusualAmount', { amount: cents(100_001n), largestApproved: cents(20_000n) }, true],
  ['unusualAmount', { amount: cents(100_000n), largestApproved: cents(20_000n) }, false],
  ['unusualAmount', { amount: cents(100_000n), largestApproved: cents(19_999n) }, true],
  ['unusualAmount', { amount: cents(99_999n), largestApproved: cents(1n) }, false],
  ['unusualAmount', { amount: cents(900_000n), largestApproved: null }, false],
  ['unannounced', { isUnannounced: true }, true],
  ['unusualPace', { requestsOfDay: 6 }, true],
  ['unusualPace', { requestsOfDay: 5 }, false],
])('%s of %o is %s', (flag, facts, raised) => {
  expect(flagRules[flag]({ ...usual, ...facts })).toBe(raised)
})

test('flags come with the most serious first', () => {
  expect(flagsOf(usual)).toEqual([])
  expect(
    flagsOf({
      ...usual,
      amount: cents(1_000_000n),
      isFrozen: true,
      isTakenBack: true,
      isSuspended: true,
      owes: true,
      paysPoolWallet: true,
      paysSharedAddress: true,
      isUnannounced: true,
      isAddressNewer: true,
      hasWithdrawn: false,
      requestsOfDay: 20,
    }),
  ).toEqual(transactionFlags)
})

describe('a pending request', () => {
  let product: Product
  let admin: Person
  beforeAll(async () => {
    product = await startProduct({
      SECOND_APPROVAL_ABOVE: '1000000',
      POOL_SECOND_APPROVAL_ABOVE: '10000000',
    })
    admin = await person(product, ['ADMIN'])
  })
  afterAll(() => product.close())

  const ask = async (
    { id, token }: Person,
    amount: number,
    destinationAddress?: string,
  ): Promise<string> => {
    const { body } = await product.call(withdraw, {
      token,
      payload: { userId: id, amount, destinationAddress },
    })
    return body.transactionId
  }
  const askToDeposit = async ({ id, token }: Person, amount: number): Promise<string> => {
    const { body } = await product.call(deposit, { token, payload: { userId: id, amount } })
    return body.transactionId
  }
  const save = ({ token }: Person, address: string) =>
    product.call(savePayoutAddress, { token, payload: { address, networkName: 'Bitcoin' } })
  const pay = async (owner: Person, transactionId: string): Promise<void> => {
    const { status } = await product.call(approve, {
      token: admin.token,
      payload: { transactionId, userId: owner.id },
    })
    expect(status).toBe(200)
  }
  const listed = async (id: string, { token }: Person = admin): Promise<Transaction | undefined> =>
    (await product.call(listTransactions, { token, query: { ids: id, limit: '1' } })).body[0]
  const told = async (id: string, { token }: Person = admin): Promise<Transaction> =>
    (await product.call(transactionStory, { token, params: { id } })).body.transaction
  const flags = async (id: string): Promise<readonly string[] | undefined> => {
    const inList = (await listed(id))?.flags
    expect((await told(id)).flags).toEqual(inList)
    return inList
  }

  test('is flagged as first until a withdrawal is approved', async () => {
    const investor = await investorWith(product, 100)
    const address = newAddress()
    const first = await ask(investor, 10, address)
    const second = await ask(investor, 10, address)
    expect(await flags(first)).toEqual(['firstWithdrawal'])
    expect(await flags(second)).toEqual(['firstWithdrawal'])
    await pay(investor, first)
    expect(await flags(second)).toEqual([])
    expect(await flags(first)).toBeUndefined()
  })

  test('to another account’s address is flagged in any case', async () => {
    const [one, two, three] = [
      await investorWith(product, 100),
      await investorWith(product, 100),
      await investorWith(product, 100),
    ]
    const [address, saved] = [newAddress('Polygon'), newAddress()]
    const alone = await ask(one, 10, address)
    expect(await flags(alone)).not.toContain('sharedAddress')
    const shared = await ask(two, 10, address.toLowerCase())
    for (const id of [alone, shared]) expect(await flags(id)).toContain('sharedAddress')
    // Saved alone, and behind the Default Address.
    await save(three, saved)
    expect(await flags(await ask(one, 10, saved))).toContain('sharedAddress')
    await save(two, saved)
    expect(await flags(await ask(three, 10))).toContain('sharedAddress')
    expect(await flags(await ask(one, 10, 'the same note'))).not.toContain('sharedAddress')
    expect(await flags(await ask(two, 10, 'the same note'))).not.toContain('sharedAddress')
  })

  test('to an address that became a wallet is flagged', async () => {
    const investor = await investorWith(product, 100)
    const address = newAddress()
    const id = await ask(investor, 10, address)
    expect(await flags(id)).not.toContain('poolWallet')
    await product.call(createWallet, {
      token: admin.token,
      payload: { address, networkName: 'Bitcoin' },
    })
    expect(await flags(id)).toContain('poolWallet')
  })

  test('of before its owner took the account back is flagged', async () => {
    const investor = await investorWith(product, 100)
    const [old, late] = [newAddress(), newAddress()]
    const takeBack = () => product.call(endOtherSessions, { token: investor.token })
    const age = (days: number) =>
      product.database.superuser.query(
        `BEGIN; ALTER TABLE payout_addresses DISABLE TRIGGER USER; UPDATE payout_addresses SET created_at = created_at - interval '${days} days'; ALTER TABLE payout_addresses ENABLE TRIGGER USER; COMMIT`,
      )
    await save(investor, old)
    await age(8)
    const before = await ask(investor, 10, old)
    expect(await flags(before)).not.toContain('takenBack')
    await save(investor, late)
    await takeBack()
    expect(await flags(before)).toContain('takenBack')
    // Named within seven days before, and longer ago.
    expect(await flags(await ask(investor, 10, late.toUpperCase()))).toContain('takenBack')
    expect(await flags(await ask(investor, 10))).toContain('takenBack')
    expect(await flags(await ask(investor, 10, old))).not.toContain('takenBack')
    expect(await flags(await ask(investor, 10, newAddress()))).not.toContain('takenBack')
  })

  test('to a payout address saved after it is flagged', async () => {
    const investor = await investorWith(product, 100)
    await save(investor, newAddress())
    const [byDefault, named] = [await ask(investor, 10), await ask(investor, 10, newAddress())]
    expect(await flags(byDefault)).not.toContain('addressChanged')
    await save(investor, newAddress())
    expect(await flags(byDefault)).toContain('addressChanged')
    expect(await flags(named)).not.toContain('addressChanged')
  })

  test('far above the largest approved one is flagged', async () => {
    const investor = await investorWith(product, 10_000)
    const address = newAddress()
    await pay(investor, await ask(investor, 300, address))
    expect(await flags(await ask(investor, 1_500, address))).toEqual([])
    expect(await flags(await ask(investor, 1_500.01, address))).toEqual(['unusualAmount'])
    // Deposits are compared with deposits.
    expect(await flags(await askToDeposit(investor, 50_000))).toEqual([])
    expect(await flags(await askToDeposit(investor, 50_000.01))).toContain('unusualAmount')
  })

  test('is flagged from the sixth of 24 hours on', async () => {
    const investor = await investorWith(product, 100)
    const ids: string[] = []
    for (let count = 0; count < 5; count++) ids.push(await askToDeposit(investor, 10))
    // The first one, confirmed, counts too.
    expect(await Promise.all(ids.map(flags))).toEqual([[], [], [], [], ['unusualPace']])
  })

  test('shows its flags to staff only', async () => {
    const investor = await investorWith(product, 100)
    const id = await ask(investor, 10, newAddress())
    expect(await flags(id)).toEqual(['firstWithdrawal'])
    expect(await listed(id, investor)).not.toHaveProperty('flags')
    expect(await told(id, investor)).not.toHaveProperty('flags')
    expect(await listed(id, investor)).toMatchObject({ id })
  })
})
