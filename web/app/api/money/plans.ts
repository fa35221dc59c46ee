/** The plans that count now, for everybody. */
import { centsFromDollars } from '@pool/contract/base/money'
import { type PlanClosing, type PlanTerms, planClosings } from '@pool/contract/money/plans'
import { listPlans, type PlanOffer } from '@pool/contract/money/planVersions'
import { useQuery } from '@tanstack/react-query'
import { offeredPlans } from '../../plans.ts'
import { call } from '../http/client.ts'
import { asNumber, asText, list, oneOf, record, type Shape } from '../http/reading.ts'

/** A plan as screens show it. Amounts are in cents. */
export type ShownPlan = PlanTerms & {
  /** The version. Null until the server told it. */
  readonly id: string | null
  /** Cents that still fit in the plan. Null without a capacity. */
  readonly left: PlanTerms['most']
  readonly closed: PlanClosing | null
}

const fields = record({
  id: asText,
  durationDays: asNumber,
  rateBasisPoints: asNumber,
  least: asNumber,
  most: asNumber,
  left: asNumber,
  closed: oneOf(planClosings),
} satisfies Shape<PlanOffer>)

const orNull = (dollars: number | null) => (dollars === null ? null : centsFromDollars(dollars))

const readPlans = (value: unknown): readonly ShownPlan[] =>
  list(fields)(value).flatMap(({ durationDays, rateBasisPoints, least, most, left, ...plan }) =>
    durationDays && rateBasisPoints
      ? [
          {
            ...plan,
            durationDays,
            rateBasisPoints,
            least: centsFromDollars(least ?? 0.01),
            most: orNull(most),
            left: orNull(left),
          },
        ]
      : [],
  )

/** Those of the page, until the server's come. */
const ofThePage = (): readonly ShownPlan[] =>
  offeredPlans().map((plan) => ({
    ...plan,
    id: null,
    least: centsFromDollars(0.01),
    most: null,
    left: null,
    closed: null,
  }))

/** The interval of the query in milliseconds: a version may begin to count at any moment. */
const ASKED_EVERY = 30_000

/** The plans, shortest first. */
export const usePlans = (): readonly ShownPlan[] =>
  useQuery({
    queryKey: ['plans'],
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      readPlans((await call(listPlans, { signal, texts: { otherwise: '' } })).data),
  }).data ?? ofThePage()
