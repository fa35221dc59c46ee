import type { Change } from '@pool/contract/changes'
import { cents, dollarsFromCents } from '@pool/contract/money'

/** The channel on which the database tells what was committed (server/changes/tell_changes.sql). */
export const CHANNEL = 'changes'

type Money = Extract<Change, { id: string }>
type Told =
  | readonly [
      user: string,
      noun: Money['noun'],
      id: string,
      type: Money['type'],
      status: Money['status'],
      cents: number,
    ]
  | readonly [user: null, noun: 'wallet']
  | readonly [user: null, noun: 'user']
  | readonly [user: null, noun: 'pause']
  | readonly [user: string, noun: 'session']

/**
 * What one notification says: changes with their owner (null: nobody's in particular), and the
 * users of whom a session was ended.
 */
export type Notice = {
  readonly changes: readonly { readonly owner: string | null; readonly change: Change }[]
  readonly endedSessionsOf: readonly string[]
}

/** Reads a notification. Throws when it is none of the database's own. */
export const readNotice = (payload: string): Notice => {
  const told = JSON.parse(payload) as readonly Told[]
  return {
    changes: told.flatMap((each) =>
      each[1] === 'session' ? [] : [{ owner: each[0], change: changeOf(each) }],
    ),
    endedSessionsOf: told.flatMap((each) => (each[1] === 'session' ? [each[0]] : [])),
  }
}

const changeOf = (told: Exclude<Told, readonly [string, 'session']>): Change => {
  if (told[1] === 'wallet' || told[1] === 'user' || told[1] === 'pause') return { noun: told[1] }
  const [userId, noun, id, type, status, amount] = told
  return { noun, id, userId, type, status, amount: dollarsFromCents(cents(BigInt(amount))) }
}
