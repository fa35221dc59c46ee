import { cents, centsFromDollars, dollarsFromCents } from '@pool/contract/base/money'
import { networks } from '@pool/contract/base/networks'
import { loanDay } from '@pool/contract/lending/loanDays'
import { loanPurposes } from '@pool/contract/lending/loans'
import { type TypedTerms, termsFrom } from '@pool/contract/lending/loanTerms'
import { type ScheduleLine, scheduleOf } from '@pool/contract/lending/schedules'
import { sql } from 'kysely'
import { askRecovery, askWriteOff } from '../../agreements/proposals/askForLateLoans.ts'
import { askApproval, askDisbursement } from '../../agreements/proposals/askForLoans.ts'
import { repayByTwo, reverseByTwo } from '../../agreements/proposals/byTwo.ts'
import { approveProposal } from '../../agreements/proposals/decide.ts'
import { chainOf } from '../../base/chains/networks.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { recordBorrower } from '../../lending/borrowers/recordBorrower.ts'
import { countArrears, postDefaults } from '../../lending/loans/arrears.ts'
import { recordLoan } from '../../lending/loans/recordLoan.ts'
import { addCollateral, writeUpdate } from '../../lending/loans/records.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { DAY, HOUR, MINUTE, type World } from './life.ts'
import { inventPeople } from './people.ts'

/** Loans, and the days over which they are paid out. Older ones are taken over at the start. */
const LOANS = 60
const BOOK_DAYS = 365
/** Loans that only wait, for an approval or a disbursement. */
const WAITING = 4
/** The operator's capital for loans. */
const CAPITAL = centsFromDollars(150_000)

const COMPANIES = ['Bakery', 'Bicycles', 'Carpentry', 'Garage', 'Laundry', 'Nursery', 'Print Shop']
const REASONS = [
  'Two years of accounts, steady takings',
  'Salaried, no other debts',
  'Repaid an earlier loan on time',
  'New business with a guarantor',
  'One late payment in the last year',
]
const COLLATERAL = [
  'A van, five years old',
  'Two ovens',
  'A flat, second rank',
  'Stock of bicycles',
]
const NEWS = [
  'Called. They promise to pay by the end of the month.',
  'Wrote to the guarantor, who answers within two weeks.',
  'No answer by telephone. A letter is on its way.',
]
const COUNTRIES = ['DE', 'ES', 'FR', 'IT', 'KE', 'MX', 'PL', 'PT']
const AMOUNTS = [600, 800, 1_000, 1_200, 1_500, 2_000, 2_500, 3_000, 4_000, 6_000]
const GRADES = ['A', 'A', 'B', 'B', 'B', 'C', 'C', 'D'] as const

/** Yearly rates in basis points, by grade. */
const RATES = { A: 800, B: 1_100, C: 1_450, D: 1_900 } as const

/** Days after a due day on which it is paid, for an instalment. Null is never. */
type Habit = (instalment: number) => number | null

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)
const midday = (day: string): number => Date.parse(`${day}T12:00:00Z`)

/** Most pay in time, some late, and some not any more. */
const habitOf = ({ random }: World): Habit => {
  const nature = random.next()
  if (nature < 0.72) return () => (random.chance(0.85) ? 0 : Math.floor(random.between(1, 5)))
  if (nature < 0.86) return () => Math.floor(random.between(2, 45))
  const last = Math.floor(random.between(1, 5))
  return (instalment) => (instalment <= last ? 0 : null)
}

type Lent = { readonly id: string; readonly typed: TypedTerms; readonly staff: readonly Caller[] }

const newBorrower = async ({ means, random, staff }: World, name: string) => {
  const grade = random.pick(GRADES)
  const isCompany = random.chance(0.3)
  const { id } = await recordBorrower(means, random.pick(staff), {
    name: isCompany ? `${name} ${random.pick(COMPANIES)}` : name,
    country: random.pick(COUNTRIES),
    kind: isCompany ? 'company' : 'person',
    relation: random.chance(0.04) ? 'investor' : 'none',
    grade,
    gradeReason: random.pick(REASONS),
  })
  return { id, grade }
}

