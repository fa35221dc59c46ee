import type { Language } from '@pool/contract/base/languages'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { deviceDigest, type Origin, readDevice } from '../../base/sessions/device.ts'
import { addLink } from '../links/links.ts'
import { queueMails } from '../mail/outbox.ts'
import type { MailContext } from '../mail/send.ts'
import { minutesToWait } from '../throttle/counts.ts'

/** Days for which a device is known after its last sign-in. */
const KNOWN_DAYS = 90
/** Most mails about new devices to a user in an hour, so that no mailbox is flooded. */
const DEVICE_MAILS_PER_HOUR = 5

type SignedInUser = {
  readonly id: string
  readonly username: string
  readonly firstName: string
}

/**
 * Notes the device of a sign-in. Mails its user about a device that is new to the account, and then
 * returns true.
 */
export const noteDevice = async (
  { config, keys }: Pick<MailContext, 'config' | 'keys'>,
  transaction: Kysely<Schema>,
  {
    user,
    device,
    language,
  }: { readonly user: SignedInUser; readonly device: Origin; readonly language: Language },
): Promise<boolean> => {
  const news = await noteIfNew(transaction, { userId: user.id, device, language })
  if (!news) return false
  if (!(await admitsDeviceMail(transaction, user.id))) return true
  const { link, until } = await addLink(transaction, keys, {
    kind: 'FREEZE',
    userId: user.id,
    address: user.username,
  })
  await queueMails(transaction, config, {
    template: 'newDevice',
    parameters: {
      firstName: user.firstName,
      at: news.at.toISOString(),
      ...readDevice(device.userAgent),
      ip: device.ip,
      link,
      until: until.toISOString(),
    },
    userId: user.id,
    recipient: user.username,
    language: news.language,
    expiresAt: until,
  })
  return true
}

type Noted = { readonly userId: string; readonly device: Origin; readonly language: Language }

/**
 * Notes a device. Returns the moment and the language of the last other device when this one is
 * new, and undefined for a known device and for the first one.
 */
const noteIfNew = async (
  transaction: Kysely<Schema>,
  { userId, device, language }: Noted,
): Promise<{ readonly at: Date; readonly language: Language } | undefined> => {
  const digest = deviceDigest(device)
  const { rows } = await sql<{ at: Date; known: boolean | null; usual: Language | null }>`
    WITH noted AS (
      INSERT INTO known_devices (user_id, digest, language) VALUES (${userId}, ${digest}, ${language})
      ON CONFLICT (user_id, digest) DO UPDATE SET last_seen_at = now(), language = excluded.language
    )
    SELECT now() AS at, bool_or(digest = ${digest} AND last_seen_at > now() - make_interval(days => ${KNOWN_DAYS})) AS known,
      (array_agg(language ORDER BY last_seen_at DESC))[1] AS usual
    FROM known_devices WHERE user_id = ${userId}`.execute(transaction)
  const [noted] = rows
  return noted?.usual && !noted.known ? { at: noted.at, language: noted.usual } : undefined
}

/** Counts a mail about a new device. False above the limit. */
const admitsDeviceMail = async (db: Kysely<Schema>, userId: string): Promise<boolean> =>
  (await minutesToWait(db, {
    counted: ['new device', userId],
    most: DEVICE_MAILS_PER_HOUR,
    span: '1 hour',
  })) === 0

/** Deletes devices that are not known any longer, except each user's latest. */
export const forgetOldDevices = async (db: Kysely<Schema>): Promise<number> => {
  const { numAffectedRows } = await sql`
    DELETE FROM known_devices AS d WHERE last_seen_at < now() - make_interval(days => ${KNOWN_DAYS})
      AND EXISTS (SELECT FROM known_devices AS later WHERE later.user_id = d.user_id
        AND (later.last_seen_at, later.digest) > (d.last_seen_at, d.digest))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
