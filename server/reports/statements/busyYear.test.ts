import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { cents } from '@pool/contract/base/money'
import { beforeAll, expect, test } from 'vitest'
import { POOL_OWNER } from '../../ledger/families/accounts.ts'
import { fund, type Person, person, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { longestTurn, MOST_OF_A_TURN } from '../../testing/turns.ts'
import { periodOf } from './period.ts'
import { writeStatement } from './write.ts'

const product = testProduct()
let investor: Person
/** Investments of a busy year. Each is opened and matures, so it has two movements. */
const INVESTMENTS = 50_000
/** Bytes that the making may hold at most. A file has twice as many, or more. */
const MOST_BYTES = { json: 16_000_000, pdf: 48_000_000 } as const
/** Parts of the archive between two measurements. */
const SOME = { json: 40, pdf: 200 } as const

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes that are held, without garbage. */
const held = (): number => {
  // The first time finds buffers, the second frees their bytes.
  collectGarbage()
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Opens and pays a dollar, as often as a program does, by rows that the ledger would write. */
const invest = (owner: string) =>
  tamper(
    product.database,
    `
  INSERT INTO transactions (id, user_id, type, amount, status, rate_basis_points, interest, duration_days, matures_at, investment_status, created_at, updated_at)
  SELECT uuidv7(interval '-400 days' + n * interval '8 minutes'), '${owner}', 'investment', 100, 'COMPLETED', 400, 4, 1, now(), 'COMPLETED',
    now() - interval '400 days' + n * interval '8 minutes', now() - interval '399 days' + n * interval '8 minutes'
  FROM generate_series(1, ${INVESTMENTS}) AS n;
  INSERT INTO transactions (id, user_id, type, amount, status, investment_id, created_at, updated_at)
  SELECT uuidv7(), user_id, 'payout', 104, 'COMPLETED', id, updated_at, updated_at FROM transactions WHERE type = 'investment';
  INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount, interest_from_account_id, interest_to_account_id, interest, created_at)
  SELECT t.id, name, source.id, target.id, 100, earned.id, paid.id, 4, CASE name WHEN 'investment_opened' THEN t.created_at ELSE t.updated_at END
  FROM transactions AS t CROSS JOIN (VALUES ('investment_opened', 'available', 'invested', 'reserve', 'committed'),
    ('investment_matured', 'invested', 'available', 'committed', 'available')) AS leg (name, gives, takes, pays, earns)
  JOIN accounts AS source ON source.owner_id = t.user_id AND source.kind = gives
  JOIN accounts AS target ON target.owner_id = t.user_id AND target.kind = takes
  JOIN accounts AS earned ON earned.owner_id = '${POOL_OWNER}' AND earned.kind = pays
  JOIN accounts AS paid ON paid.owner_id IN (t.user_id, '${POOL_OWNER}') AND paid.kind = earns
  WHERE t.type = 'investment'`,
  )

beforeAll(async () => {
  investor = await person(product)
  await fund(product, investor, cents(1_00n))
  await invest(investor.id)
  await product.database.superuser.query('ANALYZE')
})

/** Writes the statement of the time up to so many days ago. */
const write = (form: 'json' | 'pdf', take: (part: Buffer) => void, days = 0) => {
  const to = new Date(Date.now() - days * 86_400_000)
  const year = { ...periodOf('2000', to), to, isComplete: false }
  const asked = { userId: investor.id, period: year, form, language: 'en' as const }
  return writeStatement(product.context, asked)(async (part) => take(part))
}

test.each(['json', 'pdf'] as const)(
  'others are served while 10,000 movements become %s',
  async (form) => {
    const written = () => write(form, () => undefined, 372)
    expect(await longestTurn(written)).toBeLessThan(MOST_OF_A_TURN)
  },
  600_000,
)

test.each(['json', 'pdf'] as const)(
  '100,000 movements are written as %s with little memory',
  async (form) => {
    let [parts, end] = [0, Buffer.alloc(0)]
    // Garbage of the tests before may leave meanwhile, so growth may be below zero.
    const growth: number[] = []
    const before = held()
    await write(form, (part) => {
      parts += 1
      if (parts % SOME[form] === 0) growth.push(held() - before)
      end = Buffer.concat([end, part]).subarray(-4_096)
    })
    expect(end.includes('signature.json')).toBe(true)
    expect(parts).toBeGreaterThan(INVESTMENTS / 500)
    expect(growth.length).toBeGreaterThan(1)
    expect(Math.max(...growth)).toBeLessThan(MOST_BYTES[form])
  },
  240_000,
)
