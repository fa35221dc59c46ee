/**
 * Acts of one person alone that change debts, claims or balances. All count in one sum
 * (docs/decisions/083).
 */
import { type Cents, cents } from '@pool/contract/base/money'
import type { LimitHolder } from '@pool/contract/money/limits'
import { lockSql } from '../../base/locks.ts'
import {
  type ApprovalLimits,
  type DecidedAlone,
  exceededLimit,
  limitUse,
} from './approvalLimits.ts'
import type { Asker, StateReading } from './movement.ts'

/** The limits and the acts of the last 24 hours, as the group's operations add to them. */
export type Lone = {
  readonly limits: ApprovalLimits
  readonly decidedAlone: DecidedAlone[]
  /** The person behind each account that asks. */
  readonly people: ReadonlyMap<string, string>
}

const LIMITS = 'SELECT per_person AS "perPerson", per_pool AS "perPool" FROM approval_limits'
const DECIDED_ALONE = 'SELECT approver, investor, amount FROM decided_alone()'
const PEOPLE = 'SELECT account, person FROM same_people() WHERE account = ANY ($1::uuid[])'

export const lone: StateReading<{ readonly by?: Asker }, Lone> = {
  // Groups that count run one at a time, so that each counts the acts of the one before.
  begin: () => lockSql('approvals'),
  read: async (query, operations) => {
    const [[limits], decidedAlone, people] = await Promise.all([
      query<ApprovalLimits>('read_limits', LIMITS),
      query<DecidedAlone>('read_decided_alone', DECIDED_ALONE),
      query<{ account: string; person: string }>('read_people', PEOPLE, [
        operations.flatMap(({ by }) => by?.id ?? []),
      ]),
    ])
    return {
      limits: limits ?? { perPerson: cents(0n), perPool: cents(0n) },
      decidedAlone,
      people: new Map(people.map(({ account, person }) => [account, person])),
    }
  },
}

/** An act: who does it alone, about whom, and its cents. Null where it is counted already. */
type Act = { readonly by: string; readonly about: string | null; readonly amount: Cents }

/** The person behind an account that asks. */
export const personOf = ({ people }: Lone, by: string): string => people.get(by) ?? by

/** The limit that the act would exceed. Undefined where one person suffices. */
export const limitExceeded = (state: Lone, { by, about, amount }: Act): LimitHolder | undefined => {
  const use = limitUse(state.limits, state.decidedAlone, personOf(state, by))
  return exceededLimit(use, { investorId: about, amount })
}

/** Counts an act, so that the group's later operations see it. */
export const countAlone = (state: Lone, { by, about, amount }: Act): void => {
  state.decidedAlone.push({ approver: personOf(state, by), investor: about, amount })
}

/** Days after its value date within which one person records or reverses a repayment alone. */
const ALONE_DAYS = 3

const MS_PER_DAY = 86_400_000

/** True for a value date that takes two people on this day. Both are ISO text. */
export const isOldDay = (valueOn: string, today: string): boolean =>
  Date.parse(today) - Date.parse(valueOn) > ALONE_DAYS * MS_PER_DAY
