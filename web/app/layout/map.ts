/**
 * Every page once: its place, its readers, its key and its badge. The rail, the command palette,
 * titles, headings and the list of keys follow from it. `map.test.ts` compares it with the routes.
 */
import { MAILBOX_PATH } from '@pool/contract/accounts/mails'
import type { Role } from '@pool/contract/accounts/users'
import type { Counts } from '@pool/contract/reports/today'
import { configuration } from '../configuration.ts'
import { t } from '../i18n/map.ts'

export const groups = ['now', 'money', 'lending', 'people', 'pool', 'record'] as const
export type Group = (typeof groups)[number]

type Readers = 'everybody' | 'investors' | 'staff' | 'writers' | 'accounts' | 'superAdmins'

type Place = {
  readonly path: string
  /** Its group in the rail of staff. Null leaves it out of that. */
  readonly group: Group | null
  readonly readers: Readers
  /** The letter after `g`. */
  readonly key: string
  readonly badge?: Exclude<keyof Counts, 'undone'>
  /** The beginning of the paths of its rows. */
  readonly details?: string
  /** The operator's choice without which there is no such page. */
  readonly needs?: 'chains' | 'sandbox'
}

/** A tab of the admin dashboard, with the id of the card that it scrolls to. */
const tab = (name: string) => `/admin?tab=${name}#records`

export const pages = {
  home: { path: '/dashboard', group: null, readers: 'investors', key: 'h' },
  today: { path: '/admin/today', group: 'now', readers: 'staff', key: 't' },
  decisions: { path: '/admin', group: 'now', readers: 'staff', key: 'd', badge: 'decisions' },
  transactions: { path: tab('transactions'), group: 'money', readers: 'staff', key: 'x' },
  batches: {
    path: '/admin/batches',
    group: 'money',
    readers: 'staff',
    key: 'b',
    badge: 'toSend',
    details: '/admin/batches/',
    needs: 'chains',
  },
  reconciliation: {
    path: '/admin/reconciliation',
    group: 'money',
    readers: 'staff',
    key: 'c',
    badge: 'breaks',
  },
  statements: { path: '/statements', group: 'money', readers: 'everybody', key: 's' },
  loans: {
    path: tab('loans'),
    group: 'lending',
    readers: 'staff',
    key: 'l',
    badge: 'lateLoans',
    details: '/admin/loans/',
  },
  borrowers: {
    path: '/admin/borrowers',
    group: 'lending',
    readers: 'staff',
    key: 'o',
    details: '/admin/borrowers/',
  },
  losses: { path: '/admin/losses', group: 'lending', readers: 'staff', key: 'f' },
  stress: { path: '/admin/stress', group: 'lending', readers: 'accounts', key: 'e' },
  users: {
    path: tab('users'),
    group: 'people',
    readers: 'accounts',
    key: 'u',
    details: '/admin/users/',
  },
  mails: { path: '/admin/mails', group: 'people', readers: 'staff', key: 'm', badge: 'mails' },
  mailbox: { path: MAILBOX_PATH, group: 'people', readers: 'staff', key: 'i', needs: 'sandbox' },
  plans: { path: '/admin/plans', group: 'pool', readers: 'accounts', key: 'p' },
  rates: { path: '/admin/rates', group: 'pool', readers: 'staff', key: 'r' },
  wallets: { path: tab('wallets'), group: 'pool', readers: 'staff', key: 'w' },
  networks: {
    path: '/admin/networks',
    group: 'pool',
    readers: 'staff',
    key: 'n',
    badge: 'alarms',
    needs: 'chains',
  },
  pauses: { path: '/admin?open=pauses', group: 'pool', readers: 'superAdmins', key: 'z' },
  windDown: { path: '/admin/wind-down', group: 'pool', readers: 'staff', key: 'q' },
  audit: { path: '/admin/audit', group: 'record', readers: 'staff', key: 'a' },
  notices: { path: '/notices', group: null, readers: 'everybody', key: 'j' },
  security: { path: '/security', group: null, readers: 'everybody', key: 'y' },
  pool: { path: '/pool', group: 'record', readers: 'everybody', key: 'v' },
  verify: { path: '/verify', group: 'record', readers: 'staff', key: 'k' },
} as const satisfies Readonly<Record<string, Place>>

