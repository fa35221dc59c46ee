import {
  type AskedProposal,
  type Proposed,
  proposalKinds,
} from '@pool/contract/agreements/proposals'
import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import { type Timestamp, timestampFromDate } from '@pool/contract/base/timestamp'
import { type Kysely, sql } from 'kysely'
import type { MailContext } from '../../accounts/mail/send.ts'
import { violatedConstraint } from '../../base/db/errors.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { holdUser } from './hold.ts'
import type { Work } from './kind.ts'
import { rulesOf } from './kinds.ts'
import { COLUMNS, proposalOf } from './row.ts'
import { hasSecondPerson, requireOthers } from './secondPerson.ts'
import { approved, begin, recordStep } from './steps.ts'

/** The caller who asks for an act that may take two people, and the language of the answer. */
export type ProposalAsker = { readonly by: Caller; readonly language: Language }

type ProposalOutcome = {
  readonly id: string
  readonly isInForce: boolean
  readonly restsUntil: Timestamp | null
}

/**
 * Asks for what a second super admin approves. The only super admin's needs no approval. Throws
 * `userNotFound`, `proposalAsked`, and the refusals of its kind.
 */
export const askProposal = (
  context: MailContext,
  { by, language }: ProposalAsker,
  asked: AskedProposal,
): Promise<ProposalOutcome> =>
  endingSessions(context.db, async (transaction) => {
    const { kind, reason: _, ...payload } = asked
    const rules = rulesOf(kind)
    const { userId } = rules.about(payload)
    await holdUser(transaction, { userId, by, evenClosed: rules.evenClosed })
    await requireOthers(transaction, rules, { userId, by: by.id })
    // The step may end the caller's session, so its entries do not ask for it.
    const work = { transaction, context, by: { ...by, session: undefined } }
    return propose(work, { by: by.id, language }, asked)
  })

/** The person who asks, by id. */
type Proposing = { readonly by: string; readonly language: Language; readonly id?: string }

/**
 * Writes a proposal, and begins it without a second person. The transaction holds the lock of
 * living sessions. Throws `proposalAsked` and the refusals of its kind.
 */
export const propose = async (
  work: Work,
  { by, language, id = newId() }: Proposing,
  { kind, reason, ...payload }: Proposed,
): Promise<ProposalOutcome> => {
  const { transaction } = work
  const rules = rulesOf(kind)
  const { subject, userId } = rules.about(payload)
  const byStaff = proposalKinds[kind].byStaff === true
  const asked = { id, kind, userId, payload, language, reason, askedBy: by }
  await rules.requires?.(work, { ...asked, alone: false, restsUntil: null })
  await makeRoom(transaction, { kind, subject })
  const alone = !(await hasSecondPerson(transaction, { userId: by, byStaff }))
  const row = await transaction
    .insertInto('proposals')
    .values({
      id,
      kind,
      subject,
      user_id: userId,
      language,
      reason,
      asked_by: by,
      by_staff: byStaff,
      payload: JSON.stringify(payload),
      ...(alone && { alone, ...approved(kind, { alone }) }),
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw violatedConstraint(error) === 'proposals_stand_once'
        ? refusal(rules.again ?? 'proposalAsked')
        : error
    })
  const proposal = proposalOf(row)
  await recordStep(work, 'asked', proposal)
  if (alone) await begin(work, proposal)
  return {
    id: proposal.id,
    isInForce: alone && proposal.restsUntil === null,
    restsUntil: proposal.restsUntil && timestampFromDate(proposal.restsUntil),
  }
}

/** Ends a proposal that ran out or is void. */
const makeRoom = async (
  transaction: Kysely<Schema>,
  { kind, subject }: { readonly kind: string; readonly subject: string },
): Promise<void> => {
  await transaction
    .updateTable('proposals as p')
    .set({ status: 'EXPIRED', ended_at: sql<Date>`now()` })
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`NOT is_standing(p)`)
    .execute()
}
