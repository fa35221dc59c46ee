import { randomUUID } from 'node:crypto'
import { cents } from '@pool/contract/base/money'
import { readConfig } from '../../server/base/configuration/config.ts'
import { openKeys } from '../../server/base/keys/keyFile.ts'
import { openLedger } from '../../server/ledger/engine/ledger.ts'
import { openPlans } from '../../server/ledger/families/knownPlans.ts'
import { openInvestment } from '../../server/money/investments/openInvestment.ts'
import { approveWithdrawal } from '../../server/requests/transactions/approveWithdrawal.ts'
import { confirmDeposit } from '../../server/requests/transactions/confirmDeposit.ts'
import { requestDeposit } from '../../server/requests/transactions/requestDeposit.ts'
import { requestWithdrawal } from '../../server/requests/transactions/requestWithdrawal.ts'
import { passGuard } from '../../server/testing/tamper.ts'
import type { Figure } from '../harness/arithmetic.ts'
import { closedLoop } from '../harness/closedLoop.ts'
import { emailOf, idOf, STAFF } from '../harness/people.ts'
import { type Scenario, type Sizes, say } from '../harness/scenario.ts'
import { openStage, type Stage } from '../harness/stage.ts'
import { databaseMemory, workOf } from '../harness/work.ts'

const LANES = 64
/** Investments that the product's job pays in one transaction. */
const MATURED_AT_ONCE = 500

const AMOUNT = cents(1_000n)

/** Runs one operation; `index` counts from 0. */
type One = (index: number) => Promise<unknown>

/** Each kind of operation, by the product's verbs, in an order in which each finds its rows. */
const kindsOf = (stage: Stage, people: number): ReadonlyMap<string, One> => {
  // Long: a table of operations, whose rows feed each other.
  const config = readConfig(stage.environment)
  const { db, pool } = stage.database()
  const context = {
    config,
    plans: openPlans(db),
    db,
    keys: openKeys(config),
    ledger: openLedger(pool),
  }
  const numbered = (number: number) => ({
    id: idOf(number),
    name: emailOf(number),
    from: 'bench',
  })
  const personOf = (index: number) => numbered(1 + ((index * 7_919) % people))
  const keyOf = (actorId: string) => ({ actorId, key: randomUUID(), requestHash: randomUUID() })
  const staff = numbered(STAFF)
  const withdrawals: string[] = []
  const deposits: string[] = []
  const asked = (index: number) => {
    const by = personOf(index)
    return { by, amount: AMOUNT, idempotency: keyOf(by.id) }
  }
  const decided = (transactionId = '') => ({
    transactionId,
    by: staff,
    idempotency: keyOf(staff.id),
  })
  return new Map<string, One>([
    ['investment opened', (index) => openInvestment(context, { ...asked(index), durationDays: 1 })],
    [
      'investment matured',
      (index) =>
        index % MATURED_AT_ONCE === 0
          ? context.ledger.payMatured(MATURED_AT_ONCE)
          : Promise.resolve(),
    ],
    [
      'withdrawal requested',
      async (index) => {
        const { transactionId } = await requestWithdrawal(context, asked(index))
        withdrawals[index] = transactionId
      },
    ],
    [
      'withdrawal approved',
      (index) =>
        approveWithdrawal(context, {
          ...decided(withdrawals[index]),
          userId: personOf(index).id,
        }),
    ],
    [
      'deposit requested',
      async (index) => {
        const { transactionId } = await requestDeposit(context.ledger, asked(index))
        deposits[index] = transactionId
      },
    ],
    ['deposit confirmed', (index) => confirmDeposit(context, decided(deposits[index]))],
  ])
}

/** Makes all investments due. */
const makeDue = async ({ pool }: Stage): Promise<void> => {
  const due = "UPDATE investments SET matures_at = now() WHERE status = 'ACTIVE'"
  await passGuard(pool(), 'transactions', due)
  await pool().query('VACUUM (ANALYZE) transactions')
}

const measure = async ({
  people: most,
  operations: [count],
}: Sizes): Promise<readonly Figure[]> => {
  const people = Math.min(most, 10_000)
  const stage = await openStage({ people, environment: { SECOND_APPROVAL_ABOVE: '10000000' } })
  try {
    const figures: Figure[] = []
    for (const [kind, one] of kindsOf(stage, people)) {
      if (kind === 'investment matured') await makeDue(stage)
      await stage.pool().query('CHECKPOINT')
      const since = performance.now()
      // One lane pays, since each call pays hundreds.
      const lanes = kind === 'investment matured' ? 1 : LANES
      let seconds = 0
      const { work } = await workOf(
        stage,
        async () => {
          await closedLoop(one, { lanes, most: count })
          seconds = (performance.now() - since) / 1_000
        },
        count,
      )
      say(`${kind}: ${Math.round(count / seconds)}/s ${JSON.stringify(work)}`)
      figures.push(
        { name: `${kind}: a second, in process`, value: count / seconds },
        { name: `${kind}: database CPU, µs`, value: work.database },
        { name: `${kind}: log, bytes`, value: work.log },
        { name: `${kind}: page images in it`, value: work.pageImages },
        { name: `${kind}: new index entries`, value: work.indexEntries },
      )
    }
    return [
      ...figures,
      { name: 'memory of PostgreSQL after it, MB', value: await databaseMemory(stage.pool()) },
    ]
  } finally {
    await stage.close()
  }
}

export const operations: Scenario = {
  name: 'operations',
  title: 'The work of each kind of operation',
  run: measure,
}
