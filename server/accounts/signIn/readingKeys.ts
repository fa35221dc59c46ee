import type { makeReadingKey as makeCall, ReadingKey } from '@pool/contract/accounts/readingKeys'
import type { Payload } from '@pool/contract/base/endpoint'
import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { insertReadingKey } from '../../base/sessions/readingKeys.ts'
import { record } from '../../records/audit/record.ts'
import { addLink } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { endReadingKeys } from '../recovery/endReadingKeys.ts'

/** The living keys for reading of a user, the newest first. */
export const listReadingKeys = async (
  db: Kysely<Schema>,
  userId: string,
): Promise<ReadingKey[]> => {
  const rows = await db
    .selectFrom('reading_keys')
    .select(['id', 'name', 'made_at', 'ends_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .where('ends_at', '>', sql<Date>`now()`)
    .orderBy('made_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, name, made_at, ends_at, last_used_at }) => ({
    id,
    name,
    madeAt: timestampFromDate(made_at),
    endsAt: timestampFromDate(ends_at),
    lastUsedAt: last_used_at && timestampFromDate(last_used_at),
  }))
}

/** A caller, and the language of their mails. */
type Owner = { readonly by: Caller; readonly language: Language }

/**
 * Makes a key for reading of the caller, which is told this once, and mails a link that freezes the
 * account. Throws `tooManyReadingKeys`.
 */
export const makeReadingKey = (
  { config, db, keys }: MailContext,
  { by, language }: Owner,
  { name, days }: Payload<typeof makeCall>,
) =>
  db.transaction().execute(async (transaction) => {
    const made = await insertReadingKey({ db: transaction, keys }, { userId: by.id, name, days })
    await record(transaction, keys, {
      by,
      action: 'readingKey.made',
      subject: { type: 'user', id: by.id },
      ownerId: by.id,
      after: { name, days },
    })
    const user = await transaction
      .selectFrom('users')
      .select(['username', 'first_name', sql<Date>`now()`.as('at')])
      .where('id', '=', by.id)
      .executeTakeFirstOrThrow()
    const { username: address, first_name: firstName } = user
    const freezing = { kind: 'FREEZE', userId: by.id, address } as const
    const { link, until } = await addLink(transaction, keys, freezing)
    const at = user.at.toISOString()
    await queueMails(transaction, config, {
      template: 'readingKeyMade',
      parameters: { firstName, at, days, link, until: until.toISOString() },
      userId: by.id,
      recipient: address,
      language,
    })
    return { id: made.id, key: made.key, endsAt: timestampFromDate(made.ends) }
  })

/** Ends a key for reading of the caller. Throws `readingKeyNotFound`. */
export const endReadingKey = (context: MailContext, by: Caller, id: string): Promise<void> =>
  context.db.transaction().execute(async (transaction) => {
    const names = await endReadingKeys(transaction, context, { userId: by.id, by, id })
    if (names.length === 0) throw refusal('readingKeyNotFound')
  })
