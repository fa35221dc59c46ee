/** Hands mails to the operator's SMTP server. */
import { createTransport } from 'nodemailer'
import type { Config } from '../../base/configuration/config.ts'
import { isLoopback } from '../../base/configuration/environment.ts'
import type { Outcome } from './outbox.ts'
import type { Rendered } from './templates.ts'

export type Outgoing = Rendered & { readonly id: string; readonly recipient: string }

/** The outcome, and `false` for `reached` where the next mail would fail in the same way. */
export type Handed = Outcome & { readonly reached: boolean }

export type Transport = (mail: Outgoing) => Promise<Handed>

/** Timeouts in milliseconds: until the greeting, in silence, and in all. */
export type SmtpTimeouts = {
  readonly connect: number
  readonly silence: number
  readonly whole: number
}

/** A server may think for a while about a whole mail, so silence is allowed for a minute. */
export const SMTP_TIMEOUTS: SmtpTimeouts = { connect: 10_000, silence: 60_000, whole: 120_000 }

type Settings = NonNullable<Config['mail']> & Pick<Config, 'productName' | 'poolMode'>

/**
 * Opens the way to the server. Each mail has a connection of its own. Live mode demands TLS beyond
 * this machine.
 */
export const openTransport = (
  { smtpUrl, from, productName, poolMode }: Settings,
  { connect, silence, whole }: SmtpTimeouts = SMTP_TIMEOUTS,
): Transport => {
  const host = new URL(smtpUrl.replace(/^smtps?:/, 'http:')).hostname
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: connect,
    greetingTimeout: connect,
    dnsTimeout: connect,
    socketTimeout: silence,
    requireTLS: poolMode === 'live' && !isLoopback(host),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ id, recipient, subject, text, html }) => {
    try {
      const { response } = await transport.sendMail({
        from: { name: productName, address: from },
        to: recipient,
        subject,
        text,
        html,
        // The same at every attempt, so that a receiver can tell a copy.
        messageId: messageIdOf(id, from),
        headers: { 'auto-submitted': 'auto-generated' },
        signal: AbortSignal.timeout(whole),
      })
      return { outcome: 'accepted', answer: String(response), reached: true }
    } catch (error) {
      return outcomeOf(error)
    }
  }
}

/** The stable Message-ID of a mail, in the sender's domain. */
const messageIdOf = (id: string, from: string): string => `<${id}@${from.split('@').at(-1)}>`

/** The parts of nodemailer's errors. */
type SmtpError = {
  readonly message: string
  readonly command?: string
  readonly response?: string
  readonly responseCode?: number | false
}

/** Steps that concern this mail alone. A refusal of any other step concerns every mail. */
const ABOUT_THE_MAIL: readonly (string | undefined)[] = ['RCPT TO', 'DATA']

/** 503 tells of a session in a wrong state, so another connection may succeed. */
const isPermanent = (code: number): boolean => code >= 500 && code !== 503

const outcomeOf = (error: unknown): Handed => {
  const { message, command, response, responseCode } = error as SmtpError
  const reached = Boolean(responseCode) && ABOUT_THE_MAIL.includes(command)
  return {
    outcome: reached && isPermanent(Number(responseCode)) ? 'refused' : 'deferred',
    answer: response || message,
    reached,
  }
}
