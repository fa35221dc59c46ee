import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/money'
import type { Pool } from 'pg'
import { readConfig } from '../../server/config.ts'
import { openLedger } from '../../server/ledger/ledger.ts'
import { countArrears } from '../../server/loans/arrears.ts'
import { requestWithdrawal } from '../../server/transactions/requestWithdrawal.ts'
import { type Figure, median } from '../harness/arithmetic.ts'
import { closedLoop } from '../harness/closedLoop.ts'
import { idOf, STAFF } from '../harness/people.ts'
import { type Scenario, type Sizes, say } from '../harness/scenario.ts'
import { openStage, type Stage } from '../harness/stage.ts'

const INSTALMENTS = 12
const LANES = 16
const AMOUNT = cents(1_00n)
const TOLERANCE = cents(1_00n)

/**
 * Active loans of weekly instalments in all stages, of which a third owes some that were due. Their
 * triggers want proposals, so these are off for this fill.
 */
const fill = async (pool: Pool, loans: number): Promise<void> => {
  const tables = ['loans', 'loan_disbursements', 'loan_instalments']
  for (const table of tables) await pool.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  await pool.query(
    `INSERT INTO borrowers (id, name, country, kind, relation, grade, grade_reason, recorded_by)
     SELECT gen_random_uuid(), 'Borrower ' || n, 'DE', 'person', 'none', 'B', 'bench', $2 FROM generate_series(1, $1) AS n`,
    [Math.ceil(loans / 10), idOf(STAFF)],
  )
  await pool.query(
    `INSERT INTO loans (id, borrower_id, purpose, principal, rate_basis_points, schedule, period, day_count, instalments,
       due_day, disburse_on, first_due_on, status, outstanding, recorded_by)
     SELECT gen_random_uuid(), b.id, 'business', 120000, 1200, 'equalPrincipal', 'weekly', 'act365', $1, 1,
       current_date - 7 - n % 90, current_date - n % 90, 'ACTIVE', 120000, b.recorded_by
     FROM (SELECT id, recorded_by FROM borrowers) AS b CROSS JOIN generate_series(1, 10) AS n`,
    [INSTALMENTS],
  )
  await pool.query(
    `INSERT INTO loan_instalments (loan_id, number, due_on, principal, interest, principal_paid, interest_paid)
     SELECT id, n, first_due_on + 7 * (n - 1), 10000, 300, CASE WHEN paid THEN 10000 ELSE 0 END, CASE WHEN paid THEN 300 ELSE 0 END
     FROM (SELECT id, first_due_on, random() < 0.67 AS fine FROM loans) AS l CROSS JOIN generate_series(1, $1) AS n
       CROSS JOIN LATERAL (SELECT fine AND first_due_on + 7 * (n - 1) < current_date AS paid) AS p`,
    [INSTALMENTS],
  )
  for (const table of tables) await pool.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  await pool.query('VACUUM ANALYZE loans, loan_instalments, loan_moves')
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const since = performance.now()
  await work()
  return (performance.now() - since) / 1_000
}

/** Withdrawals asked for in a loop of so many seconds. Returns their number a second. */
const money = async (stage: Stage, people: number, seconds: number): Promise<number> => {
  const { db, pool } = stage.database()
  const context = { config: readConfig(stage.environment), db, ledger: openLedger(pool) }
  const ends = performance.now() + seconds * 1_000
  const asked = await closedLoop(
    async (index) => {
      const id = idOf(1 + (index % people))
      const idempotency = { actorId: id, key: randomUUID(), requestHash: randomUUID() }
      await requestWithdrawal(context, { by: { id, from: 'bench' }, amount: AMOUNT, idempotency })
    },
    { lanes: LANES, until: () => performance.now() > ends },
  )
  return asked / seconds
}

const run = async ({ people, seconds }: Sizes): Promise<readonly Figure[]> => {
  const stage = await openStage({ people: 1_000 })
  try {
    const filling = await timed(() => fill(stage.pool(), people))
    say(`${people} loans filled in ${filling.toFixed(1)} s`)
    const { db } = stage.database()
    let moved = 0
    const first = await timed(async () => {
      moved = await countArrears(db, TOLERANCE)
    })
    const again = await timed(() => countArrears(db, TOLERANCE))
    say(`${moved} moves in ${first.toFixed(2)} s, none in ${again.toFixed(2)} s`)
    const rates: { alone: number; beside: number }[] = []
    for (let turn = 0; turn < 3; turn += 1) {
      const alone = await money(stage, 1_000, seconds)
      let isOver = false
      const counting = (async () => {
        while (!isOver) await countArrears(db, TOLERANCE)
      })()
      const beside = await money(stage, 1_000, seconds)
      isOver = true
      await counting
      rates.push({ alone, beside })
      say(`money: ${alone.toFixed(0)}/s alone, ${beside.toFixed(0)}/s while loans are counted`)
    }
    return [
      { name: `days past due of ${people} loans of 12 lines, s`, value: first, most: 60 },
      { name: 'a second count of the day, s', value: again },
      {
        name: 'money/s while loans are counted without a pause ÷ alone',
        value: median(rates.map(({ alone, beside }) => beside / alone)),
      },
    ]
  } finally {
    await stage.close()
  }
}

export const loans: Scenario = { name: 'loans', title: 'Days past due of the loan book', run }
