/** The days of a rehearsal: what the jobs and the people of a pool that winds down do on each. */
import { randomBytes } from 'node:crypto'
import { dollarsFromCents } from '@pool/contract/base/money'
import { sql } from 'kysely'
import { askProposal } from '../../agreements/proposals/ask.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { readProgress } from '../../lending/windDown/progress.ts'
import { readRepayments } from '../../lending/windDown/repayments.ts'
import { readOwedBefore } from '../../lending/windDown/takeCapital.ts'
import { currentWindDown } from '../../lending/windDown/windDown.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { sealAudit } from '../../records/audit/seal.ts'
import { mailAnnounced } from '../../reports/notices/mailAnnounced.ts'
import { expireDeposits } from '../../requests/transactions/expireDeposits.ts'
import { pays, repayDue, settleClaims, settleLoans } from './loans.ts'
import { askForAll, payOldest } from './withdrawals.ts'
import type { World } from './world.ts'

/** Two super admins wind the pool down, unless it does already. */
const begin = async ({ means, pair, agreeAll }: World): Promise<void> => {
  if (await currentWindDown(means.db)) return
  await askProposal(
    means,
    { by: pair[0], language: 'en' },
    { kind: 'WIND_DOWN', reason: 'Rehearsal' },
  )
  await agreeAll()
}

/** An own address of the pool. Two super admins name one where there is none. */
const ownAddress = async (world: World) => {
  const { means, pair, agreeAll } = world
  const [known] = await means.db
    .selectFrom('own_addresses')
    .select(['network_name as networkName', 'address'])
    .where('class', '<>', 'CHANGE')
    .limit(1)
    .execute()
  if (known) return known
  const named = {
    networkName: 'Ethereum',
    address: `0x${randomBytes(20).toString('hex')}`,
    class: 'COLD' as const,
  }
  const asked = { kind: 'OWN_ADDRESS' as const, ...named, reason: 'Rehearsal' }
  await askProposal(means, { by: pair[0], language: 'en' }, asked)
  await agreeAll()
  return { networkName: named.networkName, address: named.address }
}

/** The whole reserve leaves, once nothing else is owed and no loan runs. */
const takeCapital = async (world: World): Promise<void> => {
  const { means, pair, agreeAll } = world
  const owed = await readOwedBefore(means.db)
  const reserve = await poolBalance(means.db, 'reserve')
  const { outstanding } = await readProgress(means.db)
  if (owed !== 0n || outstanding !== 0 || reserve === 0n) return
  await askProposal(
    means,
    { by: pair[0], language: 'en' },
    {
      kind: 'WITHDRAW_CAPITAL',
      amount: dollarsFromCents(reserve),
      ...(await ownAddress(world)),
      reason: 'Rehearsal',
      repayments: await readRepayments(means.db),
    },
  )
  await agreeAll()
}

/** One day. Each step looks at what is left, so that a day that was stopped goes on. */
export const liveDay = async (world: World): Promise<void> => {
  const { means, agreeAll } = world
  await agreeAll()
  await begin(world)
  await mailAnnounced(means)
  await expireDeposits(means, means.config.depositTtlDays)
  await payMaturities(means)
  await repayDue(world)
  await settleLoans(world)
  await settleClaims(world)
  await askForAll(world)
  await payOldest(world)
  await takeCapital(world)
  await sealAudit(means)
}

/** True once nothing is owed, lent, or left in the reserve. */
export const isOver = async ({ means: { db } }: World): Promise<boolean> => {
  const owed = await readOwedBefore(db)
  const { outstanding, reserve } = await readProgress(db)
  return owed === 0n && outstanding === 0 && reserve === 0
}

/** The next moment at which something is due. Undefined where nothing is. */
export const nextMoment = async ({
  means: { db },
  defaulting,
}: World): Promise<Date | undefined> => {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT greatest(min(at) + interval '1 second', date_trunc('day', min(at)) + interval '23 hours') AS at FROM (
      SELECT matures_at AS at FROM transactions WHERE investment_status = 'ACTIVE'
      UNION ALL SELECT withdrawals_rest_until FROM users
      UNION ALL SELECT counts_at FROM loss_announcements
      UNION ALL SELECT claims_until(w) FROM current_wind_down() AS w
      UNION ALL SELECT (i.due_on + CASE WHEN ${pays(defaulting)} THEN 0 ELSE 91 END)::timestamp AT TIME ZONE 'UTC'
      FROM loan_instalments AS i JOIN loans AS l ON l.id = i.loan_id
      WHERE l.status = 'ACTIVE' AND NOT i.replaced AND i.principal_paid < i.principal
    ) AS events WHERE at > now()`.execute(db)
  return rows[0]?.at ?? undefined
}
