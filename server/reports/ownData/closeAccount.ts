import type { Language } from '@pool/contract/base/languages'
import { refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import { queueMails } from '../../accounts/mail/outbox.ts'
import type { MailContext } from '../../accounts/mail/send.ts'
import { requirePassword } from '../../accounts/passwords/requirePassword.ts'
import { takeBack } from '../../accounts/recovery/takeBack.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { Caller } from '../../base/sessions/actor.ts'
import { endingSessions } from '../../base/sessions/ending.ts'
import { endSessionsOf } from '../../base/sessions/sessions.ts'
import { balancesOf } from '../../ledger/families/accounts.ts'
import { record } from '../../records/audit/record.ts'

export type Closing = {
  readonly password: string
  readonly language: Language
  readonly by: Caller
}

/**
 * Closes the caller's account for good (docs/decisions/033). Throws `wrongPassword`,
 * `accountFrozen`, `staffCannotClose`, `accountNotEmpty`, `claimOpen`, `requestsOpen` and `busy`.
 */
export const closeAccount = async (
  context: MailContext,
  { password, language, by }: Closing,
): Promise<void> => {
  const { config, db, keys } = context
  const userId = by.id
  await requirePassword({ db, keys }, { userId, password, by })
  await endingSessions(db, async (transaction) => {
    const user = await transaction
      .selectFrom('users')
      .select(['username', 'first_name', 'frozen_at'])
      .where('id', '=', userId)
      .where('closed_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!user) throw refusal('unauthenticated')
    if (user.frozen_at !== null) throw refusal('accountFrozen')
    // Waits for open groups and holds back new ones, so the checks below see all money.
    const ended = await takeBack(transaction, context, { userId, by, act: 'closed' })
    if (by.session !== undefined && !ended.includes(by.session)) throw refusal('unauthenticated')
    await requireSettled(transaction, userId)
    const { closed_at: at } = await transaction
      .updateTable('users')
      .set({
        ...NOBODY,
        username: `closed-${userId}`,
        closed_at: sql<Date>`now()`,
        updated_at: sql<Date>`now()`,
      })
      .where('id', '=', userId)
      .returning('closed_at')
      .executeTakeFirstOrThrow()
    await requireNoStaff(transaction, userId)
    await removeData(transaction, userId)
    await archiveWallets(transaction, userId)
    await queueMails(transaction, config, {
      template: 'accountClosed',
      parameters: { firstName: user.first_name, at: at?.toISOString() ?? '' },
      userId,
      recipient: user.username,
      language,
    })
    // This transaction has just ended the caller's session, so the check must not look for it.
    await record(transaction, keys, {
      by: { ...by, session: undefined },
      action: 'account.closed',
      subject: { type: 'user', id: userId },
      ownerId: userId,
    })
  })
}

/** A user without personal data. No password has this hash, and no mail has this address. */
const NOBODY = {
  password_hash: '',
  first_name: 'Closed',
  last_name: 'account',
  country: '',
  email_confirmed_at: null,
  withdrawals_rest_until: null,
} as const

/** Throws `accountNotEmpty` with money in any account, `claimOpen` and `requestsOpen`. */
const requireSettled = async (transaction: Kysely<Schema>, userId: string): Promise<void> => {
  const { available, held, invested } = await balancesOf(transaction, userId)
  if (available + held + invested > 0) throw refusal('accountNotEmpty')
  const claims = await transaction
    .selectFrom('claims')
    .select('deposit_id')
    .where('user_id', '=', userId)
    .where('open', '>', 0n)
    .limit(1)
    .execute()
  if (claims.length > 0) throw refusal('claimOpen')
  const open = await transaction
    .selectFrom('transactions')
    .select('id')
    .where('user_id', '=', userId)
    .where('type', 'in', ['deposit', 'withdrawal'])
    .where(
      sql<boolean>`(status = 'PENDING' OR type = 'withdrawal' AND status IN ('APPROVED', 'PROCESSING'))`,
    )
    .limit(1)
    .execute()
  if (open.length > 0) throw refusal('requestsOpen')
}

/** Throws `staffCannotClose`. A role that is being granted waits for the new name. */
const requireNoStaff = async (transaction: Kysely<Schema>, userId: string): Promise<void> => {
  const roles = await transaction
    .selectFrom('user_roles')
    .select('role')
    .where('user_id', '=', userId)
    .where('role', '<>', 'USER')
    .execute()
  if (roles.length > 0) throw refusal('staffCannotClose')
}

/** The tables whose rows go. All others are the ledger's, signed, or hold no personal data. */
const REMOVED = [
  'reading_keys',
  'factors',
  'recovery_codes',
  'known_devices',
  'notice_settings',
  'payout_addresses',
  'links',
  'mails',
  'notes',
] as const

const removeData = async (transaction: Kysely<Schema>, userId: string): Promise<void> => {
  // A sign-in that was under way has committed by now.
  await endSessionsOf(transaction, userId)
  for (const table of REMOVED)
    await transaction.deleteFrom(table).where('user_id', '=', userId).execute()
}

/** Keeps the deposit addresses the account's for good. Throws `busy` while staff change one. */
const archiveWallets = async (transaction: Kysely<Schema>, userId: string): Promise<void> => {
  const { rows } = await sql<{ busy: boolean }>`
    WITH free AS (
      SELECT id FROM wallets WHERE owner_id = ${userId} AND archived_at IS NULL FOR NO KEY UPDATE SKIP LOCKED
    ), archived AS (
      UPDATE wallets SET archived_at = clock_timestamp(), updated_at = now() WHERE id IN (SELECT id FROM free) RETURNING id
    )
    SELECT (SELECT count(*) FROM wallets WHERE owner_id = ${userId} AND archived_at IS NULL) > (SELECT count(*) FROM archived) AS busy`.execute(
    transaction,
  )
  if (rows[0]?.busy) throw refusal('busy')
}
