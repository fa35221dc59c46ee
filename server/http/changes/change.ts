import type { Change } from '@pool/contract/base/changes'
import { cents, dollarsFromCents } from '@pool/contract/base/money'

/** Channel of the database's notifications of commits (server/http/changes/tell_changes.sql). */
export const CHANNEL = 'changes'

type Money = Extract<Change, { id: string }>
type Notification =
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
  | readonly [user: null, noun: 'loan']
  | readonly [user: null, noun: 'pause']
  | readonly [user: null, noun: 'batch']
  | readonly [user: string | null, noun: 'payment' | 'claim']
  | readonly [user: string, noun: 'session']
  | readonly [user: string, noun: 'notice']

/** Changes with their owners, null for all users, and owners of changed sessions and notices. */
export type Notice = {
  readonly changes: readonly { readonly owner: string | null; readonly change: Change }[]
  readonly sessionsOf: readonly string[]
  readonly noticesOf: readonly string[]
}

/** Parses a notification. Throws when the database did not write it. */
export const readNotice = (payload: string): Notice => {
  const notifications = JSON.parse(payload) as readonly Notification[]
  return {
    changes: notifications.flatMap((each) =>
      each[1] === 'session' || each[1] === 'notice'
        ? []
        : [{ owner: each[0], change: changeOf(each) }],
    ),
    sessionsOf: notifications.flatMap((each) => (each[1] === 'session' ? [each[0]] : [])),
    noticesOf: notifications.flatMap((each) => (each[1] === 'notice' ? [each[0]] : [])),
  }
}

const changeOf = (
  notification: Exclude<Notification, readonly [string, 'session' | 'notice']>,
): Change => {
  if (notification.length === 2) return { noun: notification[1] }
  const [userId, noun, id, type, status, amount] = notification
  return { noun, id, userId, type, status, amount: dollarsFromCents(cents(BigInt(amount))) }
}
