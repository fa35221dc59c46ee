import { invest } from '@pool/contract/money/investments'
import { cancel, deposit, withdraw } from '@pool/contract/requests/requests'
import { beforeAll, expect, test } from 'vitest'
import { investorWith, type Person, testProduct, wallets } from '../../testing/product.ts'

const product = testProduct()
let investor: Person
beforeAll(async () => {
  investor = await investorWith(product, 1_000_000)
  await wallets(product, 1)
})

/** Amounts in a request's JSON with their cents. Undefined marks amounts that must be refused. */
const exact: Readonly<Record<string, bigint>> = {
  '10': 1000n,
  '10.0': 1000n,
  '10.00': 1000n,
  '10.10': 1010n,
  '10.01': 1001n,
  '10.29': 1029n,
  '19.99': 1999n,
  '1e1': 1000n,
  '1E+1': 1000n,
  '1000e-2': 1000n,
  '1.001e1': 1001n,
  '64.1': 6410n,
  '70.07': 7007n,
  '128.05': 12805n,
  '256.03': 25603n,
  '1024.35': 102435n,
  '1111.11': 111111n,
  '4035.13': 403513n,
  '8192.99': 819299n,
}
// Amounts that a double cannot tell from whole cents count as those.
const sameDouble: Readonly<Record<string, bigint>> = {
  '10.000000000000000001': 1000n,
  '10.0100000000000000001': 1001n,
}

const refused = [
  '0',
  '-0',
  '0.0',
  '-0.01',
  '-10',
  '-1e1',
  '1e-1000',
  '-1e-1000',
  '0.001',
  '0.009',
  '10.001',
  '10.005',
  '10.015',
  '10.999',
  '1e-2000',
  '10.00000001',
  '10.010000001',
  '9.999999999',
  '10000000.01',
  '10000000.001',
  '1e8',
  '1e21',
  '1e308',
  '1e309',
  '-1e309',
  '9007199254740993',
  '4503599627370497.5',
  '90071992547409.93',
  '123456789012345678901234567890',
  'null',
  'true',
  'false',
  '[]',
  '[10]',
  '{}',
  '{"valueOf":10}',
  '""',
  '"10"',
  '"10.00"',
  '" 10"',
  '"1e1"',
  '"０１"',
  '"１０"',
  '"١٠"',
  '"$10"',
  '"10,00"',
  '"1,000"',
  '"NaN"',
  '"Infinity"',
  '"0x10"',
  '"10n"',
]
/** Texts that are not JSON. */
const malformed = [
  'NaN',
  'Infinity',
  '-Infinity',
  '+10',
  '010',
  '.5',
  '10.',
  '0x10',
  '1_000',
  '10n',
  '１０',
  '10,00',
  '',
]

const send = async (path: string, amount: string) => {
  const answer = await product.app.inject({
    method: 'POST',
    url: path,
    headers: { authorization: `Bearer ${investor.token}`, 'content-type': 'application/json' },
    payload: `{"userId":"${investor.id}","durationDays":1,"amount":${amount}}`,
  })
  return { status: answer.statusCode, answer: answer.json() }
}
const state = async () => {
  const { rows } = await product.database.pool.query(
    'SELECT count(*)::text, coalesce(sum(amount), 0)::text AS sum FROM transactions',
  )
  return rows[0]
}

test.each([deposit, withdraw, invest])(
  '$path takes amounts exactly or refuses them',
  async ({ path }) => {
    for (const [amount, cents] of Object.entries({ ...exact, ...sameDouble })) {
      const before = await state()
      const { status, answer } = await send(path, amount)
      expect([amount, status]).toEqual([amount, 200])
      expect([amount, BigInt((await state()).sum) - BigInt(before.sum)]).toEqual([amount, cents])
      // Only a few requests may wait.
      const params = { id: answer.body.transactionId }
      if (path !== invest.path)
        await product.call(cancel, { token: investor.token, params, payload: {} })
    }
    const before = await state()
    for (const amount of [...refused, ...malformed]) {
      const { status, answer } = await send(path, amount)
      expect([amount, status, answer.successful]).toEqual([amount, 400, false])
    }
    expect(await state()).toEqual(before)
  },
)

test('the table holds more than sixty amounts', () => {
  expect(
    Object.keys(exact).length + Object.keys(sameDouble).length + refused.length + malformed.length,
  ).toBeGreaterThan(60)
})
