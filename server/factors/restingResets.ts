/**
 * Resets of lost second factors, which rest after their approval. Every change of one holds the
 * user's row, so that of an approval and a proof at once, either the one or the other is first.
 */
import { type Language, languages } from '@pool/contract/languages'
import { type Kysely, sql } from 'kysely'
import { SYSTEM } from '../audit/record.ts'
import { violatedConstraint } from '../db/errors.ts'
import type { Schema } from '../db/schema.ts'
import type { MailContext } from '../mail/send.ts'
import type { Actor } from '../sessions/actor.ts'
import { endingSessions } from '../sessions/ending.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { factorsOf } from './queries.ts'
import { forgetCodes } from './recoveryCodes.ts'
import { tell } from './told.ts'

/** Hours between approval and effect, so that the owner can object. */
const REST_HOURS = 24

/** The id of a reset is that of its change of access. */
type Reset = {
  readonly id: string
  readonly userId: string
  readonly by: Actor
  readonly reason: string
}

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

/**
 * Adds a reset that waits for its approval, unless one waits or rests already. The caller holds the
 * user's row. Returns false then.
 */
export const addReset = async (
  transaction: Kysely<Schema>,
  { id, userId }: Pick<Reset, 'id' | 'userId'>,
): Promise<boolean> => {
  // One that is void makes room.
  await sql`
    UPDATE factor_resets AS r SET ended_at = now(), outcome = 'STOPPED' WHERE user_id = ${userId} AND ended_at IS NULL
      AND NOT is_resting_reset(r) AND NOT EXISTS (SELECT FROM access_changes AS c WHERE c.id = r.id AND is_open_change(c))`.execute(
    transaction,
  )
  try {
    await transaction.insertInto('factor_resets').values({ id, user_id: userId }).execute()
    return true
  } catch (error) {
    if (violatedConstraint(error) === 'factor_resets_stand_once') return false
    throw error
  }
}

/** Records that a reset was asked for, and tells the owner. */
export const tellAsked = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { userId, by, reason }: Reset,
): Promise<void> =>
  tell(transaction, context, {
    userId,
    by,
    reason,
    language: await languageOf(transaction, userId),
    action: 'factor.resetAsked',
    change: 'resetAsked',
    restsUntil: null,
  })

/** Lets an approved reset rest, and tells the owner until when. Returns that moment. */
export const letRest = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { id, userId, by, reason }: Reset,
): Promise<Date> => {
  const { rests_until } = await transaction
    .updateTable('factor_resets')
    .set({ rests_until: sql<Date>`now() + make_interval(hours => ${REST_HOURS})` })
    .where('id', '=', id)
    .returning('rests_until')
    .executeTakeFirstOrThrow()
  if (!rests_until) throw new Error('A reset has no end of its rest.')
  await tell(transaction, context, {
    userId,
    by,
    reason,
    language: await languageOf(transaction, userId),
    action: 'factor.resetApproved',
    change: 'resetApproved',
    restsUntil: rests_until.toISOString(),
    after: { restsUntil: rests_until.toISOString() },
  })
  return rests_until
}

/** Stops a user's reset that waits or rests, and tells the owner. Returns false without one. */
export const stopReset = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { id, userId, by }: Pick<Reset, 'userId' | 'by'> & Partial<Pick<Reset, 'id'>>,
): Promise<boolean> => {
  const { numUpdatedRows } = await transaction
    .updateTable('factor_resets')
    .set({ ended_at: sql<Date>`now()`, outcome: 'STOPPED' })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(id !== undefined, (resets) => resets.where('id', '=', id ?? ''))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await tell(transaction, context, {
    userId,
    by,
    language: await languageOf(transaction, userId),
    action: 'factor.resetStopped',
    change: 'resetStopped',
    restsUntil: null,
  })
  return true
}

/** Stops a reset of a user who has just proven a factor. */
export const stopOwnReset = async (context: MailContext, by: Actor & { id: string }) => {
  const standing = await context.db
    .selectFrom('factor_resets')
    .select('id')
    .where('user_id', '=', by.id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  if (!standing) return
  await context.db.transaction().execute(async (transaction) => {
    await factorsOf(transaction, by.id)
    await stopReset(transaction, context, { userId: by.id, by })
  })
}

const isDue = sql<boolean>`rests_until <= now() AND is_resting_reset(r)`

/**
 * Removes a user's factors and recovery codes when the rest of a reset is over, and ends the
 * sessions. Withdrawals rest then. Called wherever a factor is asked for. True when it did.
 */
export const completeReset = async (context: MailContext, userId: string): Promise<boolean> => {
  const due = await context.db
    .selectFrom('factor_resets as r')
    .select('id')
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where(isDue)
    .executeTakeFirst()
  if (!due) return false
  return endingSessions(context.db, async (transaction) => {
    const factors = await factorsOf(transaction, userId)
    const done = await transaction
      .updateTable('factor_resets as r')
      .set({ ended_at: sql<Date>`now()`, outcome: 'DONE' })
      .where('user_id', '=', userId)
      .where('ended_at', 'is', null)
      .where(isDue)
      .returning('id')
      .executeTakeFirst()
    if (!done) return false
    await endSessionsOf(transaction, userId)
    await transaction.deleteFrom('factors').where('user_id', '=', userId).execute()
    await forgetCodes(transaction, userId)
    await transaction
      .updateTable('users')
      .set({
        withdrawals_rest_until: sql<Date>`greatest(withdrawals_rest_until, now() + make_interval(hours => ${REST_HOURS}))`,
      })
      .where('id', '=', userId)
      .execute()
    await tell(transaction, context, {
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
