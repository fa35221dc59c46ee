/** The facts that mails tell, and a mail before its form. */
import type { MailedKind } from '@pool/contract/reports/notices'

/** Changes of second factors that their owner is told of. */
export const factorChanges = [
  'totpAdded',
  'passkeyAdded',
  'renamed',
  'removed',
  'codesRenewed',
  'codeUsed',
  'reset',
  'resetAsked',
  'resetApproved',
  'resetStopped',
] as const
export type FactorChange = (typeof factorChanges)[number]

/** The facts that a mail may tell. Moments are formatted, and `link` is a whole URL. */
export type MailFacts = {
  readonly product: string
  readonly support: string
  readonly link: string
  readonly until: string
  readonly at: string
  /**
   * Moment from which withdrawals can be requested again, a reset has effect, or a loss is shared.
   */
  readonly restsUntil: string | undefined
  readonly change: FactorChange | undefined
  /** Browser and system of a sign-in. */
  readonly device: string
  readonly ip: string
  /** The new email of a change, or that of the person who asked. */
  readonly email: string
  /** A deposit address, and if it takes no new deposits. */
  readonly address: string
  readonly archived: boolean
  /** A proposal in words. */
  readonly asked: string
  readonly kind: MailedKind | undefined
  /** Formatted dollars, of a notice of money. */
  readonly amount: string
  readonly interest: string
  readonly balance: string
  readonly reason: string | undefined
  /** Days for which a key for reading works, and the number of ended ones. */
  readonly days: number
  readonly keys: number
}

/** A mail without its form. `action` is its one link. */
export type WrittenMail = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly action?: { readonly label: string; readonly url: string }
  /** Said below the link. */
  readonly after?: readonly string[]
}
