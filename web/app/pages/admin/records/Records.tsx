import { Tabs } from '@mantine/core'
import {
  IconArrowsExchange,
  IconChartLine,
  IconReceipt,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import { memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { isAbsent } from '../../../api/http/errors.ts'
import { t } from '../../../i18n/admin.ts'
import { Later } from '../../../loading/Later.tsx'
import { onDemand } from '../../../loading/onDemand.tsx'
import { LoadingRows } from '../../../ui/LoadingRows.tsx'
import { AdminFigures } from '../figures/AdminFigures.tsx'
import { StatCards } from '../figures/StatCards.tsx'
import { RECORDS, showTabs, type TabName, tabNames, useDrafted, useTabQuery } from '../tabs/tabs.ts'
import { useTotals } from '../tabs/totals.ts'
import { WalletStock } from '../wallets/WalletStock.tsx'
import classes from './Records.module.css'
import { SoleApprover } from './SoleApprover.tsx'
import type { LocalDecisions } from './useLocalDecisions.ts'

// Each tab loads its own code.
const UsersTable = onDemand(async () => (await import('./UsersTable.tsx')).UsersTable, {
  waiting: () => <LoadingRows label={t('users.loading')} />,
})
const TransactionsTable = onDemand(
  async () => (await import('./TransactionsTable.tsx')).TransactionsTable,
  { waiting: () => <LoadingRows label={t('transactions.loading')} /> },
)
const InvestmentsTable = onDemand(
  async () => (await import('./InvestmentsTable.tsx')).InvestmentsTable,
  { waiting: () => <LoadingRows label={t('investments.loading')} /> },
)
const WalletsTab = onDemand(async () => (await import('../wallets/WalletsTab.tsx')).WalletsTab, {
  waiting: () => <LoadingRows label={t('wallets.loading')} />,
})
const LoansTab = onDemand(async () => (await import('../loans/LoansTab.tsx')).LoansTab, {
  waiting: () => <LoadingRows label={t('loans.loading')} />,
})
const ToSend = onDemand(async () => (await import('../sending/ToSend.tsx')).ToSend, {
  waiting: () => <div className={classes.folded} />,
})

const icons: Readonly<Record<TabName, ReactNode>> = {
  users: <IconUsers size={16} aria-hidden />,
  transactions: <IconArrowsExchange size={16} aria-hidden />,
  investments: <IconChartLine size={16} aria-hidden />,
  wallets: <IconWallet size={16} aria-hidden />,
  loans: <IconReceipt size={16} aria-hidden />,
}

/** A tab's label, with its count under the filters in the URL once known. */
const Label = ({ name }: { name: TabName }) => {
  const { data: count } = useTotals[name](useTabQuery(name))
  return count === undefined ? t(name) : t('counted', { name: t(name), count })
}

type Props = { readonly decisions: LocalDecisions; readonly seesUsers: boolean }

const AdminTabs = ({ decisions, seesUsers }: Props) => {
  const [parameters, setParameters] = useSearchParams()
  const chosen = tabNames.find((name) => name === parameters.get('tab'))
  // Leaves the users' tab when the role is no super admin (docs/product.md 3.10).
  const usual = seesUsers ? 'users' : 'transactions'
  const [first, setFirst] = useState<TabName | undefined>(useDrafted()?.tab)
  const open = first ?? chosen
  const shown = open === undefined || (open === 'users' && !seesUsers) ? usual : open
  const { state } = useLocation()
  const { data: loans, error } = useTotals.loans(useTabQuery('loans'))
  // A server of the specified calls alone has no loans.
  const hasLoans = shown === 'loans' || loans !== undefined || (error !== null && !isAbsent(error))
  // A link to a tab means the tab, unless the reader is somewhere already.
  const isLinked = useRef(chosen !== undefined)
  useEffect(() => {
    if (isLinked.current && window.scrollY === 0) showTabs()
  }, [])
  // Every tab keeps its filters and its page in the URL.
  const choose = (tab: string | null) => {
    setFirst(undefined)
    const next = new URLSearchParams(parameters)
    tab === null || tab === usual ? next.delete('tab') : next.set('tab', tab)
    setParameters(next, { preventScrollReset: true, state })
  }
  return (
    <div id={RECORDS} tabIndex={-1} className={classes.tabs}>
      <Tabs value={shown} onChange={choose} keepMounted={false}>
        <Tabs.List className={classes.list} aria-label={t('tabs')}>
          {tabNames
            .filter((name) => (name !== 'users' || seesUsers) && (name !== 'loans' || hasLoans))
            .map((name) => (
              <Tabs.Tab key={name} value={name} leftSection={icons[name]} className={classes.tab}>
                <Label name={name} />
              </Tabs.Tab>
            ))}
        </Tabs.List>
        {seesUsers && (
          <Tabs.Panel value="users">
            <UsersTable />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="transactions">
          <TransactionsTable />
        </Tabs.Panel>
        <Tabs.Panel value="investments">
          <InvestmentsTable decisions={decisions} />
        </Tabs.Panel>
        <Tabs.Panel value="wallets">
          <WalletsTab />
        </Tabs.Panel>
        <Tabs.Panel value="loans">
          <LoansTab />
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

/** All that comes after the queue: what is to be sent, the figures, the records, the charts. */
export const Records = memo(({ decisions, seesUsers }: Props) => (
  <>
    <WalletStock />
    <ToSend />
    <StatCards seesUsers={seesUsers} />
    <Later>
      <AdminTabs decisions={decisions} seesUsers={seesUsers} />
      <AdminFigures />
      <SoleApprover />
    </Later>
  </>
))
