import { cents } from '@pool/contract/base/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { postShares } from './shares.ts'

/** A trigger divides a loss, so investors and losses are written as rows. */

const product = testProduct({}, { reserve: cents(0n) })
const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await product.database.superuser.query(text, values)).rows

/** Investors with these investments, in cents. Those of the run before are done. */
const invested = (investors: readonly (readonly bigint[])[]) => {
  const each = investors.flatMap((amounts, at) => amounts.map((amount) => `(${at}, ${amount})`))
  return tamper(
    product.database,
    `UPDATE transactions SET investment_status = 'COMPLETED' WHERE investment_status = 'ACTIVE';
     CREATE TEMP TABLE works AS SELECT * FROM (VALUES ${each.join()}) AS w (at, cents);
     CREATE TEMP TABLE people AS SELECT at, uuidv7() AS id, sum(cents) AS cents FROM works GROUP BY at;
     INSERT INTO users (id, username, password_hash, first_name, last_name, country)
     SELECT id, id || '@example.com', 'x', 'One', 'Many', 'US' FROM people;
     INSERT INTO accounts (owner_id, kind, balance) SELECT id, 'available', 0 FROM people UNION ALL SELECT id, 'invested', cents FROM people;
     INSERT INTO transactions (id, user_id, type, status, amount, rate_basis_points, interest, duration_days, investment_status, matures_at, created_at, updated_at)
     SELECT uuidv7(), id, 'investment', 'COMPLETED', w.cents, 700, 1, 12, 'ACTIVE', now() + interval '1 day', now(), now() FROM works AS w JOIN people USING (at);
     DROP TABLE works, people`,
  )
}

/** An open loss that two people agreed to share. */
const lost = async (amount: bigint): Promise<void> => {
  const [id, lossId, asker, decider] = [newId(), newId(), newId(), newId()]
  await tamper(
    product.database,
    `INSERT INTO loan_write_offs (id, loan_id, principal, capital, covered, lost) VALUES ('${lossId}', '${lossId}', ${amount}, 0, 0, ${amount});
     INSERT INTO proposals (id, kind, subject, payload, language, reason, asked_by, decided_by, status, decided_at, ended_at)
     VALUES ('${id}', 'SHARE_LOSS', 'open loss', '{"lossId": "${lossId}", "amount": ${amount / 100n}.${String(amount % 100n).padStart(2, '0')}}', 'en', 'x', '${asker}', '${decider}', 'DONE', now(), now());
     INSERT INTO loss_announcements (id, loss_id, amount, counts_at) VALUES ('${id}', '${lossId}', ${amount}, now())`,
  )
}

/** The principal of each investor, by id, before and after the newest loss. */
const parts = () =>
  rows<{ whole: bigint; part: bigint; borne: bigint; balance: bigint }>(`
    SELECT i.whole, coalesce(l.amount, 0) AS part, i.borne, a.balance FROM (
      SELECT user_id, sum(amount)::bigint AS whole, sum(borne)::bigint AS borne FROM transactions WHERE investment_status = 'ACTIVE' GROUP BY user_id
    ) AS i JOIN accounts AS a ON a.owner_id = i.user_id AND a.kind = 'invested'
    LEFT JOIN transactions AS l ON l.user_id = i.user_id AND l.type = 'loss' ORDER BY i.user_id`)

const expectShared = async (amount: bigint) => {
  const found = await parts()
  const all = found.reduce((sum, { whole }) => sum + whole, 0n)
  expect(found.reduce((sum, { part }) => sum + part, 0n)).toBe(amount)
  for (const { whole, part, borne, balance } of found) {
    expect([borne, balance]).toEqual([part, whole - part])
    // Less than a cent from the exact part.
    const off = part * all - amount * whole
    expect(off < all && -off < all).toBe(true)
  }
  const [over] = await rows<{ count: bigint }>(
    'SELECT count(*) FROM transactions WHERE borne > amount',
  )
  expect(over?.count).toBe(0n)
}

test('any loss is shared exactly to the cent', async () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 999_99n }), { minLength: 1, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(amounts, { minLength: 1, maxLength: 12 }),
      fc.bigInt({ min: 1n, max: 10_000n }),
      async (investors, share) => {
        const all = investors.flat().reduce((sum, each) => sum + each, 0n)
        const amount = (all * share + 9_999n) / 10_000n
        await invested(investors)
        await lost(amount)
        expect(await postShares(product.context)).toBe(1)
        await expectShared(amount)
      },
    ),
    { numRuns: 25 },
  )
})

test('ten thousand investors share a loss', async () => {
  await invested(Array.from({ length: 10_000 }, (_, at) => [BigInt((at * 7_919) % 99_991) + 1n]))
  // As autovacuum does where so many rows came: plans of tables that were empty are made again.
  await rows('ANALYZE users, accounts, transactions')
  await lost(1_234_567_89n)
  expect(await postShares(product.context)).toBe(1)
  await expectShared(1_234_567_89n)
})
