import type { Tone } from '@pool/contract/base/tones'
import { ADDRESS_ENDS } from '@pool/contract/chain/wallets'
import { common } from '../i18n/common.ts'
import { DateTime } from '../ui/DateTime.tsx'
import classes from './cells.module.css'

/** Replaces a missing value (docs/product.md 3.6). */
export const MISSING = common('notAvailable')

/** The first and last characters of a long address or id (docs/product.md 13). */
const shortened = (text: string): string =>
  text.length > 2 * ADDRESS_ENDS + 1
    ? `${text.slice(0, ADDRESS_ENDS)}…${text.slice(-ADDRESS_ENDS)}`
    : text

/** An id or address in short form; the whole is in its title. */
export const Code = ({ text }: { text: string }) => (
  <span className={classes.code} title={text}>
    {shortened(text)}
  </span>
)

/** The start of an id that only serves to tell rows apart; the whole is in its title. */
export const ShortId = ({ text }: { text: string }) => (
  <span className={classes.code} title={text}>
    {text.length > ADDRESS_ENDS + 1 ? `${text.slice(0, ADDRESS_ENDS)}…` : text}
  </span>
)

/** Username and email of a user; once where they are equal. */
export const Person = ({ name, email }: { name: string | null; email: string | null }) => (
  <div className={classes.person}>
    <p className={classes.name} title={name ?? undefined}>
      {name ?? MISSING}
    </p>
    {(name === null || name !== email) && (
      <p className={classes.email} title={email ?? undefined}>
        {email ?? MISSING}
      </p>
    )}
  </div>
)

/** A small coloured word: a type, a role or a state. */
export const Tag = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={classes.tag} data-tone={tone}>
    {children}
  </span>
)

export const Moment = ({ at }: { at: Date | null }) => (
  <span className={classes.date}>
    <DateTime at={at} />
  </span>
)
