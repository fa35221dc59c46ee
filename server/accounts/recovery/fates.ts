/**
 * The table of things that sessions make for a user × verbs of recovery (docs/decisions/091). A
 * verb ends each thing that its row does not keep by name.
 */
import type { Schema } from '../../base/db/schema.ts'
import type { LinkKind } from '../links/links.ts'

/** The fate of a thing at a verb: it ends, or is kept for a reason. */
export type Fate = 'ends' | { readonly kept: string }

/** The verbs by which an owner takes the account back, or staff or the operator do it. */
const ENDS = {
  othersEnded: 'ends',
  passwordChanged: 'ends',
  passwordReset: 'ends',
  /** The first second factor, or one that takes the place of an app of a leaked key. */
  factorTrusted: 'ends',
  factorsReset: 'ends',
  emailChanged: 'ends',
  frozen: 'ends',
  unfrozen: 'ends',
  suspended: 'ends',
  roleLost: 'ends',
  closed: 'ends',
} as const satisfies Readonly<Record<string, Fate>>

export type Verb = keyof typeof ENDS
export const verbs = Object.keys(ENDS) as readonly Verb[]

/** Keeps a thing at these verbs. */
const keptAt = (kept: string, ...at: readonly Verb[]): Readonly<Record<Verb, Fate>> => ({
  ...ENDS,
  ...Object.fromEntries(at.map((verb) => [verb, { kept }])),
})
const CLOSING: readonly Verb[] = ['closed']
const butClosing = verbs.filter((verb) => !CLOSING.includes(verb))

type Thing = {
  readonly table: keyof Schema
  readonly fates: Readonly<Record<Verb, Fate>>
}

/** Each thing that ends: its table, and what each verb does with it. */
export const things = {
  /** All but the session of the call, where the verb keeps that. Their enrolments go with them. */
  sessions: { table: 'sessions', fates: ENDS },
  readingKeys: { table: 'reading_keys', fates: ENDS },
  CHANGE: { table: 'links', fates: ENDS },
  RESET: {
    table: 'links',
    fates: keptAt(
      "The owner's way back from the mailbox, which a thief's session must not end.",
      'othersEnded',
      'factorTrusted',
    ),
  },
  CONFIRM: {
    table: 'links',
    fates: keptAt(
      'It confirms the address that the account has, and no more.',
      ...butClosing.filter((verb) => verb !== 'emailChanged'),
    ),
  },
  FREEZE: { table: 'links', fates: keptAt("The owner's brake.", ...butClosing) },
  GIVE_BACK: { table: 'links', fates: keptAt("The owner's way back.", ...butClosing) },
  /** An address whose wait is over may have been paid, and stays. */
  waitingPayoutAddresses: { table: 'payout_addresses', fates: ENDS },
  /** A device of before is new at its next sign-in, so the owner is told. */
  knownDevices: { table: 'known_devices', fates: ENDS },
  /** The mails that a thief may have turned off or on. */
  noticeChoices: {
    table: 'notice_settings',
    fates: keptAt(
      'The owner is at work in the account, and its page shows the choice.',
      'othersEnded',
      'passwordChanged',
      'factorTrusted',
      'emailChanged',
      'roleLost',
    ),
  },
  factorReset: {
    table: 'proposals',
    fates: keptAt(
      'A super admin asked for it, mostly for an owner who lost the factor.',
      'othersEnded',
      'passwordChanged',
      'passwordReset',
      'emailChanged',
      'roleLost',
    ),
  },
} as const satisfies Readonly<Record<Exclude<LinkKind, 'INVITE'>, Thing> & Record<string, Thing>>

export type ThingName = keyof typeof things

type TableOfUsers = {
  [Table in keyof Schema]: 'user_id' extends keyof Schema[Table] ? Table : never
}[keyof Schema]

/** The tables of users that no verb of recovery touches, each with its reason. */
export const untouched = {
  transactions: 'Money. Staff see a flag on requests of before, and the owner cancels them.',
  investments: 'Money, which stays with its owner.',
  claims: 'A debt, which stays.',
  factors: 'Each is proven by the password and mailed. A lifted freeze removes later ones.',
  recovery_codes: 'As the factors that brought them.',
  user_roles: 'Given by two people.',
  liability_leaves: 'Published.',
  mails: 'Told already.',
  notes: 'Written by staff.',
  borrowers: 'Recorded by staff.',
} as const satisfies Readonly<
  Record<Exclude<TableOfUsers, (typeof things)[ThingName]['table']>, string>
>
