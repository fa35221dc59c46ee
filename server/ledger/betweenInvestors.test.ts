import type { AccountKind, MovementName } from '@pool/contract/ledger'
import { type Cents, cents } from '@pool/contract/money'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fund, type Person, type Product, person, startProduct } from '../testing/product.ts'
import { checkLedger, findingOf } from './check.ts'
import { openLedger } from './ledger.ts'
import { type Leg, movements } from './movements.ts'
import type { Operation } from './operation.ts'

/** Movements of these tests only. The product moves no money between investors. */
const giving = (to: AccountKind): readonly Leg[] => [
  { from: 'available', to, moves: 'amount', toOwner: 'receiverId' },
]
Object.assign(movements, { gift: giving('available'), misled: giving('custody') })

const gift = (from: Person, to: Person, amount: Cents, name = 'gift') => ({
  movement: name as MovementName,
  id: crypto.randomUUID(),
  ownerId: from.id,
  receiverId: to.id,
  amount,
})

let product: Product
let ada: Person
let bob: Person
let eve: Person

beforeAll(async () => {
  product = await startProduct()
  ;[ada, bob, eve] = [await person(product), await person(product), await person(product)]
  await fund(product, ada, cents(100_00n))
})
afterAll(() => product.close())

const post = (operation: ReturnType<typeof gift>, ledger = product.context.ledger) =>
  ledger.post(operation as unknown as Operation).then(
    () => 'done',
    ({ code, message }) => code ?? message,
  )
const balances = () =>
  Promise.all([ada, bob, eve].map(({ id }) => product.context.ledger.available(id)))

test('a leg that names another owner pays that investor', async () => {
  expect(await post(gift(ada, bob, cents(40_00n)))).toBe('done')
  expect(await balances()).toEqual([60_00n, 40_00n, 0n])
})

test('a received gift can be given on within the group', async () => {
  const group = [
    gift(eve, ada, cents(1n)),
    gift(ada, eve, cents(30_00n)),
    gift(eve, bob, cents(20_00n)),
    gift(bob, ada, cents(60_01n)),
  ]
  expect(await Promise.all(group.map((each) => post(each)))).toEqual([
    'insufficientFunds',
    'done',
    'done',
    'insufficientFunds',
  ])
  expect(await balances()).toEqual([30_00n, 60_00n, 10_00n])
})

test("a leg cannot name another owner of the pool's account", async () => {
  const misled = gift(ada, bob, cents(1n), 'misled')
  expect(await post(misled)).toBe(`misled ${misled.id} names an account that was never opened`)
  expect(await balances()).toEqual([30_00n, 60_00n, 10_00n])
})

test('gifts both ways from eight ledgers neither overdraw nor deadlock', async () => {
  const people = [ada, bob, eve]
  const inTurn = async (start: number) => {
    const ledger = openLedger(product.database.pool)
    const outcomes: string[] = []
    for (let turn = start; turn < start + 12; turn += 1) {
      const [from, to] = [people[turn % 3] ?? ada, people[(turn * 2 + start + 1) % 3] ?? bob]
      if (from !== to) outcomes.push(await post(gift(from, to, cents(20_00n)), ledger))
    }
    return outcomes
  }
  const outcomes = (await Promise.all(Array.from({ length: 8 }, (_, n) => inTurn(n)))).flat()
  expect(new Set(outcomes)).toEqual(new Set(['done', 'insufficientFunds']))
  expect((await balances()).reduce((sum, balance) => sum + balance, 0n)).toBe(100_00n)
})

test('the check finds gifts without a cause, and no difference', async () => {
  const check = await checkLedger(product.context.db)
  expect(check.firstDifference).toBeUndefined()
  expect(findingOf(check)).toMatch(
    /^The transfer without a cause .* gift \d+ from available of \S+ to available of \S+\.$/,
  )
})
