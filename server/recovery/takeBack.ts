/**
 * The owner takes the account back (docs/decisions/043). An act ends what another person may have
 * begun before: sessions with their enrolments, mailed links, a reset of factors.
 */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { endLinks, type LinkKind } from '../links/links.ts'
import type { MailContext } from '../mail/send.ts'
import type { Actor } from '../sessions/actor.ts'
import { endSessionsOf } from '../sessions/sessions.ts'
import { forgetCounts } from '../throttle/counts.ts'
import { endReadingKeys } from './endReadingKeys.ts'
import { resetMailsTo } from './resetMails.ts'
import { stopReset } from './stopReset.ts'

type Ends = {
  readonly links: readonly LinkKind[]
  readonly factorReset: boolean
  /** Ends the keys for reading, which another person may have made. */
  readonly readingKeys: boolean
}

/**
 * Each act and its ends beside sessions. A session alone ends no link for a new password, which is
 * the owner's way back from the mailbox. No act ends links that freeze.
 */
const acts = {
  othersEnded: { links: ['CHANGE'], factorReset: false, readingKeys: false },
  passwordChanged: { links: ['CHANGE', 'RESET'], factorReset: false, readingKeys: false },
  passwordReset: { links: ['CHANGE', 'RESET'], factorReset: false, readingKeys: true },
  factorsReset: { links: ['CHANGE', 'RESET'], factorReset: false, readingKeys: true },
  frozen: { links: ['CHANGE', 'RESET'], factorReset: true, readingKeys: true },
  suspended: { links: ['CHANGE', 'RESET'], factorReset: true, readingKeys: true },
} as const satisfies Readonly<Record<string, Ends>>

type TakingBack = {
  readonly userId: string
  readonly by: Actor
  readonly act: keyof typeof acts
  /** The hash of a session that goes on. */
  readonly kept?: string | undefined
}

/**
 * Takes an account back in the transaction of the act. Locks the user's row, then waits for open
 * groups. Staff see a flag on requests of before. Returns the hashes of the ended sessions.
 */
export const takeBack = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { userId, by, act, kept }: TakingBack,
): Promise<readonly string[]> => {
  const { links, factorReset, readingKeys }: Ends = acts[act]
  const { username } = await transaction
    .updateTable('users')
    .set({ taken_back_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .returning('username')
    .executeTakeFirstOrThrow()
  await endLinks(transaction, { userId, kinds: links })
  const ended = await endSessionsOf(transaction, userId, kept)
  if (readingKeys) await endReadingKeys(transaction, context, { userId, by })
  // The owner can ask for a new link at once.
  if (links.includes('RESET')) await forgetCounts(transaction, resetMailsTo(username))
  if (factorReset) await stopReset(transaction, context, { userId, by })
  return ended
}
