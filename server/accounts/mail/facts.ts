/** The facts that mails tell, and a mail before its form. */
import type { MailedKind } from '@pool/contract/reports/notices'
import type { Today } from '@pool/contract/reports/today'

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
  /** The day since yesterday began. Its moments are said by `say`, and its paths by `pageAt`. */
  readonly today: Today | undefined
  readonly say: (at: Date) => string
  readonly pageAt: (path: string) => string
}

/** A line of a mail that leads to its rows. */
export type MailLine = { readonly text: string; readonly url: string }

/** A mail without its form. `action` is its one link. */
export type WrittenMail = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** Said below the paragraphs, each list with its heading. */
  readonly lists?: readonly { readonly heading: string; readonly lines: readonly MailLine[] }[]
  readonly action?: { readonly label: string; readonly url: string }
  /** Said below the link. */
  readonly after?: readonly string[]
}
