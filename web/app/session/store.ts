/**
 * The signed-in user of this browser: the four keys of storage as one value (docs/product.md 8.4).
 */
import { storageKeys } from '@pool/contract/session'
import type { Role } from '@pool/contract/users'
import { useSyncExternalStore } from 'react'
import { onUnauthorized, readStored, readToken } from '../api/http/bearer.ts'
import { forgetAnswers } from '../api/http/queryClient.ts'
import { endOnServer } from '../api/sessions.ts'
import type { SignedIn } from '../api/users.ts'
import { dropDraft, keepDraft } from './drafts.ts'
import { type Ending, forgetEnding, noteEnding } from './ending.ts'

/** The signed-in user. Names and dates are null until the look-up has answered. */
export type SessionUser = {
  readonly id: string
  readonly email: string
  /** Chooses what is drawn. The server decides about each call. */
  readonly role: Role
  readonly firstName: string | null
  readonly lastName: string | null
  readonly createdAt: Date | null
  readonly updatedAt: Date | null
  /** Known once the look-up has answered. */
  readonly frozen?: boolean
}

/** `unknown` without storage: during prerendering and before hydration. */
export type Session =
  | { readonly status: 'unknown' }
  | { readonly status: 'out'; readonly expired: boolean }
  | { readonly status: 'in'; readonly user: SessionUser }

const roles: readonly Role[] = ['client', 'admin', 'AUDITOR', 'SUPER_ADMIN']

/** The stored session. It needs a token, a username and a user id (docs/product.md 8.4). */
const readSession = (): Session => {
  const token = readStored(storageKeys.token)
  const email = readStored(storageKeys.username)
  const id = readStored(storageKeys.userId)
  if (!token || !email || !id) return { status: 'out', expired: false }
  const stored = readStored(storageKeys.role)
  const role = roles.find((known) => known === stored) ?? 'client'
  return {
    status: 'in',
    user: { id, email, role, firstName: null, lastName: null, createdAt: null, updatedAt: null },
  }
}

const unknown: Session = { status: 'unknown' }
let current: Session | null = null
const watchers = new Set<() => void>()

/** The present session. */
const getSession = (): Session => {
  current ??= readSession()
  return current
}

const become = (session: Session): void => {
  current = session
  // theme/page.js reads storage only once, and the landing page offers what fits.
  const { dataset } = document.documentElement
  if (session.status === 'in') dataset.as = isStaff(session.user) ? 'staff' : 'investor'
  else delete dataset.as
  for (const watcher of watchers) watcher()
}

const subscribe = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const useSession = (): Session => useSyncExternalStore(subscribe, getSession, () => unknown)

/** The signed-in user, or null. */
export const useSessionUser = (): SessionUser | null => {
  const session = useSession()
  return session.status === 'in' ? session.user : null
}

/** Chooses what is drawn. The server decides what may be done. */
export const isStaff = (user: SessionUser): boolean => user.role !== 'client'

/** True for readers of what is about accounts: users, sign-ins, roles. */
export const seesAccounts = ({ role }: SessionUser): boolean =>
  role === 'SUPER_ADMIN' || role === 'AUDITOR'

/** False for an auditor, who is shown nothing that writes. */
export const useMayWrite = (): boolean => useSessionUser()?.role !== 'AUDITOR'

/** Starts a session with a login's response. */
export const signIn = ({ token, userId, username, role }: SignedIn): void => {
  forgetAnswers()
  forgetEnding()
  window.localStorage.setItem(storageKeys.username, username)
  window.localStorage.setItem(storageKeys.userId, userId)
  window.localStorage.setItem(storageKeys.role, role)
  // The token comes last, so that other tabs never see half a session.
  window.localStorage.setItem(storageKeys.token, token)
  become(readSession())
}

/**
 * Ends the session in this browser and drops everything loaded. Tells the server without waiting.
 */
export const logout = (): void => {
  dropDraft()
  forgetEnding()
  leave()
}

const leave = (): void => {
  const token = readToken()
  if (token) endOnServer(token)
  for (const key of Object.values(storageKeys)) window.localStorage.removeItem(key)
  forgetAnswers()
  become({ status: 'out', expired: false })
}

/** Ends the session without the user's wish: says why at the next sign-in, and keeps drafts. */
export const endFor = (why: Ending['why']): void => {
  noteAndKeep(why)
  leave()
}

const noteAndKeep = (why: Ending['why'], said?: string): void => {
  const session = getSession()
  if (session.status !== 'in') return
  keepDraft(session.user.id)
  noteEnding(why, said)
}

/** Logs out when another program has cleared the stored keys (docs/product.md 8.4). */
export const checkStored = (): void => {
  if (getSession().status === 'in' && readSession().status === 'out') endFor('cleared')
}

/** Takes over the looked-up user. `role` is null if the response had none (docs/product.md 2.2). */
export const refreshUser = (
  known: Omit<SessionUser, 'id' | 'email' | 'role'> & { readonly role: Role | null },
): void => {
  const session = getSession()
  if (session.status !== 'in') return
  const { role: named, ...rest } = known
  const role = named ?? session.user.role
  if (role !== session.user.role) window.localStorage.setItem(storageKeys.role, role)
  become({ status: 'in', user: { ...session.user, ...rest, role } })
}

// A 401 has cleared the token. The data loaded with it must go too.
onUnauthorized((message) => {
  noteAndKeep('refused', message)
  forgetAnswers()
  become({ status: 'out', expired: true })
})

/**
 * Reloads the page after another tab changed the session (docs/product.md 8.7), or when Back
 * revives another session.
 */
export const followOtherTabs = (): (() => void) => {
  const authKeys = new Set<string | null>([...Object.values(storageKeys), null])
  const onStorage = (event: StorageEvent) => {
    if (event.storageArea !== window.localStorage || !authKeys.has(event.key)) return
    if (readSession().status === 'out') noteAndKeep('elsewhere')
    window.location.reload()
  }
  const sameSession = (stored: Session): boolean => {
    const shown = getSession()
    if (shown.status !== 'in' || stored.status !== 'in') return shown.status === stored.status
    return shown.user.id === stored.user.id && shown.user.role === stored.user.role
  }
  const onPageShow = (event: PageTransitionEvent) => {
    if (event.persisted && !sameSession(readSession())) window.location.reload()
  }
  window.addEventListener('storage', onStorage)
  window.addEventListener('pageshow', onPageShow)
  return () => {
    window.removeEventListener('storage', onStorage)
    window.removeEventListener('pageshow', onPageShow)
  }
}
