import type { ProposalKind } from '@pool/contract/agreements/proposals'
import { Refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { MailContext } from '../../accounts/mail/send.ts'
import { onEachOf } from '../../base/db/pages.ts'
import type { Schema } from '../../base/db/schema.ts'
import { takeLock } from '../../base/locks.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import type { Proposal } from './kind.ts'
import { rulesOf } from './kinds.ts'
import { COLUMNS, proposalOf } from './row.ts'
import { putInForce, recordStep } from './steps.ts'

/**
 * Puts proposals in force whose rest without a second person is over, and ends those of staff that
 * ran out or are void. Returns the number of both.
 */
export const applyDue = async (context: MailContext): Promise<number> => {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM proposals AS p WHERE by_staff AND ended_at IS NULL AND ${IS_DUE} ORDER BY asked_at`.execute(
    context.db,
  )
  // One whose effect fails must not hold up those that were asked for later.
  await onEachOf([rows], ({ id }) =>
    endingSessions(context.db, (transaction) => settle(transaction, context, id)),
  )
  return rows.length
}

const IS_DUE = sql<boolean>`(rests_until <= now() OR NOT is_standing(p))`

const settle = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  id: string,
): Promise<void> => {
  // As every step of a proposal, it waits for open groups.
  await takeLock(transaction, 'groups')
  const row = await transaction
    .selectFrom('proposals as p')
    .select([...COLUMNS, sql<boolean>`is_standing(p)`.as('is_standing')])
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where(IS_DUE)
    .executeTakeFirst()
  if (!row) return
  const proposal: Proposal<ProposalKind> = { ...proposalOf(row), restsUntil: null }
  const work = { transaction, context, by: SYSTEM }
  const rules = rulesOf(proposal.kind)
  const end = (status: 'DONE' | 'EXPIRED') =>
    transaction
      .updateTable('proposals')
      .set({ status, ended_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
  if (row.is_standing && !('cooldownHours' in rules)) {
    try {
      await putInForce(work, proposal)
      await end('DONE')
      return await recordStep(work, 'approved', proposal)
    } catch (error) {
      // An investor got the wallet meanwhile, for example.
      if (!(error instanceof Refusal)) throw error
    }
  }
  await end('EXPIRED')
  await rules.ended?.(work, proposal)
  await recordStep(work, 'rejected', proposal)
}