/** The terms of a loan that is paid out on a day. */
const termsFor = (
  { random }: World,
  grade: keyof typeof RATES,
  disbursedOn: number,
): TypedTerms => {
  const period = random.pick(['monthly', 'monthly', 'monthly', 'weekly'] as const)
  const firstDueOn = dayOf(disbursedOn + (period === 'weekly' ? 7 : 30) * DAY)
  return {
    amount: random.pick(AMOUNTS),
    rateBasisPoints: RATES[grade],
    schedule: random.pick(['annuity', 'annuity', 'equalPrincipal', 'interestOnly'] as const),
    period,
    dayCount: 'act365',
    instalments: random.pick([6, 9, 12, 12, 18, 24]),
    dueDay: Number(loanDay(firstDueOn)?.on.slice(8)),
    disburseOn: dayOf(disbursedOn),
    firstDueOn,
  }
}

/** The moment of a disbursement. One of before the demonstration is that of a loan taken over. */
type Planned = { readonly disbursedOn: number; readonly isTakenOver?: boolean }

/** A loan is recorded and approved by two. */
const approve = async (
  world: World,
  name: string,
  { disbursedOn, isTakenOver = false }: Planned,
): Promise<Lent> => {
  const { means, random } = world
  const borrower = await newBorrower(world, name)
  const [first, second] = world.staff as [Caller, Caller]
  const staff = random.chance(0.5) ? [first, second] : [second, first]
  const [asker, decider] = staff as [Caller, Caller]
  const typed = termsFor(world, borrower.grade, disbursedOn)
  const purpose = random.pick(loanPurposes)
  const { id } = await recordLoan(means, asker, {
    borrowerId: borrower.id,
    purpose,
    ...typed,
    ...(isTakenOver && { takenOverOn: dayOf(world.now()) }),
  })
  if (random.chance(0.3)) {
    const value = Math.round(typed.amount * random.pick([0.8, 1.2, 1.6]))
    const payload = { description: random.pick(COLLATERAL), value, valuedOn: dayOf(world.now()) }
    await addCollateral(means, { loanId: id, by: asker, payload })
  }
  const asking = { by: asker, language: 'en', loanId: id } as const
  const { proposalId } = await askApproval(means, asking, random.pick(REASONS))
  await approveProposal(means, { id: proposalId, by: decider, byStaff: true })
  return { id, typed, staff }
}

/** Two people disburse it, and the borrower repays it as is their habit. */
const disburse = async (world: World, { id, typed, staff }: Lent): Promise<void> => {
  const { means, random } = world
  const [asker] = staff as [Caller]
  // The book of before is more than admins alone lend in a day.
  const [decider] = world.superAdmins
  const networkName = random.pick(networks).name
  const { proposalId } = await askDisbursement(
    means,
    { by: asker, language: 'en', loanId: id },
    {
      networkName,
      evidence: chainOf(networkName).randomTransactionId(),
      disbursedOn: typed.disburseOn,
    },
  )
  await approveProposal(means, { id: proposalId, by: decider, byStaff: true })
  repayAll(world, { id, typed, staff })
}

/** Plans the repayments. Those of before the demonstration are recorded at once. */
const repayAll = (world: World, lent: Lent): void => {
  const { random, after, now } = world
  const terms = termsFrom(lent.typed)
  if (typeof terms === 'string') return
  const habit = habitOf(world)
  let earliest = 0
  for (const [index, line] of scheduleOf(terms).entries()) {
    const late = habit(index + 1)
    if (late === null) return
    // Each pays after the one before, also where that one was late.
    const paidAt = Math.max(midday(line.dueOn) + late * DAY, earliest)
    earliest = paidAt + MINUTE
    const delay = Math.max(paidAt - now(), (index + 1) * MINUTE)
    after(delay + random.between(0, HOUR), () => repay(world, lent, { line, paidAt, index }))
  }
}

type Paying = { readonly line: ScheduleLine; readonly paidAt: number; readonly index: number }

