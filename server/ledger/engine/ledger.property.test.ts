import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import { defaultPlans, interestOn } from '@pool/contract/money/plans'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { askProposal } from '../../agreements/proposals/ask.ts'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import { repayLoan } from '../../lending/loans/repay.ts'
import { reverseRepayment } from '../../lending/loans/reverseRepayment.ts'
import { markCompleted } from '../../money/claims/markCompleted.ts'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { confirmDeposit } from '../../requests/transactions/confirmDeposit.ts'
import { markSent } from '../../requests/transactions/markSent.ts'
import { rejectWithdrawal } from '../../requests/transactions/rejectWithdrawal.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { approveTwice } from '../../testing/approveTwice.ts'
import { endLoan } from '../../testing/loanEnds.ts'
import { endSending, reserveLoan } from '../../testing/loanSendings.ts'
import { dayFrom, lend, newBorrower } from '../../testing/loans.ts'
import { bearLoss, shareLoss } from '../../testing/lossEnds.ts'
import { bookedSums, owedSums } from '../../testing/owed.ts'
import { actAs, fund, type Person, person, testProduct } from '../../testing/product.ts'
import { expectStatements } from '../../testing/statements.ts'
import { checkLedger } from '../check/check.ts'
import { type Ledger, openLedger } from './ledger.ts'

const product = testProduct(
  { LOAN_CONCENTRATION: '100', LEND_PRINCIPAL: 'true', LOSS_NOTICE_HOURS: '0' },
  { reserve: cents(50_00n) },
)
let admins: Person[]
let superAdmins: Person[]
/** Pays any of the withdrawals, whose destinations are no addresses. */
const PAYMENT = 'ab'.repeat(32)
/** Batches pay loans here, and people do on other networks. */
const FOLLOWED: readonly ChainSettings[] = [
  {
    network: 'Ethereum',
    kind: 'evm',
    url: 'http://127.0.0.1:1',
    chainId: 1,
    tokens: [],
    pollSeconds: 1,
    stuckAfterMinutes: 1,
    unfinalAfterMinutes: 1,
    smallUpTo: 0,
  },
]
/** Two ledgers on one database, as two server processes have. */
let ledgers: Ledger[]

beforeAll(async () => {
  admins = [await person(product, ['ADMIN']), await person(product, ['ADMIN'])]
  superAdmins = [await person(product, ['SUPER_ADMIN']), await person(product, ['SUPER_ADMIN'])]
  borrowerId = await newBorrower(product.context, actAs(admins[0] as Person))
  ledgers = [product.context.ledger, openLedger(product.database.pool)]
})

const INVESTORS = 3
let borrowerId: string
const bothAdmins = () => [actAs(admins[0] as Person), actAs(admins[1] as Person)] as const
const amount = fc.bigInt({ min: 1n, max: 300_00n }).map(cents)
const investor = fc.nat({ max: INVESTORS - 1 })
const key = fc.option(fc.nat({ max: 5 }), { nil: undefined })

