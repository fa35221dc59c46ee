import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { Keys } from '../keys/keys.ts'
import { type Link, tokenOf } from '../links/links.ts'
import type { Log } from '../process/log.ts'
import { type Claimed, claimMails, settleMail } from './outbox.ts'
import { type Rendered, renderMail } from './templates.ts'
import type { Handed, Transport } from './transport.ts'

/** Mails under way at once. */
const AT_ONCE = 5

export type MailContext = Pick<Context, 'config' | 'db' | 'keys'>

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
  })

/**
 * Sends every due mail, and leaves the rest for the next round when the server cannot be reached.
 * Returns the number of mails sent.
 */
export const sendMails = async (
  context: MailContext,
  transport: Transport,
  log: Log,
): Promise<number> => {
  let sent = 0
  for (;;) {
    const claimed = await claimMails(context.db, AT_ONCE)
    const handed = await Promise.all(claimed.map((mail) => send(context, transport, { mail, log })))
    sent += handed.filter(({ outcome }) => outcome === 'accepted').length
    if (claimed.length < AT_ONCE || handed.some(({ reached }) => !reached)) return sent
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
