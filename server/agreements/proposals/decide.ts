import type { ProposalKind } from '@pool/contract/agreements/proposals'
import { refusal } from '@pool/contract/base/refusals'
import { type Timestamp, timestampFromDate } from '@pool/contract/base/timestamp'
import { type Kysely, sql } from 'kysely'
import type { MailContext } from '../../accounts/mail/send.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { isSamePerson } from '../../base/sessions/samePerson.ts'
import { isLostRace } from '../../ledger/engine/ledger.ts'
import { holdUser } from './hold.ts'
import { rulesOf } from './kinds.ts'
import { COLUMNS, proposalOf } from './row.ts'
import { requireOthers } from './secondPerson.ts'
import { approved, begin, recordStep } from './steps.ts'

type Decision = {
  readonly id: string
  readonly by: Caller
  /** True for a call of staff, which decides what any of them may. */
  readonly byStaff?: true
}

/** A proposal whose user is locked, so that no other step is under way. Throws `proposalClosed`. */
const hold = async (transaction: Kysely<Schema>, { id, by, byStaff }: Decision) => {
  const found = await transaction
    .selectFrom('proposals')
    .select(['user_id', 'kind'])
    .where('id', '=', id)
    .$if(byStaff === true, (query) => query.where('by_staff', '=', true))
    .executeTakeFirst()
  if (!found) throw refusal('proposalClosed')
  const { evenClosed } = rulesOf(found.kind as ProposalKind)
  await holdUser(transaction, { userId: found.user_id, by, evenClosed })
  return transaction
    .selectFrom('proposals as p')
    .select([...COLUMNS, 'status', sql<boolean>`is_standing(p)`.as('is_standing')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** The moment from which an approved proposal has effect. Null if it is in force. */
type Approved = { readonly restsUntil: Timestamp | null }

/**
 * Approves a proposal and puts it in force, or lets it rest. Throws `ownProposal`, `samePerson`,
 * `proposalClosed`, and the refusals of its kind, after which it stays open.
 */
export const approveProposal = async (
  context: MailContext,
  decision: Decision,
): Promise<Approved> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await approveOnce(context, decision)
    } catch (error) {
      if (!isLostRace(error) || attempt === RETRIES) throw error
    }
  }
}

/** Retries after a race with maturities, which are paid beside the groups. */
const RETRIES = 5

const approveOnce = (context: MailContext, decision: Decision): Promise<Approved> =>
  endingSessions(context.db, async (transaction) => {
    const { id, by } = decision
    const held = await hold(transaction, decision)
    const { kind, userId } = proposalOf(held)
    if (held.status !== 'OPEN' || !held.is_standing) throw refusal('proposalClosed')
    await requireOthers(transaction, rulesOf(kind), { userId, by: by.id })
    if (held.asked_by === by.id) throw refusal('ownProposal')
    if (await isSamePerson(transaction, held.asked_by, by.id)) throw refusal('samePerson')
    const row = await transaction
      .updateTable('proposals as p')
      .set({ ...approved(kind, { alone: false }), decided_by: by.id })
      .where('id', '=', id)
      .where('status', '=', 'OPEN')
      .where('asked_by', '<>', by.id)
      .where(
        sql<boolean>`is_standing(p) AND may_decide(${by.id}, p) AND NOT is_same_person(asked_by, ${by.id})`,
      )
      .returning(COLUMNS)
      .executeTakeFirst()
    if (!row) throw refusal('proposalClosed')
    const proposal = proposalOf(row)
    // The step may end the caller's session, so its entries do not ask for it.
    await begin({ transaction, context, by: { ...by, session: undefined } }, proposal)
    return { restsUntil: proposal.restsUntil && timestampFromDate(proposal.restsUntil) }
  })

/**
 * Rejects a proposal, withdraws the caller's own, stops one that rests, or takes back what an
 * approval began. Throws `proposalClosed`.
 */
export const declineProposal = (context: MailContext, decision: Decision): Promise<void> =>
  endingSessions(context.db, async (transaction) => {
    const { id, by } = decision
    const held = await hold(transaction, decision)
    const proposal = proposalOf(held)
    const work = { transaction, context, by }
    const isOwn = held.asked_by === by.id
    const end =
      held.status === 'OPEN'
        ? {
            status: isOwn ? ('WITHDRAWN' as const) : ('REJECTED' as const),
            decided_by: by.id,
            decided_at: sql<Date>`now()`,
          }
        : { status: 'STOPPED' as const }
    const { numUpdatedRows } = await transaction
      .updateTable('proposals')
      .set({ ...end, ended_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('status', '=', held.status)
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow()
    const rules = rulesOf(proposal.kind)
    const isEnded = numUpdatedRows > 0n || (await rules.undo?.(work, proposal))
    if (!isEnded) throw refusal('proposalClosed')
    await rules.ended?.(work, proposal)
    await recordStep(work, end.status === 'REJECTED' ? 'rejected' : 'withdrawn', proposal)
  })