/** Any request at either process. Decisions name a transaction by its place in the list. */
const wish = fc.record({
  door: fc.nat({ max: 1 }),
  act: fc.oneof(
    fc.record({ verb: fc.constant('deposit' as const), investor, amount, key }),
    fc.record({ verb: fc.constant('withdraw' as const), investor, amount, key }),
    fc.record({
      verb: fc.constant('invest' as const),
      investor,
      amount,
      key,
      plan: fc.constantFrom(...defaultPlans),
    }),
    fc.record({
      verb: fc.constantFrom(
        'confirm' as const,
        'approve' as const,
        'reject' as const,
        'send' as const,
        'complete' as const,
        'giveBack' as const,
      ),
      admin: fc.nat({ max: 1 }),
      place: fc.nat(),
    }),
    fc.record({ verb: fc.constant('mature' as const) }),
    fc.record({
      verb: fc.constantFrom('lend' as const, 'reserve' as const),
      principal: fc.bigInt({ min: 1_00n, max: 15_00n }).map(cents),
      /** Hundredths that investors' principal funds. */
      share: fc.constantFrom(0n, 0n, 33n, 100n),
    }),
    fc.record({
      verb: fc.constantFrom('free' as const, 'arrive' as const),
      sending: fc.nat(),
    }),
    fc.record({ verb: fc.constant('bear' as const) }),
    fc.record({ verb: fc.constant('share' as const) }),
    fc.record({
      verb: fc.constantFrom('default' as const, 'writeOff' as const, 'restructure' as const),
      place: fc.nat(),
    }),
    fc.record({
      verb: fc.constant('recover' as const),
      amount: fc.bigInt({ min: 1n, max: 5_00n }).map(cents),
      place: fc.nat(),
    }),
    fc.record({
      verb: fc.constantFrom('repay' as const, 'takeBack' as const),
      received: fc.bigInt({ min: 1n, max: 5_00n }).map(cents),
      reference: fc.nat({ max: 300 }),
      place: fc.nat(),
    }),
  ),
})
type Wish = typeof wish extends fc.Arbitrary<infer T> ? T : never

const longest = defaultPlans[2]
/**
 * Waves that reach what chance may not: the ends of a loan, a shared loss that comes back in part,
 * and both ends of a withdrawal.
 */
const RARE: Wish[][] = (
  [
    { verb: 'complete', admin: 0, place: 1 },
    { verb: 'giveBack', admin: 0, place: 2 },
    { verb: 'reserve', principal: cents(1_00n), share: 33n },
    { verb: 'arrive', sending: 0 },
    { verb: 'reserve', principal: cents(1_00n), share: 0n },
    { verb: 'free', sending: 1 },
    { verb: 'lend', principal: cents(40_00n), share: 100n },
    ...[0, 1, 2].map((investor) => ({
      verb: 'invest' as const,
      investor,
      amount: cents(180_00n),
      key: undefined,
      plan: longest,
    })),
    { verb: 'repay', received: cents(5_00n), reference: 0, place: 2 },
    { verb: 'takeBack', received: cents(1n), reference: 0, place: 0 },
    { verb: 'default', place: 2 },
    { verb: 'writeOff', place: 2 },
    { verb: 'share' },
    { verb: 'recover', amount: cents(1_00n), place: 2 },
    { verb: 'bear' },
  ] as const
).map((act) => [{ door: 0, act }])

