import {
  type PayloadOf,
  type ProposalKind,
  proposalKinds,
} from '@pool/contract/agreements/proposals'
import { refusal } from '@pool/contract/base/refusals'
import { sql } from 'kysely'
import { postIn } from '../../ledger/engine/within.ts'
import { shortFor } from '../../lending/loans/reverseRepayment.ts'
import { record } from '../../records/audit/record.ts'
import type { Proposal, Step, Work } from './kind.ts'
import { rulesOf } from './kinds.ts'
import { mailStaff } from './mailStaff.ts'

/** Records a step with all that two people compare. Mails all staff of what rests. */
export const recordStep = async (
  work: Work,
  step: Step,
  proposal: Proposal<ProposalKind>,
): Promise<void> => {
  const { id, kind, userId, payload, reason, alone, restsUntil } = proposal
  const rules = rulesOf(kind)
  if (rules.recordStep) return rules.recordStep(work, step, proposal)
  if (step === 'approved' && restsUntil !== null)
    return mailStaff(work, { kind, facts: rules.facts(payload), restsUntil })
  const { subject } = proposalKinds[kind]
  const isAsked = step === 'asked'
  await record(work.transaction, work.context.keys, {
    by: work.by,
    action:
      step === 'rejected' || step === 'withdrawn' ? 'agreement.declined' : `agreement.${step}`,
    subject: {
      type: subject,
      id: rules.on?.(payload) ?? (subject === 'user' ? (userId ?? '') : id),
    },
    // A borrower does not read what staff ask about a loan.
    ...(subject !== 'loan' && { ownerId: userId ?? undefined }),
    after: {
      kind,
      agreement: id,
      ...(rules.kept ?? whole)(payload),
      ...(isAsked && alone && { alone }),
      ...(step === 'withdrawn' && { withdrawn: true }),
    },
    ...(isAsked && reason && { reason }),
  })
}

const whole = (payload: PayloadOf<ProposalKind>): Readonly<Record<string, unknown>> => ({
  ...payload,
})

/** The columns of an approval, which is in force at once or rests. */
export const approved = (kind: ProposalKind, { alone }: { readonly alone: boolean }) => {
  const rules = rulesOf(kind)
  const decided_at = sql<Date>`now()`
  const hours =
    'cooldownHours' in rules
      ? rules.cooldownHours
      : 'aloneHours' in rules && alone
        ? rules.aloneHours
        : undefined
  return hours === undefined
    ? { status: 'DONE' as const, decided_at, ended_at: decided_at }
    : {
        status: 'RESTING' as const,
        decided_at,
        rests_until: sql<Date>`now() + make_interval(hours => ${hours})`,
      }
}

/** Puts an approved proposal in force, or lets it rest. */
export const begin = async (work: Work, proposal: Proposal<ProposalKind>): Promise<void> => {
  // The entry of the only super admin's request says that it is in force.
  if (!proposal.alone || proposal.restsUntil !== null) await recordStep(work, 'approved', proposal)
  if (proposal.restsUntil === null) await putInForce(work, proposal)
}

/** Writes what a proposal is about, or posts it in the ledger. Throws as either refuses it. */
export const putInForce = async (work: Work, proposal: Proposal<ProposalKind>): Promise<void> => {
  const rules = rulesOf(proposal.kind)
  if (proposal.alone && 'needsTwo' in rules) throw refusal(rules.needsTwo)
  await rules.requires?.(work, proposal)
  if ('apply' in rules) await rules.apply(work, proposal)
  if (!('posts' in rules)) return
  const operations = [await rules.posts(work, proposal)].flat()
  try {
    for (const operation of operations) await postIn(work.transaction, operation)
  } catch (error) {
    throw await shortFor(work.transaction, error)
  }
}
