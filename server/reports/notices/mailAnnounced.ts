import type { MailStatus, MailTemplate } from '@pool/contract/accounts/mails'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { sql } from 'kysely'
import type { MailContext } from '../../accounts/mail/send.ts'

/** Most mails that one transaction queues. */
const AT_ONCE = 2_000

type ToAll = {
  /** The row that is told of. Each user gets one mail of it. */
  readonly id: string
  readonly template: MailTemplate
  readonly facts: Readonly<Record<string, unknown>>
}

/**
 * Queues a mail to everybody with an open account. One that was queued before a stop is not queued
 * twice. Returns the number of mails.
 */
const mailToAll = async (
  { db, config }: MailContext,
  { id, template, facts }: ToAll,
): Promise<number> => {
  const status: MailStatus = config.mail ? 'WAITING' : 'KEPT'
  let queued = 0
  for (let after: string | null = null; ; ) {
    const batch: { last: string | null; mails: number; users: number } | undefined = (
      await sql<{ last: string | null; mails: number; users: number }>`
      WITH told AS MATERIALIZED (
        SELECT id, username, first_name FROM users WHERE closed_at IS NULL AND (${after}::uuid IS NULL OR id > ${after}::uuid)
        ORDER BY id LIMIT ${AT_ONCE}
      ), queued AS (
        INSERT INTO mails (id, user_id, template, parameters, language, recipient, status, cause)
        SELECT new_id(), id, ${template}, jsonb_build_object('firstName', first_name) || ${JSON.stringify(facts)}::jsonb,
          coalesce((SELECT language FROM known_devices WHERE user_id = told.id ORDER BY last_seen_at DESC LIMIT 1), 'en'),
          username, ${status}, md5(${id}::text || told.id)::uuid
        FROM told ON CONFLICT (cause) WHERE cause IS NOT NULL DO NOTHING RETURNING id
      )
      SELECT (SELECT id FROM told ORDER BY id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM queued) AS mails, (SELECT count(*)::int FROM told) AS users`.execute(
        db,
      )
    ).rows[0]
    queued += batch?.mails ?? 0
    if (!batch || batch.users < AT_ONCE) return queued
    after = batch.last
  }
}

type Loss = { readonly id: string; readonly amount: bigint; readonly countsAt: Date }
type WindDown = { readonly id: string; readonly lastMaturityAt: Date }

/**
 * Queues the mails about a loss that is to be shared, and about a pool that winds down. Returns
 * their number.
 */
export const mailAnnounced = async (context: MailContext): Promise<number> => {
  const { db } = context
  let queued = 0
  const { rows: losses } = await sql<Loss>`
    SELECT id, amount, counts_at AS "countsAt" FROM loss_announcements WHERE mailed_at IS NULL AND loss_id IN (SELECT id FROM open_losses())`.execute(
    db,
  )
  for (const { id, amount, countsAt } of losses) {
    const facts = {
      amount: dollarsFromCents(cents(amount)),
      restsUntil: countsAt.toISOString(),
    }
    queued += await mailToAll(context, { id, template: 'lossAnnounced', facts })
    await sql`UPDATE loss_announcements SET mailed_at = now() WHERE id = ${id} AND mailed_at IS NULL`.execute(
      db,
    )
  }
  const { rows: ends } = await sql<WindDown>`
    SELECT id, last_maturity_at AS "lastMaturityAt" FROM current_wind_down() WHERE mailed_at IS NULL`.execute(
    db,
  )
  for (const { id, lastMaturityAt } of ends) {
    const facts = { restsUntil: lastMaturityAt.toISOString() }
    queued += await mailToAll(context, { id, template: 'windDownBegun', facts })
    await sql`UPDATE wind_downs SET mailed_at = now() WHERE id = ${id} AND mailed_at IS NULL`.execute(
      db,
    )
  }
  return queued
}
