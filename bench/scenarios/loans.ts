import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import { poolBook } from '@pool/contract/lending/poolBook'
import { readConfig } from '../../server/base/configuration/config.ts'
import { openKeys } from '../../server/base/keys/keyFile.ts'
import { openLedger } from '../../server/ledger/engine/ledger.ts'
import { countArrears } from '../../server/lending/loans/arrears.ts'
import { importLoanFile } from '../../server/lending/loans/importFile.ts'
import { countFigures } from '../../server/lending/pool/figures.ts'
import { requestWithdrawal } from '../../server/requests/transactions/requestWithdrawal.ts'
import { type Figure, median } from '../harness/arithmetic.ts'
import { closedLoop } from '../harness/closedLoop.ts'
import { growLoansTo } from '../harness/loanRows.ts'
import { idOf, STAFF } from '../harness/people.ts'
import { load } from '../harness/plan.ts'
import { type Scenario, type Sizes, say } from '../harness/scenario.ts'
import { openStage, type Stage } from '../harness/stage.ts'

const LANES = 16
const AMOUNT = cents(1_00n)
const TOLERANCE = cents(1_00n)

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

/** The median of the public page's call, in milliseconds, and the seconds of its count. */
const page = async (stage: Stage, count: number, seconds: number) => {
  await growLoansTo(stage.pool(), count)
  const config = readConfig(stage.environment)
  const counting = await timed(() =>
    countFigures({ db: stage.database().db, config, keys: openKeys(config) }),
  )
  const { p50, statuses } = await load({
    port: stage.port(),
    connections: 1,
    seconds: Math.min(seconds, 5),
    warmUp: 2,
    mix: [{ share: 1, request: { kind: 'get', path: poolBook.path } }],
  })
  say(
    `${count} loans: figures counted in ${counting.toFixed(2)} s, read in ${p50.toFixed(2)} ms ${JSON.stringify(statuses)}`,
  )
  return { p50, counting }
}

const HEADING =
  'borrower,purpose,amount,rate_basis_points,schedule,period,day_count,instalments,due_day,disburse_on,first_due_on'
const LINE = 'business,1200,1200,annuity,monthly,30e360,12,15,2026-01-15,2026-02-15'

/** Imports applications of the oldest borrower, dry and then wet. Returns lines a second. */
const imported = async (stage: Stage, lines: number) => {
  const { db, pool } = stage.database()
  const config = readConfig(stage.environment)
  const context = { db, keys: openKeys(config), config, ledger: openLedger(pool) }
  const { id } = await db.selectFrom('borrowers').select('id').limit(1).executeTakeFirstOrThrow()
  const csv = [HEADING, ...Array<string>(lines).fill(`${id},${LINE}`)].join('\r\n')
  const by = { id: idOf(STAFF), name: 'bench', from: 'bench' }
  const once = (dryRun: boolean) =>
    timed(async () => {
      const { recorded, problems } = await importLoanFile(context, 'loans', { csv, dryRun, by })
      if (problems.length > 0 || recorded !== (dryRun ? 0 : lines))
        throw new Error(`${recorded} of ${lines} lines imported: ${JSON.stringify(problems[0])}`)
    })
  const [dry, wet] = [lines / (await once(true)), lines / (await once(false))]
  say(`${lines} lines imported: ${dry.toFixed(0)}/s dry, ${wet.toFixed(0)}/s wet`)
  return { dry, wet }
}

const run = async ({ people, seconds }: Sizes): Promise<readonly Figure[]> => {
  const stage = await openStage({ people: 1_000 })
  try {
    const few = await page(stage, people / 100, seconds)
    const { dry, wet } = await imported(stage, people / 10)
    await growLoansTo(stage.pool(), people)
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
    const many = await page(stage, people * 10, seconds)
    return [
      { name: `days past due of ${people} loans of 12 lines, s`, value: first, most: 60 },
      { name: 'a second count of the day, s', value: again },
      {
        name: 'money/s while loans are counted again and again ÷ alone',
        value: median(rates.map(({ alone, beside }) => beside / alone)),
        least: 0.9,
      },
      { name: `import of ${people / 10} loans, dry, lines/s`, value: dry },
      { name: `import of ${people / 10} loans, lines/s`, value: wet },
      { name: `public figures of ${people * 10} loans counted, s`, value: many.counting },
      {
        name: `public figures read at ${people * 10} loans ÷ at ${people / 100}, medians`,
        value: many.p50 / few.p50,
        most: 1.3,
      },
    ]
  } finally {
    await stage.close()
  }
}

export const loans: Scenario = {
  name: 'loans',
  title: 'Days past due and public figures of the loan book',
  run,
}
