/** Resets of lost second factors, once they are proposals (docs/decisions/034). */
import { sql } from 'kysely'
import type { Actor } from '../../base/sessions/actor.ts'
import { cooldownEnd } from '../../base/sessions/cooldown.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { SYSTEM } from '../../records/audit/record.ts'
import type { MailContext } from '../mail/send.ts'
import { recordFactorChange } from '../recovery/recordFactorChange.ts'
import { isOpenReset, languageOf, stopReset } from '../recovery/stopReset.ts'
import { takeBack } from '../recovery/takeBack.ts'
import { factorsOf } from './queries.ts'
import { forgetCodes } from './recoveryCodes.ts'

/** Stops a reset of a user who has just proven a factor. */
export const stopOwnReset = async (context: MailContext, by: Actor & { id: string }) => {
  const standing = await context.db
    .selectFrom('proposals')
    .select('id')
    .where(isOpenReset(by.id))
    .executeTakeFirst()
  if (!standing) return
  await context.db.transaction().execute(async (transaction) => {
    await factorsOf(transaction, by.id)
    await stopReset(transaction, context, { userId: by.id, by })
  })
}

const IS_DUE = sql<boolean>`status = 'RESTING' AND rests_until <= now() AND is_standing(p)`

/**
 * Removes a user's factors and recovery codes when the rest of a reset is over, and ends the
 * sessions. A cooldown begins then. Called wherever a factor is asked for. True when it did.
 */
export const completeReset = async (context: MailContext, userId: string): Promise<boolean> => {
  const due = await context.db
    .selectFrom('proposals as p')
    .select('id')
    .where(isOpenReset(userId))
    .where(IS_DUE)
    .executeTakeFirst()
  if (!due) return false
  return endingSessions(context.db, async (transaction) => {
    const factors = await factorsOf(transaction, userId)
    const done = await transaction
      .updateTable('proposals as p')
      .set({ status: 'DONE', ended_at: sql<Date>`now()` })
      .where(isOpenReset(userId))
      .where(IS_DUE)
      .returning('id')
      .executeTakeFirst()
    if (!done) return false
    await takeBack(transaction, context, { userId, by: SYSTEM, act: 'factorsReset' })
    await transaction.deleteFrom('factors').where('user_id', '=', userId).execute()
    await forgetCodes(transaction, userId)
    await transaction
      .updateTable('users')
      .set({
        withdrawals_rest_until: sql<Date>`greatest(withdrawals_rest_until, ${cooldownEnd})`,
      })
      .where('id', '=', userId)
      .execute()
    await recordFactorChange(transaction, context, {
      userId,
      by: SYSTEM,
      language: await languageOf(transaction, userId),
      action: 'factor.reset',
      change: 'reset',
      before: { factors: factors.map(({ kind, name }) => `${kind} ${name}`) },
    })
    return true
  })
}
