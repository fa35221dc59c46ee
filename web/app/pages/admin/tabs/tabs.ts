/** The tabs of the admin dashboard, with the filters of their lists. */
import { listUsers } from '@pool/contract/accounts/users'
import { listWallets } from '@pool/contract/chain/wallets'
import { listAllInvestments } from '@pool/contract/money/investments'
import { useSearchParams } from 'react-router'
import type { ListQuery } from '../../../api/http/lists.ts'
import { t } from '../../../i18n/admin.ts'
import { statusChoice } from '../../../i18n/named.ts'
import { draftedDialog } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { loanFilters } from '../../../tables/loans.ts'
import { transactionFilters } from '../../../tables/transactionFilters.ts'
import { type Filter, filtersOf, queryOf, readAsked, urlWith } from '../../../tables/urlState.ts'

export const tabNames = ['users', 'transactions', 'investments', 'wallets', 'loans'] as const
export type TabName = (typeof tabNames)[number]

/** The id of the card with the tabs. */
export const RECORDS = 'records'

export const filters: Readonly<Record<TabName, readonly Filter[]>> = {
  users: filtersOf(listUsers.paged, {
    role: { label: t('users.role'), nameOf: (role) => t(`role.${role}`) },
  }),
  transactions: transactionFilters,
  investments: filtersOf(listAllInvestments.paged, {
    status: { label: t('investments.status'), nameOf: statusChoice },
  }),
  wallets: filtersOf(listWallets.paged, {
    status: { label: t('wallets.status'), nameOf: (status) => t(`wallets.${status}`) },
    network: { label: t('wallets.network'), nameOf: (network) => network },
  }),
  loans: loanFilters,
}

/** The query of a tab's list, as the URL filters it. */
export const useTabQuery = (name: TabName): ListQuery => {
  const [parameters] = useSearchParams()
  return queryOf(readAsked(parameters, name, { sorts: [], filters: filters[name] }))
}

/** The URL of a tab with these filters alone. Other tabs keep theirs. */
export const useTabLink = () => {
  const [parameters] = useSearchParams()
  return (tab: TabName, chosen: Readonly<Record<string, string>> = {}) => {
    const others = [...parameters].filter(([key]) => !key.startsWith(`${tab}-`))
    const next = urlWith(new URLSearchParams(others), tab, chosen)
    next.set('tab', tab)
    return { search: `?${next}` }
  }
}

/** Brings the tabs into view after a link changed them. */
export const showTabs = (): void => {
  requestAnimationFrame(() => {
    const card = document.getElementById(RECORDS)
    card?.scrollIntoView()
    card?.focus({ preventScroll: true })
  })
}

/** The tab of each dialog that keeps a draft. */
const draftedDialogs = {
  wallet: 'wallets',
  walletList: 'wallets',
  addressKey: 'wallets',
  borrower: 'loans',
  loan: 'loans',
} as const satisfies Readonly<Record<string, TabName>>

/** The dialog with a draft of this user and its tab, or undefined. */
export const useDrafted = () => {
  const user = useSessionUser()
  const drafted = draftedDialog(user?.id ?? '') ?? ''
  if (!Object.hasOwn(draftedDialogs, drafted)) return undefined
  const dialog = drafted as keyof typeof draftedDialogs
  return { dialog, tab: draftedDialogs[dialog] }
}