const carryOut = async ({ door, act }: Wish, people: readonly Person[]): Promise<unknown> => {
  // Long: a table from acts of the property to verbs of the product.
  const ledger = ledgers[door] as Ledger
  const context = {
    ...product.context,
    ledger,
    config: { ...product.context.config, daySeconds: 0, chains: FOLLOWED },
  }
  if (act.verb === 'mature') return payMaturities(context)
  if ('place' in act && !('received' in act) && !('admin' in act))
    return endLoan(context, act, await loanIds(), act.verb === 'writeOff' ? superAdmins : admins)
  if (act.verb === 'bear') return bearLoss(context, superAdmins)
  if (act.verb === 'share') return shareLoss(context, superAdmins)
  if ('principal' in act) {
    const { principal, share } = act
    const lent = { principal, fromInvestors: cents((principal * share) / 100n) }
    const pay = act.verb === 'lend' ? lend : reserveLoan
    return pay(context, borrowerId, lent, bothAdmins())
  }
  if ('sending' in act)
    return endSending(
      context,
      { verb: act.verb, place: act.sending, database: product.database },
      bothAdmins(),
    )
  if ('received' in act) return repayOne(context, act, actAs(admins[0] as Person))
  if ('investor' in act) {
    const { id: userId } = people[act.investor] as Person
    const { verb, amount } = act
    const request = `${verb} ${amount} ${'plan' in act ? act.plan.durationDays : ''}`
    const idempotency =
      act.key === undefined
        ? undefined
        : { actorId: userId, key: `key ${act.key}`, requestHash: request }
    if (act.verb === 'invest')
      return openInvestment(context, {
        by: { id: userId, from: 'tests' },
        amount,
        durationDays: act.plan.durationDays,
        idempotency,
      })
    return verb === 'deposit'
      ? requestDeposit(ledger, { by: { id: userId, from: 'tests' }, amount, idempotency })
      : requestWithdrawal(context, { by: { id: userId, from: 'tests' }, amount, idempotency })
  }
  const admin = admins[act.admin] as Person
  const all = await product.context.db
    .selectFrom('transactions')
    .select(['id', 'user_id', 'amount'])
    .where('type', 'in', ['deposit', 'withdrawal'])
    .where(
      'user_id',
      'in',
      people.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  const chosen = all[act.place % Math.max(all.length, 1)]
  if (!chosen) return undefined
  const request = { transactionId: chosen.id, by: actAs(admin) }
  if (act.verb === 'send')
    return markSent(context, { ...request, networkName: 'Bitcoin', evidence: PAYMENT })
  if (act.verb === 'complete') return markCompleted(context, request)
  if (act.verb === 'giveBack') return giveBack(context, chosen)
  if (act.verb === 'confirm') return confirmDeposit(context, request)
  return act.verb === 'approve'
    ? approveWithdrawal(context, { ...request, userId: chosen.user_id })
    : rejectWithdrawal(context, { ...request, reason: 'no' })
}

type Repaid = Extract<Wish['act'], { readonly received: unknown }>

/** A repayment of any loan, or the reversal of any repayment. */
const repayOne = async (
  context: Parameters<typeof repayLoan>[0],
  { verb, received, reference, place }: Repaid,
  by: ReturnType<typeof actAs>,
) => {
  const all = verb === 'takeBack' ? await repaymentIds() : await loanIds()
  const id = all[place % Math.max(all.length, 1)]
  if (id === undefined) return undefined
  return verb === 'repay'
    ? repayLoan(context, {
        loanId: id,
        amount: received,
        reference: `R-${reference}`,
        by,
        valueOn: dayFrom(0),
      })
    : reverseRepayment(context, { repaymentId: id, reason: 'Wrong', by })
}

const idsIn = async (table: 'loans' | 'loan_repayments') =>
  (await product.context.db.selectFrom(table).select('id').orderBy('id').execute()).map(
    ({ id }) => id,
  )
const loanIds = () => idsIn('loans')
const repaymentIds = () => idsIn('loan_repayments')

/** Two super admins agree, of whom one presses the button twice. */
const giveBack = async (
  context: Parameters<typeof askProposal>[0],
  { id: transactionId, user_id: userId, amount }: { id: string; user_id: string; amount: bigint },
) => {
  const [asker, decider] = superAdmins
  if (!asker || !decider) throw new Error('two super admins give back')
  const { id } = await askProposal(
    context,
    { by: actAs(asker), language: 'en' },
    {
      kind: 'RETURN_WITHDRAWAL',
      transactionId,
      userId,
      reason: 'No',
      amount: dollarsFromCents(cents(amount)),
    },
  )
  return approveTwice(context, { id, by: actAs(decider) })
}

/** A refusal by a rule is fine. Any other error is a fault. */
const outcomeOf = async (work: Promise<unknown>): Promise<'done' | 'refused'> => {
  try {
    await work
    return 'done'
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'outcomeUnknown' && error.code !== 'internal')
      return 'refused'
    throw error
  }
}

/** Begins with one withdrawal that is sent and one that is approved. */
const sendOne = async ({ id: userId }: Person) => {
  const { context } = product
  const by = actAs(admins[0] as Person)
  const ask = () =>
    requestWithdrawal(context, { by: { id: userId, from: 'tests' }, amount: cents(10_00n) })
  const [{ transactionId }, other] = [await ask(), await ask()]
  for (const each of [transactionId, other.transactionId])
    await approveWithdrawal(context, { transactionId: each, userId, by })
  await markSent(context, { transactionId, networkName: 'Bitcoin', evidence: PAYMENT, by })
}

