import type { Language } from '@pool/contract/base/languages'
import { type Kysely, sql } from 'kysely'
import { addLink } from '../../accounts/links/links.ts'
import { queueMails } from '../../accounts/mail/outbox.ts'
import type { MailContext } from '../../accounts/mail/send.ts'
import type { Schema } from '../../base/db/schema.ts'

type Changed = {
  readonly ownerId: string
  readonly address: string
  readonly archived: boolean
}

/**
 * Mails an investor that staff changed their deposit address, with a link that freezes the account.
 * A closed account is told nothing.
 */
export const mailOwner = async (
  transaction: Kysely<Schema>,
  { config, keys }: Pick<MailContext, 'config' | 'keys'>,
  { ownerId, address, archived }: Changed,
): Promise<void> => {
  const { rows } = await sql<{
    username: string
    first_name: string
    at: Date
    language: Language
  }>`
    SELECT username, first_name, now() AS at,
      coalesce((SELECT language FROM known_devices WHERE user_id = u.id ORDER BY last_seen_at DESC LIMIT 1), 'en') AS language
    FROM users AS u WHERE id = ${ownerId} AND closed_at IS NULL`.execute(transaction)
  const [owner] = rows
  if (!owner) return
  const { link, until } = await addLink(transaction, keys, {
    kind: 'FREEZE',
    userId: ownerId,
    address: owner.username,
  })
  await queueMails(transaction, config, {
    template: 'depositAddressChanged',
    parameters: {
      firstName: owner.first_name,
      at: owner.at.toISOString(),
      address,
      archived,
      link,
      until: until.toISOString(),
    },
    userId: ownerId,
    recipient: owner.username,
    language: owner.language,
    expiresAt: until,
  })
}
