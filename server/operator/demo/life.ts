import { centsFromDollars } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import type { Pool } from 'pg'
import type { Caller } from '../../base/sessions/actor.ts'
import type { OnLedger, WithConfig, WithPlans } from '../../http/context.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { pause, resume } from '../../money/brakes/pauses.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { sealAudit } from '../../records/audit/seal.ts'
import { expireDeposits } from '../../requests/transactions/expireDeposits.ts'
import { type Agenda, openAgenda } from './agenda.ts'
import { setClock } from './clock.ts'
import type { Random } from './random.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export type DemoContext = OnLedger & WithConfig & WithPlans

/** The demonstration's world: the product's verbs, chance, staff, and what is to come. */
export type World = {
  readonly means: DemoContext
  readonly random: Random
  readonly staff: readonly Caller[]
  readonly superAdmins: readonly [Caller, Caller]
  /** The demonstration's moment. */
  readonly now: () => number
  /** Lets something happen after this many milliseconds. A refused act is left out. */
  readonly after: (delay: number, act: () => Promise<void>) => void
  /** Lets a person act on the pool while it is not paused. */
  readonly whileOpen: (act: () => Promise<void>) => Promise<void>
}

type Life = {
  readonly pool: Pool
  readonly means: DemoContext
  readonly random: Random
  readonly start: number
  readonly end: number
  /** Prepares the pool, and returns those who decide. */
  readonly begin: () => Promise<Pick<World, 'staff' | 'superAdmins'>>
  /** Invites the investors. */
  readonly invite: (world: World) => void
}

const ignoreRefusal = (error: unknown): void => {
  if (!(error instanceof Refusal)) throw error
}

/** Lives from `start` to `end` on the demonstration's clock. */
export const live = async (life: Life): Promise<void> => {
  const { pool, means, random, start, end } = life
  const agenda: Agenda = openAgenda()
  let moment = start
  const after: World['after'] = (delay, act) =>
    agenda.at(moment + delay, () => act().catch(ignoreRefusal))
  const whileOpen: World['whileOpen'] = (act) =>
    act().catch((error: unknown) => {
      if (!(error instanceof Refusal && error.code === 'paused')) throw error
      after(random.between(HOUR, 8 * HOUR), () => whileOpen(act))
    })
  await setClock(pool, moment)
  const world: World = {
    means,
    random,
    ...(await life.begin()),
    now: () => moment,
    after,
    whileOpen,
  }
  doDailyWork(world)
  life.invite(world)
  await agenda.run(end, async (next) => {
    moment = next
    await setClock(pool, next)
  })
  await sealAudit(means)
}

/** Plans the acts of the jobs and of the operator. */
const doDailyWork = (world: World): void => {
  const { means, after } = world
  const daily = async (): Promise<void> => {
    after(DAY, daily)
    await expireDeposits(means, means.config.depositTtlDays)
    await addCapital(world)
    await sealAudit(means)
  }
  after(HOUR, daily)
  for (const { name, day, hours, reason } of PAUSES) {
    after(day * DAY, () => pause(means, { name, reason, by: chief(world) }))
    after(day * DAY + hours * HOUR, () => resume(means, { name, by: chief(world) }))
  }
}

const chief = ({ staff }: World): Caller => staff[0] as Caller

const PAUSES = [
  {
    name: 'withdrawals',
    day: 37.4,
    hours: 5,
    reason: 'The Bitcoin network is congested. Withdrawals resume this evening.',
  },
  {
    name: 'deposits',
    day: 68.1,
    hours: 3,
    reason: 'We are moving to new deposit wallets. Deposits resume this afternoon.',
  },
] as const

/** The reserve that lets the operator add capital. */
const LOW_RESERVE = centsFromDollars(20_000)
const CAPITAL = centsFromDollars(50_000)

const addCapital = async ({ means }: World): Promise<void> => {
  if ((await poolBalance(means.db, 'reserve')) >= LOW_RESERVE) return
  await contributeCapital(means, {
    amount: CAPITAL,
    note: 'Play capital for new interest',
    contributedBy: 'sandbox',
  })
}
