import { cents } from '@pool/contract/base/money'
import { transactionStory } from '@pool/contract/requests/stories'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { setLimits } from '../../money/brakes/limits.ts'
import { expectWhole, letHoursPass } from '../../testing/decisions.ts'
import { joinPeople } from '../../testing/loanDesk.ts'
import {
  actAs,
  type Person,
  type Product,
  person,
  startProduct,
  wallets,
} from '../../testing/product.ts'
import { cancelRequest } from './cancelRequest.ts'
import { confirmByProduct, confirmDeposit } from './confirmDeposit.ts'
import { expireDeposits } from './expireDeposits.ts'
import { requestDeposit } from './requestDeposit.ts'
import { requestWithdrawal } from './requestWithdrawal.ts'

const PER_PERSON = 1_000
const PER_POOL = 5_000
const BASIS = 'Seen 2 blocks deep on Bitcoin'

let product: Product
let admin: Person
beforeAll(async () => {
  product = await startProduct({
    SECOND_APPROVAL_ABOVE: String(PER_PERSON),
    POOL_SECOND_APPROVAL_ABOVE: String(PER_POOL),
  })
  admin = await person(product, ['ADMIN'])
  await wallets(product, 40)
})
afterAll(async () => {
  await expectWhole(product)
  await product.close()
})

let made = 0
const evidence = () => (++made).toString(16).padStart(64, '0')
const dollars = (amount: number) => cents(BigInt(amount * 100))
const ask = async (amount: number, investor?: Person) => {
  const { id } = investor ?? (await person(product))
  const request = { by: { id, from: 'tests' }, amount: dollars(amount) }
  return (await requestDeposit(product.context.ledger, request)).transactionId
}
const arrives = async (transactionId: string, amount: number, context = product.context) => {
  const { rows } = await product.database.pool.query(
    'SELECT user_id AS "ownerId", wallet_id AS "walletId" FROM transactions WHERE id = $1',
    [transactionId],
  )
  return confirmByProduct(context, {
    transactionId,
    ...rows[0],
    evidence: evidence(),
    receivedAmount: dollars(amount),
    basis: BASIS,
  }).then(
    () => 'confirmed',
    ({ code, message }) => code ?? message,
  )
}
const columnsOf = async (id: string) => {
  const { rows } = await product.database.pool.query(
    'SELECT status, ending, basis, decided_by, amount FROM transactions WHERE id = $1',
    [id],
  )
  return rows[0]
}

test('the product confirms on a basis and by nobody', async () => {
  const investor = await person(product)
  const id = await ask(300, investor)
  expect(await arrives(id, 250)).toBe('confirmed')
  expect(await columnsOf(id)).toEqual({
    status: 'APPROVED',
    ending: 'automatic',
    basis: BASIS,
    decided_by: null,
    amount: 250_00n,
  })
  expect(await product.context.ledger.available(investor.id)).toBe(250_00n)
  const { body } = await product.call(transactionStory, { token: admin.token, params: { id } })
  expect(body.events.at(-1)).toMatchObject({
    what: 'confirmed',
    by: { kind: 'system' },
    amount: 250,
  })
  const { rows } = await product.database.pool.query(
    "SELECT actor_id, reason FROM audit_entries WHERE subject_id = $1 AND action = 'deposit.confirmed'",
    [id],
  )
  expect(rows).toEqual([{ actor_id: null, reason: BASIS }])
})

test('how a request ended is told for each ending', async () => {
  const investor = await person(product)
  const confirmed = await ask(500, investor)
  await confirmDeposit(product.context, { transactionId: confirmed, by: actAs(admin) })
  const cancelled = (
    await requestWithdrawal(product.context, {
      by: { id: investor.id, from: 'tests' },
      amount: dollars(20),
    })
  ).transactionId
  await cancelRequest(product.context, { transactionId: cancelled, by: actAs(investor) })
  const expired = await ask(10, investor)
  const pending = await columnsOf(expired)
  expect(pending.ending).toBeNull()
  await expireDeposits(product.context, 0)
  const endings = await Promise.all([confirmed, cancelled, expired].map(columnsOf))
  expect(endings.map(({ ending }) => ending)).toEqual(['decided', 'cancelled', 'expired'])
})

