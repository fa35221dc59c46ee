import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { record } from '../../records/audit/record.ts'
import { endLinks, findLink, type OpenLink, useLink } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { takeBack } from './takeBack.ts'

export type Freeze = { readonly token: string; readonly language: Language; readonly from: string }

/** The kinds of links that freeze. */
const FREEZES = ['FREEZE', 'GIVE_BACK'] as const

/**
 * Freezes the account of a mailed link and gives it the address of the mail, if it has another one.
 * Ends its sessions and a reset of its factors. Throws `freezeLinkInvalid`.
 */
export const freezeByLink = async (
  context: MailContext,
  { token, language, from }: Freeze,
): Promise<void> => {
  const { config, db, keys } = context
  const link = await findLink(context, token, ...FREEZES)
  if (!link) throw refusal('freezeLinkInvalid')
  const { userId, address } = link
  await endingSessions(db, async (transaction) => {
    const user = await transaction
      .updateTable('users')
      .set({
        frozen_at: sql<Date>`coalesce(frozen_at, now())`,
        frozen_since: sql<Date>`least(frozen_since, (SELECT created_at FROM links WHERE id = ${link.id}))`,
        updated_at: sql<Date>`now()`,
      })
      .where('id', '=', userId)
      .returning(['username', 'first_name', 'frozen_at'])
      .executeTakeFirstOrThrow()
    if (!(await useLink(transaction, link))) throw refusal('freezeLinkInvalid')
    const by = { id: userId, name: user.username, from }
    await takeBack(transaction, context, { userId, by, act: 'frozen' })
    const recipients = [user.username]
    if (await giveBack(transaction, link)) {
      recipients.push(address)
      await record(transaction, keys, {
        by,
        action: 'email.changed',
        subject: { type: 'user', id: userId },
        ownerId: userId,
        before: { email: user.username },
        after: { email: address },
      })
    }
    await queueMails(
      transaction,
      config,
      ...recipients.map((recipient) => ({
        template: 'accountFrozen' as const,
        parameters: { firstName: user.first_name, at: user.frozen_at?.toISOString() ?? '' },
        userId,
        recipient,
        language,
      })),
    )
    await record(transaction, keys, {
      by,
      action: 'account.frozen',
      subject: { type: 'user', id: userId },
      ownerId: userId,
    })
  })
}

/**
 * Gives the account the address of a link. Later links to other addresses would take it away again,
 * so they end. False where the account has it still, or where another account has it.
 */
const giveBack = async (
  transaction: Kysely<Schema>,
  link: Pick<OpenLink<(typeof FREEZES)[number]>, 'id' | 'userId' | 'address'>,
): Promise<boolean> => {
  const { userId, address } = link
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ username: address, email_confirmed_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .where('username', '<>', address)
    .where(sql<boolean>`NOT EXISTS (SELECT FROM users AS u WHERE u.username = ${address})`)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await endLinks(transaction, { userId, kinds: FREEZES, after: link })
  return true
}
