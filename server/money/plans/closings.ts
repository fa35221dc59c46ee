/** Why a plan is closed. A new reason is a word of the contract and a line here. */
import type { Cents } from '@pool/contract/base/money'
import {
  interestOn,
  leastOf,
  type PlanClosing,
  type PlanTerms,
  planClosings,
} from '@pool/contract/money/plans'

import { isTooShort, type Pace } from '../../ledger/families/runway.ts'

/** A version, and what it depends on. Amounts are in cents. */
type PlanFacts = PlanTerms & {
  readonly isOpen: boolean
  /** The principal that still fits. Null without a capacity. */
  readonly left: Cents | null
  /** The free reserve. */
  readonly reserve: Cents
  readonly pace: Pace
  /** The days that the free reserve must last. Null without a bound. */
  readonly leastRunway: number | null
}

const holds: Readonly<Record<PlanClosing, (facts: PlanFacts) => boolean>> = {
  closed: ({ isOpen }) => !isOpen,
  full: (facts) => facts.left !== null && facts.left < leastOf(facts),
  reserve: (facts) => facts.reserve < interestOn(leastOf(facts), facts),
  runway: (facts) => isTooShort(facts, interestOn(leastOf(facts), facts)),
}

/** The reason why a plan takes no investment now, or null (docs/product.md 6.6). */
export const closingOf = (facts: PlanFacts): PlanClosing | null =>
  planClosings.find((reason) => holds[reason](facts)) ?? null
