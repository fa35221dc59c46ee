/** The means and the people that the days of a rehearsal share. */
import type { ProposalKind } from '@pool/contract/agreements/proposals'
import { Refusal } from '@pool/contract/base/refusals'
import { approveProposal, declineProposal } from '../../agreements/proposals/decide.ts'
import type { DemoContext } from '../demo/life.ts'
import type { Pair } from './people.ts'

export type World = {
  readonly means: DemoContext
  readonly pair: Pair
  /** Ids of the loans that pay nothing. */
  readonly defaulting: readonly string[]
  /** Decides each open proposal, also one that was asked for before a stop. */
  readonly agreeAll: () => Promise<void>
}

/** Kinds that a rehearsal agrees to. Others are turned down where they hold something up. */
const AGREED: readonly ProposalKind[] = [
  'WIND_DOWN',
  'OWN_ADDRESS',
  'WITHDRAW_CAPITAL',
  'WRITE_OFF',
  'WRITE_OFF_LOAN',
  'COVER_LOSS',
  'SHARE_LOSS',
]
const IN_THE_WAY: readonly ProposalKind[] = [
  'DEFAULT_LOAN',
  'RECOVER_LOAN',
  'RESTRUCTURE_LOAN',
  'DISBURSE_LOAN',
  'APPROVE_LOAN',
  'END_WIND_DOWN',
  'PLAN',
]

/** False for one that a refusal made void. */
const isApproved = (means: DemoContext, decision: Parameters<typeof approveProposal>[1]) =>
  approveProposal(means, decision).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false
      throw error
    },
  )

export const openWorld = (means: DemoContext, pair: Pair, defaulting: readonly string[]): World => {
  const [first, second] = pair
  return {
    means,
    pair,
    defaulting,
    agreeAll: async () => {
      const open = await means.db
        .selectFrom('proposals as p')
        .select(['id', 'kind', 'asked_by', 'by_staff'])
        .where('status', '=', 'OPEN')
        .where('kind', 'in', [...AGREED, ...IN_THE_WAY])
        .orderBy('asked_at')
        .execute()
      for (const { id, kind, asked_by, by_staff } of open) {
        const by = asked_by === second.id ? first : second
        const decision = { id, by, ...(by_staff && { byStaff: true as const }) }
        // One of before the rehearsal counts for nothing: it may be void by now.
        const isOurs = asked_by === first.id || asked_by === second.id
        const isWanted = isOurs && AGREED.includes(kind as ProposalKind)
        if (!isWanted || !(await isApproved(means, decision)))
          await declineProposal(means, decision)
      }
    },
  }
}
