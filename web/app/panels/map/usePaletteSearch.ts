import { formatDollars } from '@pool/contract/base/money'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { userList } from '../../api/accounts/users.ts'
import { walletList } from '../../api/chain/wallets.ts'
import type { ListSource } from '../../api/http/lists.ts'
import { borrowerList } from '../../api/lending/borrowers.ts'
import { loanList } from '../../api/lending/loanList.ts'
import { transactionList } from '../../api/requests/transactions.ts'
import { capitalized } from '../../i18n/format.ts'
import { statusChoice, typeName } from '../../i18n/named.ts'
import { isStaff, type SessionUser, seesAccounts } from '../../session/store.ts'

export const kinds = [
  'recent',
  'act',
  'page',
  'transaction',
  'user',
  'loan',
  'borrower',
  'wallet',
] as const
export type Kind = (typeof kinds)[number]

/** A line of the palette, and where it leads. */
export type FoundLine = {
  readonly kind: Kind
  readonly path: string
  readonly label: string
  readonly hint?: string
}

/** The rows of each kind that are shown. */
const MOST = 5
/** The fewest characters of a search on the server. */
const SHORTEST = 2
/** The time in milliseconds without typing before the server is asked. */
const REST_MS = 150

/** A value once it has not changed for a while. */
const useRested = (value: string): string => {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}

type PaletteSearch = { readonly search: string; readonly signal: AbortSignal }

const asker =
  <Row>(source: ListSource<Row>, found: (row: Row) => FoundLine) =>
  async ({ search, signal }: PaletteSearch): Promise<readonly FoundLine[]> =>
    (await source.load({ query: { search }, limit: MOST, signal })).rows.map(found)

const userAsk = asker(userList, ({ id, email, firstName, lastName }) => ({
  kind: 'user',
  path: `/admin/users/${id}`,
  label: email ?? '',
  hint: `${firstName ?? ''} ${lastName ?? ''}`.trim(),
}))

const staffAsks = [
  asker(transactionList, ({ id, type, amount, status, userEmail }) => ({
    kind: 'transaction',
    path: `/admin?tab=transactions&transaction=${id}#records`,
    label: `${capitalized(typeName(type))} ${amount === null ? '' : formatDollars(amount)}`,
    hint: `${userEmail ?? ''} · ${statusChoice(status)}`,
  })),
  asker(loanList, ({ id, borrower, purpose }) => ({
    kind: 'loan',
    path: `/admin/loans/${id}`,
    label: borrower,
    hint: purpose,
  })),
  asker(borrowerList, ({ id, name, country }) => ({
    kind: 'borrower',
    path: `/admin/borrowers/${id}`,
    label: name,
    hint: country,
  })),
  asker(walletList, ({ address, networkName }) => ({
    kind: 'wallet',
    path: `/admin?tab=wallets&wallets-search=${encodeURIComponent(address)}#records`,
    label: address,
    hint: networkName,
  })),
]

const ownAsk = asker(transactionList, ({ id, type, amount, status }) => ({
  kind: 'transaction',
  path: `/dashboard?transaction=${id}`,
  label: `${capitalized(typeName(type))} ${amount === null ? '' : formatDollars(amount)}`,
  hint: statusChoice(status),
}))

/** The questions that a user may ask. The server decides about each. */
const asksOf = (user: SessionUser) => {
  if (!isStaff(user)) return [ownAsk]
  return seesAccounts(user) ? [...staffAsks, userAsk] : staffAsks
}

/** Rows of the server that match, of the kinds that came. Failed if none of them did. */
export const usePaletteSearch = (user: SessionUser, typed: string) => {
  const search = useRested(typed.trim())
  const enabled = search.length >= SHORTEST
  const query = useQuery({
    queryKey: ['palette', user.id, search],
    enabled,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const found = await Promise.allSettled(asksOf(user).map((ask) => ask({ search, signal })))
      const rows = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
      const failed = found.find((each) => each.status === 'rejected')
      if (rows.length === 0 && failed) throw failed.reason
      return rows
    },
  })
  return {
    rows: enabled ? (query.data ?? []) : [],
    isWaiting: typed.trim() !== search || query.isFetching,
    isFailed: enabled && query.isError,
  }
}