const repay = async (world: World, { id, staff }: Lent, paying: Paying): Promise<void> => {
  const { means, random, after } = world
  const { line, paidAt, index } = paying
  const by = random.pick(staff)
  const pair = [by, staff.find((other) => other.id !== by.id) ?? by] as const
  const paid = {
    loanId: id,
    amount: cents(line.principal + line.interest),
    valueOn: dayOf(paidAt),
    reference: `${id.slice(-6)}-${index + 1}`,
  }
  const repaymentId = await repayByTwo(means, pair, paid)
  if (!random.chance(0.015)) return
  // A few are recorded wrongly, taken back and recorded again.
  after(HOUR, async () => {
    const reason = 'Recorded for the wrong loan'
    await reverseByTwo(means, pair, { repaymentId, reason })
    after(HOUR, async () => void (await repayByTwo(means, pair, paid)))
  })
}

/** Staff write about most of the loans that are late for long. The others stand out. */
const tellOfTheLate = async ({ means, random, staff }: World): Promise<void> => {
  const { rows: late } = await sql<{ id: string }>`
    SELECT DISTINCT loan_id AS id FROM loan_instalments
    WHERE NOT replaced AND due_on < current_date - 14 AND principal_paid < principal ORDER BY 1`.execute(
    means.db,
  )
  for (const [index, { id }] of late.entries())
    if (index % 3 !== 2)
      await writeUpdate(means, {
        loanId: id,
        by: random.pick(staff),
        text: random.pick(NEWS),
      })
}

/**
 * The product finds loans in default, and two super admins give up the largest, of which a part
 * comes back. By today's day, as days past due are counted by it.
 */
const settleTheLate = async (world: World): Promise<void> => {
  const { means, superAdmins, staff, after } = world
  await countArrears(means.db, means.config.loanTolerance)
  await postDefaults(means)
  await tellOfTheLate(world)
  const lost = await means.db
    .selectFrom('loans')
    .select(['id', 'outstanding'])
    .where('status', '=', 'DEFAULTED')
    .orderBy('outstanding', 'desc')
    .orderBy('id')
    .executeTakeFirst()
  if (!lost) return
  const [first, second] = superAdmins
  const { proposalId } = await askWriteOff(
    means,
    { by: first, language: 'en', loanId: lost.id },
    { reason: 'The borrower is insolvent', amount: dollarsFromCents(cents(lost.outstanding)) },
  )
  await approveProposal(means, { id: proposalId, by: second })
  const back = {
    amount: dollarsFromCents(cents(lost.outstanding / 4n)),
    reference: `${lost.id.slice(-6)}-court`,
  }
  after(10 * MINUTE, async () => {
    const [clerk, other] = staff as [Caller, Caller]
    const { proposalId: id } = await askRecovery(
      means,
      { by: clerk, language: 'en', loanId: lost.id },
      { ...back, valueOn: dayOf(Date.now()) },
    )
    await approveProposal(means, { id, by: other, byStaff: true })
  })
}

/** Plans a book of loans: those of before come in the first days, others on their day. */
export const lendThrough = (world: World, end: number): void => {
  const { means, random, after, now } = world
  const [start, people] = [now(), inventPeople(random, LOANS + WAITING)]
  after(MINUTE, () =>
    contributeCapital(means, {
      amount: CAPITAL,
      note: 'Play capital for loans',
      contributedBy: 'sandbox',
    }),
  )
  after(end - start - 30 * MINUTE, () => settleTheLate(world))
  for (const [index, { firstName, lastName }] of people.entries()) {
    const name = `${firstName} ${lastName}`
    if (index >= LOANS) {
      const waits = random.between(HOUR, 20 * HOUR)
      after(
        end - start - waits,
        async () => void (await approve(world, name, { disbursedOn: end + 3 * DAY })),
      )
      continue
    }
    const disbursedOn = end - BOOK_DAYS * DAY + ((index + 0.5) * BOOK_DAYS * DAY) / LOANS
    // Recorded some minutes apart in the first day, or on the day itself.
    const delay = Math.max(disbursedOn - start, HOUR + index * 10 * MINUTE)
    after(delay, async () => {
      const planned = {
        disbursedOn: Math.min(disbursedOn, start + delay),
        isTakenOver: disbursedOn < start,
      }
      await disburse(world, await approve(world, name, planned))
    })
  }
}
