/** The refusals of plans, a part of contract/base/refusals.ts. */
import {
  aboveMost,
  belowLeast,
  earnsNothing,
  planIsClosed,
  planNearlyFull,
} from '../base/messages.ts'
import { formatDollars } from '../base/money.ts'
import type { PlanClosing } from './plans.ts'

/** Amounts are in dollars. */
export type PlanRefusalDetails = {
  readonly earnsNothing: { least: number }
  readonly belowLeast: { least: number }
  readonly aboveMost: { most: number }
  readonly planNearlyFull: { left: number }
  readonly planClosed: { reason: PlanClosing }
}

const define = (status: number, sentence: string) => ({ status, narration: () => sentence })

export const planRefusals = {
  earnsNothing: {
    status: 400,
    narration: ({ least }: PlanRefusalDetails['earnsNothing']): string =>
      earnsNothing(formatDollars(least)),
  },
  belowLeast: {
    status: 400,
    narration: ({ least }: PlanRefusalDetails['belowLeast']): string =>
      belowLeast(formatDollars(least)),
  },
  aboveMost: {
    status: 400,
    narration: ({ most }: PlanRefusalDetails['aboveMost']): string =>
      aboveMost(formatDollars(most)),
  },
  planNearlyFull: {
    status: 409,
    narration: ({ left }: PlanRefusalDetails['planNearlyFull']): string =>
      planNearlyFull(formatDollars(left)),
  },
  planClosed: {
    status: 409,
    narration: ({ reason }: PlanRefusalDetails['planClosed']): string => planIsClosed[reason],
  },
  planChanged: define(409, 'This plan has changed. Please look at its terms again.'),
  planNeedsTwo: define(
    409,
    'A plan needs two super admins, and there is only one. Give the role to another person first.',
  ),
  planMomentPast: define(
    409,
    'The moment from which this would count is over. Ask for a later one.',
  ),
  planMomentTaken: define(
    409,
    'Another version of this plan starts at that moment. Choose another one.',
  ),
}
