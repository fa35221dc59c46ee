import { cents } from '@pool/contract/base/money'
import { grantRole } from '../../server/accounts/users/roles.ts'
import { readConfig } from '../../server/base/configuration/config.ts'
import { openKeys } from '../../server/base/keys/keyFile.ts'
import { checkLedger, findingOf } from '../../server/ledger/check/check.ts'
import { openLedger } from '../../server/ledger/engine/ledger.ts'
import { openPlans } from '../../server/ledger/families/knownPlans.ts'
import { openInvestment } from '../../server/money/investments/openInvestment.ts'
import { checkAudit } from '../../server/records/audit/check.ts'
import { sealAudit } from '../../server/records/audit/seal.ts'
import { approveWithdrawal } from '../../server/requests/transactions/approveWithdrawal.ts'
import { confirmDeposit } from '../../server/requests/transactions/confirmDeposit.ts'
import { rejectWithdrawal } from '../../server/requests/transactions/rejectWithdrawal.ts'
import { requestDeposit } from '../../server/requests/transactions/requestDeposit.ts'
import { requestWithdrawal } from '../../server/requests/transactions/requestWithdrawal.ts'
import { emailOf, idOf, STAFF } from '../harness/people.ts'
import { type Scenario, say } from '../harness/scenario.ts'
import { openStage } from '../harness/stage.ts'

const LANES = 64
/** An investor who is an admin, too. */
const SECOND_STAFF = 1
/** The operations between two lines of progress. */
const PROGRESS = 100_000

/**
 * Posts a mix of all operations by the product's verbs, beside its jobs, which pay what matures.
 * Throws unless ledger and audit trail are whole afterwards.
 */
export const million: Scenario = {
  name: 'million',
  title: 'A day of a million operations, then both checks',
  run: async ({ people: most, operations: [, whole] }) => {
    // Long: one measurement from its stage to its figures, in the order of time.
    const people = Math.min(most, 20_000)
    const stage = await openStage({ people, environment: { DAY_SECONDS: '1' } })
    try {
      // A day of a second, so that most investments mature within the run.
      const config = { ...readConfig(stage.environment), daySeconds: 1 }
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
      const staff = numbered(STAFF)
      const second = numbered(SECOND_STAFF)
      await grantRole(context, { email: second.name, role: 'ADMIN', by: staff })
      let posted = 0
      const someone = () =>
        numbered(SECOND_STAFF + 1 + Math.floor(Math.random() * (people - SECOND_STAFF)))
      /** Approves as one member of staff, and above the limits as the other one, too. */
      const approved = async (approve: (by: typeof staff) => Promise<{ status: string }>) => {
        const { status } = await approve(staff)
        if (status === 'PENDING') await approve(second)
        posted += status === 'PENDING' ? 2 : 1
      }
      const amount = () => cents(BigInt(1_000 + Math.floor(Math.random() * 2_000)))
      const deposited = async () => {
        const { transactionId } = await requestDeposit(context.ledger, {
          by: someone(),
          amount: amount(),
        })
        posted += 1
        await approved((by) => confirmDeposit(context, { transactionId, by }))
      }
      const withdrawn = async () => {
        const by = someone()
        const { transactionId } = await requestWithdrawal(context, { by, amount: amount() })
        posted += 1
        if (Math.random() < 0.2) {
          await rejectWithdrawal(context, { transactionId, by: staff, reason: 'measured' })
          posted += 1
        } else
          await approved((approver) =>
            approveWithdrawal(context, { transactionId, userId: by.id, by: approver }),
          )
      }
      const invested = async () => {
        await openInvestment(context, { by: someone(), amount: amount(), durationDays: 1 })
        posted += 1
      }
      const one = () => {
        const chance = Math.random()
        if (chance < 0.1) return deposited()
        return chance < 0.2 ? withdrawn() : invested()
      }
      const since = performance.now()
      const seconds = () => (performance.now() - since) / 1_000
      let told = PROGRESS
      const lane = async () => {
        while (posted < whole) {
          await one()
          if (posted >= told) {
            say(`${told} operations in ${Math.round(seconds())} s`)
            told += PROGRESS
          }
        }
      }
      await Promise.all(Array.from({ length: LANES }, lane))
      const perSecond = posted / seconds()
      const active = async () =>
        (await pool.query("SELECT count(*)::int AS count FROM investments WHERE status = 'ACTIVE'"))
          .rows[0].count
      while ((await active()) > 0) await new Promise((resolve) => setTimeout(resolve, 1_000))
      await sealAudit(context)

      const ledger = await checkLedger(db)
      const finding = findingOf(ledger)
      if (finding) throw new Error(finding)
      const trail = await checkAudit(context)
      if (trail.firstBreak) throw new Error(trail.firstBreak.sentence)
      return [
        { name: 'operations', value: posted },
        { name: 'operations/s, in process', value: perSecond },
        { name: 'transfers that the check read', value: Number(ledger.transfers) },
        { name: 'entries of the whole audit trail', value: Number(trail.entries) },
      ]
    } finally {
      await stage.close()
    }
  },
}