test('decisions of the product count in the limits', async () => {
  await letHoursPass(product, 25)
  const investor = await person(product)
  const [first, second, third] = [
    await ask(600, investor),
    await ask(600, investor),
    await ask(400, investor),
  ]
  expect(await arrives(first, 600)).toBe('confirmed')
  // The product decides nothing above the limit, and is no second person either.
  expect(await arrives(second, 600)).toBe('forbidden')
  const { status } = await confirmDeposit(product.context, {
    transactionId: second,
    by: actAs(admin),
  })
  expect(status).toBe('PENDING')
  expect(await arrives(second, 600)).toBe('forbidden')
  expect(await arrives(third, 400)).toBe('confirmed')
  // The pool's limit holds over all investors.
  for (let each = 0; each < 4; each += 1)
    expect(await arrives(await ask(999), 999)).toBe('confirmed')
  expect(await arrives(await ask(5), 5)).toBe('forbidden')
  expect(await product.context.ledger.available(investor.id)).toBe(1_000_00n)
})

test('one person uses a fifth of the limit by credits', async () => {
  await letHoursPass(product, 25)
  const { config } = product.context
  await setLimits(product.context, { ...config, poolSecondApprovalAbove: dollars(2_000) })
  const [investor, other] = [await person(product), await person(product)]
  // Two accounts of one person have one share, and two processes count together.
  await joinPeople(product, investor, other)
  const owners = [investor, other]
  const doors = owners.map(() => ({
    ...product.context,
    ledger: openLedger(product.database.pool),
  }))
  const ids: string[] = []
  for (let each = 0; each < 12; each += 1) ids.push(await ask(100, owners[each % 2]))
  const outcomes = await Promise.all(
    ids.map((id, place) => arrives(id, 100, doors[Math.floor(place / 2) % 2])),
  )
  expect(outcomes.filter((each) => each === 'confirmed')).toHaveLength(4)
  expect(outcomes.filter((each) => each === 'forbidden')).toHaveLength(8)
  // Others go on, and what waits is for staff.
  expect(await arrives(await ask(400), 400)).toBe('confirmed')
  const transactionId = ids[outcomes.indexOf('forbidden')] ?? ''
  const decided = await confirmDeposit(product.context, { transactionId, by: actAs(admin) })
  expect(decided.status).toBe('APPROVED')
  await letHoursPass(product, 25)
  expect(await arrives(ids[outcomes.lastIndexOf('forbidden')] ?? '', 100)).toBe('confirmed')
  await setLimits(product.context, config)
})

test('product and staff credit a deposit once together', async () => {
  await letHoursPass(product, 25)
  const contexts = Array.from({ length: 4 }, () => ({
    ...product.context,
    ledger: openLedger(product.database.pool),
  }))
  for (let round = 0; round < 10; round += 1) {
    const investor = await person(product)
    const id = await ask(50, investor)
    const outcomes = await Promise.all(
      contexts.map((context, place) =>
        place % 2
          ? arrives(id, 50, context)
          : confirmDeposit(context, { transactionId: id, by: actAs(admin) }).then(
              () => 'confirmed',
              ({ code }) => code,
            ),
      ),
    )
    expect(outcomes.sort()).toEqual([
      'alreadyDecided',
      'alreadyDecided',
      'alreadyDecided',
      'confirmed',
    ])
    expect(await product.context.ledger.available(investor.id)).toBe(50_00n)
  }
})

test('the database refuses an automatic ending without a basis', async () => {
  const id = await ask(10)
  const end = (columns: string) =>
    product.database.superuser.query(
      `UPDATE transactions SET status = 'APPROVED', ${columns}, updated_at = now() WHERE id = '${id}'`,
    )
  await expect(end("ending = 'automatic'")).rejects.toThrow('without a basis')
  await expect(end("ending = 'decided', basis = 'x', decided_by = user_id")).rejects.toThrow()
  await expect(end("ending = 'automatic', basis = ''")).rejects.toThrow()
  await expect(end('reason = reason')).rejects.toThrow('not allowed')
})