/** Bears first what the run before lost, as an open loss would refuse these withdrawals. */
const newPeople = async (): Promise<Person[]> => {
  await bearLoss(product.context, superAdmins)
  const people = await Promise.all(Array.from({ length: INVESTORS }, () => person(product)))
  for (const each of people) await fund(product, each, cents(200_00n))
  for (const each of people) await sendOne(each)
  return people
}

const expectWholeLedger = async () => {
  const check = await checkLedger(product.context.db)
  expect(check.firstDifference).toBeUndefined()
  expect(check.firstMismatch).toBeUndefined()
  const { rows } = await product.database.pool.query(
    "SELECT min(CASE kind WHEN 'custody' THEN -balance ELSE balance END) AS least FROM accounts",
  )
  expect(rows[0].least).toBeGreaterThanOrEqual(0n)
}

test('any operations in any order keep the ledger whole', async () => {
  const outcomes = { done: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(wish, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 }),
      async (waves) => {
        const people = await newPeople()
        for (const wave of waves) {
          for (const outcome of await Promise.all(
            wave.map((each) => outcomeOf(carryOut(each, people))),
          ))
            outcomes[outcome] += 1
        }
        await expectWholeLedger()
        expect(await owedSums(product.context.db)).toEqual(await bookedSums(product.context.db))
      },
    ),
    { numRuns: 40, examples: [[RARE]] },
  )
  await expectStatements(product)
  // The property would hold of a server that refuses everything or nothing.
  expect(outcomes.done).toBeGreaterThan(100)
  expect(outcomes.refused).toBeGreaterThan(50)
  const { rows } = await product.database.pool.query(
    "SELECT DISTINCT name FROM movements WHERE name ~ '^(withdrawal_completed|withdrawal_returned|loan_|loss_)'",
  )
  const names = rows.map(({ name }) => name)
  const sent = ['loan_reserved', 'loan_sent', 'loan_released']
  expect(names).toEqual(expect.arrayContaining(['loss_shared', 'loss_returned', ...sent]))
  // The waves above reach ten of loans. Chance may take a recovery back.
  expect(rows.length).toBeGreaterThanOrEqual(12)
})

test('every balance is that of a plain calculation', async () => {
  await bearLoss(product.context, superAdmins)
  const step = fc.record({
    verb: fc.constantFrom('withdraw' as const, 'invest' as const),
    amount,
    plan: fc.constantFrom(...defaultPlans),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const someone = await person(product)
      await fund(product, someone, cents(500_00n))
      let balance = 500_00n
      let reserve = await reserveBalance()
      // Posts all at once: the group must end as if each had been alone.
      const outcomes = await Promise.all(
        steps.map(({ verb, amount, plan }) =>
          outcomeOf(
            verb === 'withdraw'
              ? requestWithdrawal(product.context, {
                  by: { id: someone.id, from: 'tests' },
                  amount,
                })
              : openInvestment(product.context, {
                  by: { id: someone.id, from: 'tests' },
                  amount,
                  durationDays: plan.durationDays,
                }),
          ),
        ),
      )
      const expected = steps.map(({ verb, amount, plan }) => {
        const interest = verb === 'invest' ? interestOn(amount, plan) : 0n
        if (amount > balance || interest > reserve || (verb === 'invest' && interest === 0n))
          return 'refused'
        balance -= amount
        reserve -= interest
        return 'done'
      })
      expect(outcomes).toEqual(expected)
      expect(await product.context.ledger.available(someone.id)).toBe(balance)
      expect(await reserveBalance()).toBe(reserve)
    }),
    { numRuns: 40 },
  )
})

const reserveBalance = async (): Promise<bigint> => {
  const { balance } = await product.context.db
    .selectFrom('accounts')
    .select('balance')
    .where('kind', '=', 'reserve')
    .executeTakeFirstOrThrow()
  return balance ?? 0n
}
