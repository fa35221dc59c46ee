/**
 * The signed-in user of this browser: the four keys of storage as one value (docs/product.md 8.4).
 */
import { storageKeys } from '@pool/contract/accounts/session'
import type { Role } from '@pool/contract/accounts/users'
import { messageForStatus } from '@pool/contract/base/messages'
import { useSyncExternalStore } from 'react'
import { endOnServer } from '../api/accounts/sessions.ts'
import type { SignedIn } from '../api/accounts/users.ts'
import { onUnauthorized, readToken } from '../api/http/bearer.ts'
import { forgetAnswers } from '../api/http/queryClient.ts'
import { forgetSaid, onReload } from '../loading/missing.ts'
import { stored } from '../storage.ts'
import { dropDraft, keepDraft } from './drafts.ts'
import { type Ending, forgetEnding, noteEnding, readEnding } from './ending.ts'

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

/**
 * `unknown` without storage: during prerendering and before hydration. `ending` is null for a
 * visitor, and after a logout by wish.
 */
export type Session =
  | { readonly status: 'unknown' }
  | { readonly status: 'out'; readonly ending: Ending | null }
  | { readonly status: 'in'; readonly user: SessionUser }

const roles: readonly Role[] = ['client', 'admin', 'AUDITOR', 'SUPER_ADMIN']

/** The stored session. It needs a token, a username and a user id (docs/product.md 8.4). */
const readSession = (): Session => {
  const token = stored.read(storageKeys.token)
  const email = stored.read(storageKeys.username)
  const id = stored.read(storageKeys.userId)
  if (!token || !email || !id) return { status: 'out', ending: readEnding() }
  const named = stored.read(storageKeys.role)
  const role = roles.find((known) => known === named) ?? 'client'
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

const elsewhere: Ending = { why: 'elsewhere', said: '' }

const become = (session: Session): void => {
  current = session
  // theme/page.js reads storage only once, and the landing page offers what fits.
  const { dataset } = document.documentElement
  if (session.status === 'in') dataset.as = isStaff(session.user) ? 'staff' : 'investor'
  else delete dataset.as
  for (const watcher of watchers) watcher()
}

/** Becomes signed out. The note in this tab lets a reloaded page know the reason. */
const end = (ending: Ending | null): void => {
  if (ending) noteEnding(ending)
  else forgetEnding()
  forgetSaid()
  become({ status: 'out', ending })
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
  stored.write(storageKeys.username, username)
  stored.write(storageKeys.userId, userId)
  stored.write(storageKeys.role, role)
  // The token comes last, so that other tabs never see half a session.
  stored.write(storageKeys.token, token)
  noteEnding(elsewhere)
  become(readSession())
}

/**
 * Ends the session in this browser and drops everything loaded. Tells the server without waiting.
 */
export const logout = (): void => {
  dropDraft()
  leave(null)
}

const leave = (ending: Ending | null): void => {
  const token = readToken()
  if (token) endOnServer(token)
  // First, so that no other part meets a session without its keys.
  end(ending)
  for (const key of Object.values(storageKeys)) stored.remove(key)
  forgetAnswers()
}

/** Ends the session without the user's wish: the sign-in page says why, and drafts are kept. */
export const endFor = (why: Ending['why'], said = ''): void => {
  keepOwnDraft()
  leave({ why, said })
}

const keepOwnDraft = (): void => {
  const session = getSession()
  if (session.status === 'in') keepDraft(session.user.id)
}

onReload(keepOwnDraft)

/**
 * Logs out when the stored keys are gone (docs/product.md 8.4): with the reason that the landing
 * page noted, else because another program cleared them.
 */
export const checkStored = (): void => {
  const found = readSession()
  if (getSession().status !== 'in' || found.status !== 'out') return
  keepOwnDraft()
  leave(found.ending?.why === 'elsewhere' ? { why: 'cleared', said: '' } : found.ending)
}

/** Takes over the looked-up user. `role` is null if the response had none (docs/product.md 2.2). */
export const refreshUser = (
  known: Omit<SessionUser, 'id' | 'email' | 'role'> & { readonly role: Role | null },
): void => {
  const session = getSession()
  if (session.status !== 'in') return
  const { role: named, ...rest } = known
  const role = named ?? session.user.role
  if (role !== session.user.role) stored.write(storageKeys.role, role)
  become({ status: 'in', user: { ...session.user, ...rest, role } })
}

// A 401 takes the token. The data loaded with it must go too. The first reason stays.
onUnauthorized((message) => {
  if (getSession().status !== 'in') return
  keepOwnDraft()
  // The sentence of the status says nothing that the page of the login does not say better.
  end({ why: 'refused', said: message === messageForStatus(401) ? '' : message })
  forgetAnswers()
})

/**
 * Reloads the page after another tab changed the session (docs/product.md 8.7), or when Back
 * revives another session.
 */
export const followOtherTabs = (): (() => void) => {
  const authKeys = new Set<string | null>([...Object.values(storageKeys), null])
  // Only other tabs raise this event, and no other tab shares this one's sessionStorage.
  const onStorage = ({ key }: StorageEvent) => {
    if (!authKeys.has(key)) return
    if (getSession().status === 'in' && readSession().status === 'out') {
      keepOwnDraft()
      // Calls under way lose their token, and their 401 must not replace the reason.
      end(elsewhere)
    }
    window.location.reload()
  }
  const sameSession = (found: Session): boolean => {
    const shown = getSession()
    if (shown.status !== 'in' || found.status !== 'in') return shown.status === found.status
    return shown.user.id === found.user.id && shown.user.role === found.user.role
  }
  const onPageShow = (event: PageTransitionEvent) => {
    if (event.persisted && !sameSession(readSession())) window.location.reload()
  }
  window.addEventListener('storage', onStorage)
  window.addEventListener('pageshow', onPageShow)
  // The keys may have changed since they were read.
  if (!sameSession(readSession())) window.location.reload()
  // A tab notes in advance how its session ends while it is not there to see.
  else if (getSession().status === 'in') noteEnding(elsewhere)
  return () => {
    window.removeEventListener('storage', onStorage)
    window.removeEventListener('pageshow', onPageShow)
  }
}
