/** Versions of plans, which take two super admins (docs/decisions/059). */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { formatDollars } from '@pool/contract/base/money'
import { refusal } from '@pool/contract/base/refusals'
import { requireRunning } from '../../lending/windDown/windDown.ts'
import { addPlan, requirePlan } from '../../money/plans/addPlan.ts'
import type { Rules } from './kind.ts'

type Terms = PayloadOf<'PLAN'>

const NONE = '∞'
const bound = (dollars: number | null) => (dollars === null ? NONE : formatDollars(dollars))

/** The terms in the words of a list. */
const facts = ({ durationDays, rateBasisPoints, least, most, capacity, ...terms }: Terms) => ({
  days: durationDays,
  rate: `${rateBasisPoints / 100}%`,
  least: formatDollars(least),
  most: bound(most),
  capacity: bound(capacity),
  leastRunway: `${terms.leastRunway ?? 0} d`,
  state: terms.isOpen ? 'open' : 'closed',
  startsAt: `${terms.startsAt.slice(0, 19).replace('T', ' ')} UTC`,
})

export const plan: Rules<'PLAN'> = {
  about: ({ durationDays }) => ({ subject: `${durationDays} d`, userId: null }),
  facts,
  requires: async ({ transaction }, { payload: terms }) => {
    await requireRunning(transaction)
    await requirePlan(transaction, terms)
  },
  apply: async ({ transaction }, { id, payload, alone }) => {
    if (alone) throw refusal('planNeedsTwo')
    await addPlan(transaction, { id, terms: payload })
  },
}
