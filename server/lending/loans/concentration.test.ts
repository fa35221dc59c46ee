import { cents } from '@pool/contract/base/money'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectWhole } from '../../testing/decisions.ts'
import { openDesk } from '../../testing/loanDesk.ts'
import { codeOf, type Person, person, testProduct } from '../../testing/product.ts'

/** A tenth of it is $1,000. */
const product = testProduct({}, { reserve: cents(10_000_00n) })
let second: Person
let desk: ReturnType<typeof openDesk>
beforeAll(async () => {
  const first = await person(product, ['ADMIN'])
  second = await person(product, ['ADMIN'])
  desk = openDesk(product, first, second)
})
afterAll(() => expectWhole(product))

const borrowerOf = async (id: string) => (await desk.storyOf(id)).loan.borrowerId

test('a borrower owes at most a tenth of the capital', async () => {
  const id = await desk.active({ amount: 600 })
  const borrowerId = await borrowerOf(id)
  const over = await desk.approved({ borrowerId, amount: 400.01 })
  expect(await desk.disburse(over)).toMatchObject({
    status: 409,
    body: { code: 'loanConcentrated', details: { most: 400 } },
  })
  const within = await desk.active({ borrowerId, amount: 400 })
  // Others may borrow as much, and the base is the same with capital at work.
  const other = await desk.active({ amount: 1_000 })
  await desk.giveBack([id, within, other])
})

test('related parties count together', async () => {
  const id = await desk.active({ amount: 900 }, { relation: 'operator' })
  const other = await desk.approved({ amount: 200 }, { relation: 'investor' })
  expect(codeOf(await desk.disburse(other))).toBe('loanConcentrated')
  await desk.giveBack([id])
  expect((await desk.disburse(other)).status).toBe(200)
})

test('a loan counts without the one that it refinances', async () => {
  const id = await desk.active({ amount: 900 })
  const borrowerId = await borrowerOf(id)
  const next = await desk.active({ borrowerId, amount: 950, refinancesId: id })
  await desk.giveBack([id, next])
})

test('disbursements of one borrower race for the share', async () => {
  const one = await desk.approved({ amount: 600 })
  const borrowerId = await borrowerOf(one)
  const both = [one, await desk.approved({ borrowerId, amount: 600 })]
  const asked = await Promise.all(both.map((id) => desk.disburse(id)))
  const answers = await Promise.all(asked.map(({ body }) => desk.agree(body.proposalId)))
  expect(answers.map(codeOf).toSorted()).toEqual(['loanConcentrated', undefined])
  const statuses = await Promise.all(both.map(desk.statusOf))
  expect(statuses.sort()).toEqual(['ACTIVE', 'APPROVED'])
  await desk.giveBack(both)
  const refused = asked[answers.findIndex(({ status }) => status !== 200)]
  expect((await desk.agree(refused?.body.proposalId ?? '')).status).toBe(200)
  await desk.giveBack(both)
})
