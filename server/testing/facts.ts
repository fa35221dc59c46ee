import { cents } from '@pool/contract/base/money'
import { answerAtOnce, decide } from '../ledger/engine/decide.ts'
import type { GroupFacts } from '../ledger/engine/facts.ts'
import { type Debts, debts } from '../ledger/families/debts.ts'
import { type Decisions, decisions } from '../ledger/families/decisions.ts'
import { type DepositRequested, type Wallet, wallets } from '../ledger/families/deposits.ts'
import { feeEstimates } from '../ledger/families/feeShares.ts'
import { maturing } from '../ledger/families/investments.ts'
import { type Lone, lone } from '../ledger/families/lone.ts'
import type { Operation } from '../ledger/families/movements.ts'
import { type CoinsOfFee, coinsOfFees } from '../ledger/families/networkFees.ts'
import { type PlansInForce, plansInForce } from '../ledger/families/plans.ts'
import { type Use, uses } from '../ledger/families/uses.ts'
import { type AccountHolds, accountHolds } from '../ledger/families/withdrawals.ts'

/** The moment of a group without a database. */
export const AT = '2026-01-01T00:00:00.123456+00:00'

/** The facts of a group, as the engine and each reading would find them. */
export type TestFacts = Omit<GroupFacts, 'states'> &
  Pick<Decisions, 'staff'> &
  Pick<Lone, 'limits' | 'decidedAlone'> & {
    readonly requests: ReadonlyMap<string, NonNullable<ReturnType<Decisions['requests']['get']>>>
    readonly accountHolds: ReadonlyMap<string, AccountHolds>
    readonly debts: Debts
    readonly plans: PlansInForce
    readonly matured: ReadonlySet<string>
    readonly evidence: ReadonlyMap<string, readonly Use[]>
    readonly wallets: ReadonlyMap<DepositRequested, Wallet>
    readonly coinsOfFees: ReadonlyMap<string, CoinsOfFee>
  }

export const NO_FACTS: TestFacts = {
  at: AT,
  ended: new Set(),
  known: new Map(),
  paused: {},
  closed: new Set(),
  accounts: [],
  requests: new Map(),
  staff: new Map(),
  limits: { perPerson: cents(1_000_00n), perPool: cents(1_000_00n) },
  decidedAlone: [],
  accountHolds: new Map(),
  debts: new Map(),
  plans: new Map([
    [
      1,
      {
        id: 'plan',
        isCapped: false,
        left: null,
        leastRunway: null,
        reserve: 0n,
        pace: { interest: 0n, days: 30 },
      },
    ],
  ]),
  matured: new Set(),
  evidence: new Map(),
  wallets: new Map(),
  coinsOfFees: new Map(),
}

/** Decides a group by these facts. Returns the verdicts, and the decisions that it noted. */
export const decideBy = (operations: readonly Operation[], facts: TestFacts) => {
  const noted: Decisions = {
    requests: new Map(facts.requests),
    staff: facts.staff,
    approvals: [],
    decided: new Map(),
  }
  const all: GroupFacts = {
    ...facts,
    states: new Map<object, unknown>([
      [decisions, noted],
      [lone, { limits: facts.limits, decidedAlone: [...facts.decidedAlone], people: new Map() }],
      [accountHolds, facts.accountHolds],
      [feeEstimates, new Map()],
      [debts, facts.debts],
      [plansInForce, new Map(facts.plans)],
      [maturing, new Set(facts.matured)],
      [uses, new Map(facts.evidence)],
      [wallets, facts.wallets],
      [coinsOfFees, new Map(facts.coinsOfFees)],
    ]) as GroupFacts['states'],
  }
  return { verdicts: decide(operations, all, answerAtOnce(operations, all)), noted }
}
