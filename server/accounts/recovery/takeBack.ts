/**
 * The owner takes the account back (docs/decisions/091). A verb ends what another person may have
 * begun before, as the table in fates.ts says.
 */
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { endSessionsOf } from '../../base/sessions/sessions.ts'
import { endLinks, type LinkKind } from '../links/links.ts'
import type { MailContext } from '../mail/send.ts'
import { forgetCounts } from '../throttle/counts.ts'
import { endReadingKeys } from './endReadingKeys.ts'
import { endWaitingAddresses } from './endWaitingAddresses.ts'
import { type ThingName, things, type Verb } from './fates.ts'
import { resetMailsTo } from './resetMails.ts'
import { stopReset } from './stopReset.ts'

type TakingBack = {
  readonly userId: string
  readonly by: Actor
  readonly act: Verb
  /** The hash of a session that goes on. */
  readonly kept?: string | undefined
  /** Keys for reading that their owner asked to keep. */
  readonly keepReadingKeys?: boolean
}

type Ending = {
  readonly transaction: Kysely<Schema>
  readonly context: MailContext
  readonly userId: string
  readonly username: string
  /** Without a session that this verb ended, which no check must look for. */
  readonly by: Actor
}

const linksOf =
  (...kinds: readonly LinkKind[]) =>
  ({ transaction, userId }: Ending) =>
    endLinks(transaction, { userId, kinds })

/** Ends each thing but the sessions, which end first. */
const enders: Readonly<
  Record<Exclude<ThingName, 'sessions'>, (ending: Ending) => Promise<unknown>>
> = {
  readingKeys: ({ transaction, context, userId, by }) =>
    endReadingKeys(transaction, context, { userId, by }),
  CHANGE: linksOf('CHANGE'),
  RESET: async (ending) => {
    await linksOf('RESET')(ending)
    // The owner can ask for a new link at once.
    await forgetCounts(ending.transaction, resetMailsTo(ending.username))
  },
  CONFIRM: linksOf('CONFIRM'),
  FREEZE: linksOf('FREEZE'),
  GIVE_BACK: linksOf('GIVE_BACK'),
  waitingPayoutAddresses: ({ transaction, context, userId, by }) =>
    endWaitingAddresses(transaction, context.keys, { userId, by }),
  // Out of the days in which a device is known, in the order of before.
  knownDevices: ({ transaction, userId }) =>
    transaction
      .updateTable('known_devices')
      .set({ last_seen_at: sql<Date>`last_seen_at - interval '1 year'` })
      .where('user_id', '=', userId)
      .where('last_seen_at', '>', sql<Date>`now() - interval '1 year'`)
      .execute(),
  noticeChoices: ({ transaction, userId }) =>
    transaction
      .updateTable('notice_settings')
      .set({ mailed: null, morning: false })
      .where('user_id', '=', userId)
      .execute(),
  factorReset: ({ transaction, context, userId, by }) =>
    stopReset(transaction, context, { userId, by }),
}

/**
 * Verbs that write another name after this. Sign-ins under way share the row's key and then note
 * their device, so the key is locked before the devices are.
 */
const RENAMING: readonly Verb[] = ['closed', 'emailChanged']

/**
 * Takes an account back in the transaction of the act. Locks the user's row, then waits for open
 * groups. Staff see a flag on requests of before. Returns the hashes of the ended sessions.
 */
export const takeBack = async (
  transaction: Kysely<Schema>,
  context: MailContext,
  { userId, by, act, kept, keepReadingKeys = false }: TakingBack,
): Promise<readonly string[]> => {
  const { username } = await transaction
    .updateTable('users')
    .set({ taken_back_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .returning('username')
    .executeTakeFirstOrThrow()
  const ended = await endSessionsOf(transaction, userId, kept)
  if (RENAMING.includes(act))
    await sql`SELECT FROM users WHERE id = ${userId} FOR UPDATE`.execute(transaction)
  const isOver = by.session !== undefined && ended.includes(by.session)
  const actor = isOver ? { ...by, session: undefined } : by
  const ending = { transaction, context, userId, username, by: actor }
  for (const [name, end] of Object.entries(enders) as [keyof typeof enders, typeof enders.CHANGE][])
    if (things[name].fates[act] === 'ends' && !(name === 'readingKeys' && keepReadingKeys))
      await end(ending)
  return ended
}
