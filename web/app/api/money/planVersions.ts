/** Every version of every plan, for super admins and auditors. */
import { planClosings } from '@pool/contract/money/plans'
import {
  listPlanVersions,
  type PlanVersion,
  versionStates,
} from '@pool/contract/money/planVersions'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import {
  asFlag,
  asMoment,
  asNumber,
  asText,
  list,
  oneOf,
  or,
  record,
  type Shape,
} from '../http/reading.ts'

const readVersion = record({
  id: or(asText, ''),
  version: or(asNumber, 0),
  durationDays: or(asNumber, 0),
  rateBasisPoints: or(asNumber, 0),
  least: or(asNumber, 0),
  most: asNumber,
  capacity: asNumber,
  leastRunway: asNumber,
  isOpen: asFlag,
  startsAt: asMoment,
  state: oneOf(versionStates),
  closed: oneOf(planClosings),
  atWork: or(asNumber, 0),
  askedBy: asText,
  approvedBy: asText,
  reason: asText,
} satisfies Shape<PlanVersion>)
export type VersionRow = ReturnType<typeof readVersion>

/** The interval of the query in milliseconds: a version may begin to count at any moment. */
const ASKED_EVERY = 15_000

/** The versions: by the days of their plan, then newest first. */
export const usePlanVersions = (otherwise: string) =>
  useQuery({
    queryKey: ['plans', 'versions'],
    refetchInterval: ASKED_EVERY,
    queryFn: async ({ signal }) =>
      list(readVersion)((await call(listPlanVersions, { signal, texts: { otherwise } })).data),
  })