export type PageName = keyof typeof pages
export const pageNames = Object.keys(pages) as readonly PageName[]

type Act = { readonly path: string; readonly readers: Readers }

/** The acts of the command palette. The page at the path opens it (`useAsked`). */
export const acts = {
  deposit: { path: '/dashboard?open=deposit', readers: 'investors' },
  withdraw: { path: '/dashboard?open=withdraw', readers: 'investors' },
  invest: { path: '/dashboard?open=invest', readers: 'investors' },
  recordLoan: { path: '/admin?tab=loans&open=loan#records', readers: 'writers' },
  recordBorrower: { path: '/admin?tab=loans&open=borrower#records', readers: 'writers' },
  addWallet: { path: '/admin?tab=wallets&open=wallet#records', readers: 'writers' },
  addWallets: { path: '/admin?tab=wallets&open=walletList#records', readers: 'writers' },
  invite: { path: '/admin?tab=users&open=invite#records', readers: 'superAdmins' },
  pause: { path: '/admin?open=pauses', readers: 'superAdmins' },
} as const satisfies Readonly<Record<string, Act>>

export type ActName = keyof typeof acts

/** The acts that a role may begin. */
export const actsFor = (role: Role): readonly ActName[] =>
  (Object.keys(acts) as ActName[]).filter((act) => reads[acts[act].readers](role))

const reads: Readonly<Record<Readers, (role: Role) => boolean>> = {
  everybody: () => true,
  investors: (role) => role === 'client',
  staff: (role) => role !== 'client',
  writers: (role) => role === 'admin' || role === 'SUPER_ADMIN',
  accounts: (role) => role === 'SUPER_ADMIN' || role === 'AUDITOR',
  superAdmins: (role) => role === 'SUPER_ADMIN',
}

const has: Readonly<Record<NonNullable<Place['needs']>, () => boolean>> = {
  chains: () => configuration().chains !== '',
  sandbox: () => configuration().poolMode === 'sandbox',
}

/** The place of a page, with all its fields. */
export const placeOf = (page: PageName): Place => pages[page]

/** Chooses what is drawn. The server decides about each call. */
export const mayRead = (role: Role, page: PageName): boolean => reads[placeOf(page).readers](role)

/** The pages that a role may open, in order. */
export const pagesFor = (role: Role): readonly PageName[] =>
  pageNames.filter((page) => {
    const { needs, group, readers } = placeOf(page)
    const isShown =
      role === 'client' ? page !== 'verify' : group !== null || readers === 'everybody'
    return isShown && mayRead(role, page) && (needs === undefined || has[needs]())
  })

/** The page at a URL, or undefined. A tab comes before the page that has it. */
export const pageAt = (path: string, search: string): PageName | undefined => {
  const asked = new URLSearchParams(search)
  const isAt = (page: PageName): boolean => {
    const { pathname, searchParams } = new URL(placeOf(page).path, 'http://of.page')
    return pathname === path && [...searchParams].every(([key, value]) => asked.get(key) === value)
  }
  const length = (page: PageName) => placeOf(page).path.length
  const isBelow = (page: PageName): boolean => {
    const { details } = placeOf(page)
    return details !== undefined && path.startsWith(details)
  }
  return (
    pageNames.filter(isAt).toSorted((a, b) => length(b) - length(a))[0] ?? pageNames.find(isBelow)
  )
}

/** The document's title on a page. */
export const titleOf = (page: PageName): string =>
  t('titled', { page: t(page), product: configuration().productName })
