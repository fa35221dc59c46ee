/**
 * Resets of lost second factors, once they are proposals (docs/decisions/034). Every change of one
 * holds the user's row, so that of an approval and a proof at once, one is first.
 */
import { type Language, languages } from '@pool/contract/languages'
import { type Kysely, sql } from 'kysely'
import { SYSTEM } from '../audit/record.ts'
import type { Schema } from '../db/schema.ts'
import type { MailContext } from '../mail/send.ts'
import type { Actor } from '../sessions/actor.ts'
import { cooldownEnd } from '../sessions/cooldown.ts'
import { endingSessions } from '../sessions/ending.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { factorsOf } from './queries.ts'
import { recordFactorChange } from './recordFactorChange.ts'
import { forgetCodes } from './recoveryCodes.ts'

type OfUser = { readonly userId: string; readonly by: Actor }

/** The language of the owner's latest sign-in, since staff cause these mails. */
const languageOf = async (transaction: Kysely<Schema>, userId: string): Promise<Language> => {
  const device = await transaction
    .selectFrom('known_devices')
    .select('language')
    .where('user_id', '=', userId)
    .orderBy('last_seen_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return languages.find((language) => language === device?.language) ?? languages[0]
}

type Step = OfUser & {
  readonly change: 'resetAsked' | 'resetApproved' | 'resetStopped'
  /** Of an approved reset: the moment from which it has effect. */
  readonly restsUntil?: Date | null
  readonly reason?: string
}

/** Records a step of a reset, and tells the owner. */
export const tellReset = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { restsUntil, ...step }: Step,
): Promise<void> => {
  const until = restsUntil?.toISOString()
  await recordFactorChange(transaction, context, {
    ...step,
    language: await languageOf(transaction, step.userId),
    action: `factor.${step.change}`,
    restsUntil: until ?? null,
    ...(until && { after: { restsUntil: until } }),
  })
}

/** The reset of a user that waits or rests. */
const STANDING = (userId: string) =>
  sql<boolean>`kind = 'RESET_FACTORS' AND subject = ${userId} AND ended_at IS NULL`

/** Stops a user's reset that waits or rests, and tells the owner. */
export const stopReset = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { userId, by }: OfUser,
): Promise<void> => {
  const { numUpdatedRows } = await transaction
    .updateTable('proposals')
    .set({ status: 'STOPPED', ended_at: sql<Date>`now()` })
    .where(STANDING(userId))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n)
    await tellReset(transaction, context, { userId, by, change: 'resetStopped' })
}

/** Stops a reset of a user who has just proven a factor. */
export const stopOwnReset = async (context: MailContext, by: Actor & { id: string }) => {
  const standing = await context.db
    .selectFrom('proposals')
    .select('id')
    .where(STANDING(by.id))
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
    .where(STANDING(userId))
    .where(IS_DUE)
    .executeTakeFirst()
  if (!due) return false
  return endingSessions(context.db, async (transaction) => {
    const factors = await factorsOf(transaction, userId)
    const done = await transaction
      .updateTable('proposals as p')
      .set({ status: 'DONE', ended_at: sql<Date>`now()` })
      .where(STANDING(userId))
      .where(IS_DUE)
      .returning('id')
      .executeTakeFirst()
    if (!done) return false
    await endSessionsOf(transaction, userId)
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
