import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { record } from '../../records/audit/record.ts'
import type { MailContext } from '../mail/send.ts'
import { takeBack } from './takeBack.ts'

/** A factor or recovery code with the moment of its making, or a mailed link. */
export type Proof = { readonly madeAt: Date } | 'mailbox'

type Lifting = { readonly userId: string; readonly by: Actor; readonly proof: Proof }

/** True for a freeze that this proves the owner of. A thief may have added a factor since. */
const isLiftedBy = (proof: Proof): RawBuilder<boolean> =>
  proof === 'mailbox'
    ? sql<boolean>`NOT EXISTS (SELECT FROM factors AS f WHERE f.user_id = users.id AND f.created_at < users.frozen_since)`
    : sql<boolean>`${proof.madeAt} < date_trunc('milliseconds', users.frozen_since)`

/** True for an account whose freeze this proof lifts. */
export const isLiftable = async (
  db: Kysely<Schema>,
  { userId, proof }: Pick<Lifting, 'userId' | 'proof'>,
): Promise<boolean> => {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('frozen_at', 'is not', null)
    .where(isLiftedBy(proof))
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Lifts a freeze in a transaction that may end sessions, and records it. Takes the account back.
 * Factors and codes since the mail go. Does nothing without a freeze, and for the wrong proof.
 */
export const unfreeze = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { userId, by, proof }: Lifting,
): Promise<void> => {
  const frozen = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('frozen_at', 'is not', null)
    .where(isLiftedBy(proof))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!frozen) return
  await takeBack(transaction, context, { userId, by, act: 'unfrozen' })
  const sinceMail = sql<boolean>`created_at >= (SELECT frozen_since FROM users WHERE id = ${userId})`
  const removed = await transaction
    .deleteFrom('factors')
    .where('user_id', '=', userId)
    .where(sinceMail)
    .returning(['kind', 'name'])
    .execute()
  await transaction
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where(sinceMail)
    .execute()
  await transaction
    .updateTable('users')
    .set({ frozen_at: null, frozen_since: null })
    .where('id', '=', userId)
    .execute()
  await record(transaction, context.keys, {
    by,
    action: 'account.unfrozen',
    subject: { type: 'user', id: userId },
    ownerId: userId,
    ...(removed.length > 0 && {
      before: { factors: removed.map(({ kind, name }) => `${kind} ${name}`) },
      after: { factors: [] },
    }),
  })
}
