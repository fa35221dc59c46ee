import { sql } from 'kysely'
import type { Caller } from '../../base/sessions/actor.ts'
import { addLink } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { languageOf } from '../recovery/stopReset.ts'
import { minutesToWait } from '../throttle/counts.ts'

/**
 * Tells an owner, at most once a day, that a right password came with a wrong second factor. The
 * mail has a link that freezes the account.
 */
export const mailRefusedFactor = async (
  { config, db, keys }: MailContext,
  { id: userId, from: ip }: Caller,
): Promise<void> => {
  const told = { counted: ['refused factor', userId], most: 1, span: '1 day' } as const
  if ((await minutesToWait(db, told)) > 0) return
  await db.transaction().execute(async (transaction) => {
    const { username, first_name, at } = await transaction
      .selectFrom('users')
      .select(['username', 'first_name', sql<Date>`now()`.as('at')])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const { link, until } = await addLink(transaction, keys, {
      kind: 'FREEZE',
      userId,
      address: username,
    })
    await queueMails(transaction, config, {
      template: 'factorRefused',
      parameters: {
        firstName: first_name,
        at: at.toISOString(),
        ip,
        link,
        until: until.toISOString(),
      },
      userId,
      recipient: username,
      language: await languageOf(transaction, userId),
      expiresAt: until,
    })
  })
}
