import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../base/configuration/config.ts'
import type { Keys } from '../../base/keys/keys.ts'
import type { Log } from '../../base/process/log.ts'
import type { WithConfig } from '../../http/context.ts'
import type { OnRecord } from '../../records/audit/record.ts'
import { type Link, tokenOf } from '../links/tokens.ts'
import { type Claimed, claimMail, settleMail } from './outbox.ts'
import { type Rendered, renderMail } from './templates.ts'
import type { Handed, Transport } from './transport.ts'

/** Mails under way at once. */
const AT_ONCE = 5
/** Milliseconds before it looks for new mails while one is under way. */
const LOOK_AGAIN_AFTER = 1_000

export type MailContext = OnRecord & WithConfig

/** Writes a mail with its link, by keys or without a link's token. */
export const writeMail = (
  { productName, supportEmail, linkOrigin }: Config,
  mail: Pick<Claimed, 'template' | 'parameters' | 'language'>,
  tokenFor: (link: Link) => string,
): Rendered =>
  renderMail(mail, mail.language, {
    productName,
    supportEmail,
    // Browsers send no fragment, so no log of a server has the token.
    linkTo: (path, link) => `${linkOrigin}${path}#${tokenFor(link)}`,
    pageAt: (path) => `${linkOrigin}${path}`,
  })

/**
 * Sends every due mail. A mail whose receiver stalls does not hold up the others. Leaves the rest
 * for the next round when the server cannot be reached. Returns the number of mails sent.
 */
export const sendMails = async (
  context: MailContext,
  transport: Transport,
  { log, stopping }: { readonly log: Log; readonly stopping?: AbortSignal },
): Promise<number> => {
  const underWay = new Set<Promise<void>>()
  const failures: unknown[] = []
  let sent = 0
  let isReached = true
  const follow = async (sending: Promise<Handed>): Promise<void> => {
    try {
      const { outcome, reached } = await sending
      if (outcome === 'accepted') sent += 1
      isReached &&= reached
    } catch (error) {
      failures.push(error)
    }
  }
  for (;;) {
    const goesOn = isReached && failures.length === 0 && !stopping?.aborted
    const mail = goesOn && underWay.size < AT_ONCE ? await claimMail(context.db) : undefined
    if (mail) {
      const followed = follow(send(context, transport, { mail, log })).finally(() =>
        underWay.delete(followed),
      )
      underWay.add(followed)
    } else if (underWay.size > 0)
      await Promise.race([...underWay, wait(LOOK_AGAIN_AFTER, undefined, { ref: false })])
    else if (failures.length > 0) throw failures[0]
    else return sent
  }
}

const send = async (
  { config, db, keys }: MailContext,
  transport: Transport,
  { mail, log }: { readonly mail: Claimed; readonly log: Log },
): Promise<Handed> => {
  const handed = await hand(config, keys, { mail, transport })
  const status = await settleMail(db, mail, handed)
  // The answer may hold an address, so it is in the delivery log alone.
  const facts = { mail: mail.id, template: mail.template, attempt: mail.attempt }
  if (status === 'DEAD') log.error(facts, 'a mail was given up; see npm run mail -- list')
  else if (status === 'WAITING') log.warn(facts, 'a mail was deferred')
  return handed
}

const hand = async (
  config: Config,
  keys: Keys,
  { mail, transport }: { readonly mail: Claimed; readonly transport: Transport },
): Promise<Handed> => {
  const givenUp = (answer: string): Handed => ({ outcome: 'refused', answer, reached: true })
  if (mail.expired) return givenUp('Its link ran out before the mail could be sent.')
  let written: Rendered
  try {
    written = writeMail(config, mail, (link) => tokenOf(keys, link))
  } catch (error) {
    return givenUp(`It could not be written: ${(error as Error).message}`)
  }
  return transport({ ...written, id: mail.id, recipient: mail.recipient })
}
