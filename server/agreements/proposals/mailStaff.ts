import type { ProposalKind } from '@pool/contract/agreements/proposals'
import type { Language } from '@pool/contract/base/languages'
import { sql } from 'kysely'
import { queueMails } from '../../accounts/mail/outbox.ts'
import type { Work } from './kind.ts'

type Resting = {
  readonly kind: ProposalKind
  readonly facts: Readonly<Record<string, unknown>>
  readonly restsUntil: Date
}

/** Mails all staff, auditors too, that one of them asked for something that rests. */
export const mailStaff = async (
  { transaction, context, by }: Work,
  { kind, facts, restsUntil }: Resting,
): Promise<void> => {
  const { rows } = await sql<{
    id: string
    username: string
    first_name: string
    language: Language
    at: Date
  }>`
    SELECT u.id, u.username, u.first_name, now() AS at,
      coalesce((SELECT language FROM known_devices WHERE user_id = u.id ORDER BY last_seen_at DESC LIMIT 1), 'en') AS language
    FROM users AS u
    WHERE u.suspended_at IS NULL AND EXISTS (SELECT FROM user_roles WHERE user_id = u.id AND role <> 'USER')`.execute(
    transaction,
  )
  await queueMails(
    transaction,
    context.config,
    ...rows.map(({ id, username, first_name, language, at }) => ({
      template: 'proposalRests' as const,
      parameters: {
        firstName: first_name,
        at: at.toISOString(),
        proposal: kind,
        facts: { ...facts },
        email: by.name,
        restsUntil: restsUntil.toISOString(),
      },
      userId: id,
      recipient: username,
      language,
    })),
  )
}
