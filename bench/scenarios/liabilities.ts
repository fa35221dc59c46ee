import { randomInt, randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import { readConfig } from '../../server/base/configuration/config.ts'
import { openKeys } from '../../server/base/keys/keyFile.ts'
import { openLedger } from '../../server/ledger/engine/ledger.ts'
import { checkLiabilities } from '../../server/reports/liabilities/check.ts'
import { makeLiabilities } from '../../server/reports/liabilities/make.ts'
import { readProof } from '../../server/reports/liabilities/proof.ts'
import { requestWithdrawal } from '../../server/requests/transactions/requestWithdrawal.ts'
import { tamper } from '../../server/testing/tamper.ts'
import { type Figure, median } from '../harness/arithmetic.ts'
import { closedLoop } from '../harness/closedLoop.ts'
import { idOf } from '../harness/people.ts'
import { type Scenario, type Sizes, say } from '../harness/scenario.ts'
import { openStage, type Stage } from '../harness/stage.ts'

const LANES = 16
/** Investors with withdrawals. The others have accounts alone. */
const ACTIVE = 1_000
const PROOFS = 200
const AMOUNT = cents(1_00n)

const contextOf = (stage: Stage) => {
  const config = readConfig(stage.environment)
  const { db, pool } = stage.database()
  return { config, db, keys: openKeys(config), ledger: openLedger(pool) }
}

/** Adds accounts with a balance and without history, until there are `count` investors. */
const growTo = (stage: Stage, count: number): Promise<void> =>
  tamper(
    { pool: stage.pool() },
    `SET statement_timeout = 0;
     INSERT INTO accounts (owner_id, kind, balance)
     SELECT owner, kind, CASE kind WHEN 'available' THEN 1 + n % 1000000 ELSE 0 END
     FROM (SELECT n, gen_random_uuid() AS owner FROM generate_series(1, ${count} - (SELECT count(*) FROM accounts WHERE kind = 'available')) AS n) AS new
       CROSS JOIN unnest(ARRAY['available', 'held', 'invested']) AS kind;
     ANALYZE accounts`,
  )

/** Takes the day away, so that it is made anew with other investors. */
const forget = (stage: Stage): Promise<void> =>
  tamper(
    { pool: stage.pool() },
    "TRUNCATE liability_trees, liability_leaves; DELETE FROM audit_entries WHERE action = 'liabilities.published'",
  )

/** The median of proofs of random investors, in milliseconds. */
const proofs = async (stage: Stage): Promise<number> => {
  const context = contextOf(stage)
  const { rows } = await stage
    .pool()
    .query<{ id: string; day: string }>(
      'SELECT user_id AS id, day::text AS day FROM liability_leaves ORDER BY place LIMIT 5000',
    )
  const times: number[] = []
  for (let turn = 0; turn < PROOFS; turn += 1) {
    const chosen = rows[randomInt(rows.length)]
    if (!chosen) throw new Error('the day has leaves')
    const began = performance.now()
    if (!(await readProof(context, chosen.id, chosen.day))) throw new Error('a leaf has a proof')
    times.push(performance.now() - began)
  }
  return median(times)
}

/** Asks for withdrawals until `isOver`. Returns their number a second. */
const money = async (stage: Stage, isOver: () => boolean): Promise<number> => {
  const context = contextOf(stage)
  const began = performance.now()
  const asked = await closedLoop(
    async (index) => {
      const id = idOf(1 + (index % ACTIVE))
      const idempotency = { actorId: id, key: randomUUID(), requestHash: randomUUID() }
      await requestWithdrawal(context, { by: { id, from: 'bench' }, amount: AMOUNT, idempotency })
    },
    { lanes: LANES, until: isOver },
  )
  return (asked * 1_000) / (performance.now() - began)
}

/** Makes the tree of so many investors. Seconds, and megabytes beyond those before. */
const make = async (stage: Stage, count: number) => {
  await growTo(stage, count)
  await forget(stage)
  const before = process.memoryUsage().rss
  let peak = before
  const looks = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 50)
  const began = performance.now()
  try {
    if (!(await makeLiabilities(contextOf(stage)))) throw new Error('the day is made once')
  } finally {
    clearInterval(looks)
  }
  const found = { seconds: (performance.now() - began) / 1_000, memory: (peak - before) / 1e6 }
  say(`${count} investors: ${found.seconds.toFixed(1)} s, ${found.memory.toFixed(0)} MB`)
  return found
}

const run = async ({ people, seconds }: Sizes): Promise<readonly Figure[]> => {
  const [few, many] = [people / 10, people * 10]
  const stage = await openStage({ people: ACTIVE })
  try {
    await make(stage, few)
    const fewProofs = await proofs(stage)
    const made = await make(stage, many)
    const manyProofs = await proofs(stage)
    say(`proofs: ${fewProofs.toFixed(1)} ms, then ${manyProofs.toFixed(1)} ms`)
    const { rows } = await stage
      .pool()
      .query<{ bytes: number }>(
        `SELECT (pg_total_relation_size('liability_leaves') + pg_total_relation_size('liability_trees'))::float8 AS bytes`,
      )
    const since = performance.now()
    const { fault } = await checkLiabilities(contextOf(stage))
    if (fault) throw new Error(fault)
    const checking = (performance.now() - since) / 1_000
    const aloneNow = () => {
      const ends = performance.now() + seconds * 1_000
      return money(stage, () => performance.now() > ends)
    }
    const before = await aloneNow()
    let isOver = false
    const making = make(stage, many).finally(() => {
      isOver = true
    })
    const beside = await money(stage, () => isOver)
    await making
    // The machine changes its speed meanwhile.
    const alone = (before + (await aloneNow())) / 2
    say(`money: ${alone.toFixed(0)}/s alone, ${beside.toFixed(0)}/s while the tree is made`)
    return [
      { name: `tree of ${many} investors, s`, value: made.seconds, most: 300 },
      { name: 'memory meanwhile, MB', value: made.memory, most: 500 },
      { name: 'bytes of the day, MB', value: (rows[0]?.bytes ?? 0) / 1e6 },
      { name: 'check of the day, s', value: checking },
      { name: `proof at ${many} investors, ms`, value: manyProofs, most: 50 },
      { name: `proof at ${many} ÷ at ${few}, medians`, value: manyProofs / fewProofs },
      { name: 'money/s while the tree is made ÷ alone', value: beside / alone, least: 0.5 },
    ]
  } finally {
    await stage.close()
  }
}

export const liabilities: Scenario = {
  name: 'liabilities',
  title: 'What investors are owed, as a tree of each day',
  run,
}
