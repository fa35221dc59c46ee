import type { Language } from '@pool/contract/base/languages'
import type { AuditAction } from '@pool/contract/reports/audit'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Actor } from '../../base/sessions/actor.ts'
import { record } from '../../records/audit/record.ts'
import { addLink } from '../links/links.ts'
import type { FactorChange } from '../mail/facts.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'

/** A change of a user's factors, for the audit trail and for a mail to its owner. */
export type RecordedChange = {
  readonly userId: string
  readonly by: Actor
  readonly language: Language
  readonly action: Extract<AuditAction, `factor.${string}`>
  readonly change: FactorChange
  /** Of a reset that is asked for, approved or stopped: the end of its rest. */
  readonly restsUntil?: string | null
  readonly reason?: string
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

/**
 * Records a change of factors and mails its owner a link that freezes the account, in the
 * transaction of the change.
 */
export const recordFactorChange = async (
  transaction: Kysely<Schema>,
  { config, keys }: MailContext,
  { userId, by, language, action, change, restsUntil, ...states }: RecordedChange,
): Promise<void> => {
  const user = await transaction
    .selectFrom('users')
    .select(['username', 'first_name', sql<Date>`now()`.as('at')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const { link, until } = await addLink(transaction, keys, {
    kind: 'FREEZE',
    userId,
    address: user.username,
  })
  const facts = {
    firstName: user.first_name,
    at: user.at.toISOString(),
    change,
    link,
    until: until.toISOString(),
  }
  await queueMails(transaction, config, {
    ...(restsUntil === undefined
      ? { template: 'factorsChanged', parameters: facts }
      : { template: 'factorReset', parameters: { ...facts, restsUntil } }),
    userId,
    recipient: user.username,
    language,
  })
  await record(transaction, keys, {
    by,
    action,
    subject: { type: 'user', id: userId },
    ownerId: userId,
    ...states,
  })
}
