import type { MailStatus } from '@pool/contract/mails'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { sql } from 'kysely'
import type { MailContext } from '../mail/send.ts'

/** Most mails that one transaction queues. */
const AT_ONCE = 2_000

type Announced = { readonly id: string; readonly amount: bigint; readonly countsAt: Date }

/**
 * Queues a mail to everybody with an open account about a loss that is to be shared. One that was
 * queued before a stop is not queued twice. Returns the number of mails.
 */
export const mailAnnounced = async ({ db, config }: MailContext): Promise<number> => {
  const { rows } = await sql<Announced>`
    SELECT id, amount, counts_at AS "countsAt" FROM loss_announcements WHERE mailed_at IS NULL AND is_open_loss(loss_id)`.execute(
    db,
  )
  const status: MailStatus = config.mail ? 'WAITING' : 'KEPT'
  let queued = 0
  for (const { id, amount, countsAt } of rows) {
    const facts = {
      amount: dollarsFromCents(cents(amount)),
      restsUntil: countsAt.toISOString(),
    }
    for (let after: string | null = null; ; ) {
      const batch: { last: string | null; mails: number; users: number } | undefined = (
        await sql<{ last: string | null; mails: number; users: number }>`
        WITH told AS MATERIALIZED (
          SELECT id, username, first_name FROM users WHERE closed_at IS NULL AND (${after}::uuid IS NULL OR id > ${after}::uuid)
          ORDER BY id LIMIT ${AT_ONCE}
        ), queued AS (
          INSERT INTO mails (id, user_id, template, parameters, language, recipient, status, cause)
          SELECT uuidv7(), id, 'lossAnnounced', jsonb_build_object('firstName', first_name) || ${JSON.stringify(facts)}::jsonb,
            coalesce((SELECT language FROM known_devices WHERE user_id = told.id ORDER BY last_seen_at DESC LIMIT 1), 'en'),
            username, ${status}, md5(${id}::text || told.id)::uuid
          FROM told ON CONFLICT (cause) WHERE cause IS NOT NULL DO NOTHING RETURNING id
        )
        SELECT (SELECT id FROM told ORDER BY id DESC LIMIT 1) AS last, (SELECT count(*)::int FROM queued) AS mails, (SELECT count(*)::int FROM told) AS users`.execute(
          db,
        )
      ).rows[0]
      queued += batch?.mails ?? 0
      if (!batch || batch.users < AT_ONCE) break
      after = batch.last
    }
    await sql`UPDATE loss_announcements SET mailed_at = now() WHERE id = ${id} AND mailed_at IS NULL`.execute(
      db,
    )
  }
  return queued
}
