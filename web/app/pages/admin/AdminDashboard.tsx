import { Button, Tabs } from '@mantine/core'
import {
  IconArrowsExchange,
  IconChartLine,
  IconHistory,
  IconPlayerPause,
  IconRefresh,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useDeferredValue, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/admin.ts'
import { common } from '../../i18n/common.ts'
import { AppFrame } from '../../layout/AppFrame.tsx'
import { AppHeader } from '../../layout/AppHeader.tsx'
import { SiteFooter } from '../../layout/SiteFooter.tsx'
import { MAIN } from '../../layout/SkipLink.tsx'
import { focusSearch, type Shortcut } from '../../layout/shortcuts/shortcuts.ts'
import { Later } from '../../loading/Later.tsx'
import { PasswordButton } from '../../panels/password/PasswordButton.tsx'
import { PausesBanner } from '../../panels/pauses/PausesBanner.tsx'
import { logout, type SessionUser, useSession } from '../../session/store.ts'
import { LoadingRows } from '../../ui/LoadingRows.tsx'
import classes from './AdminDashboard.module.css'
import { AdminFigures } from './AdminFigures.tsx'
import { SoleApprover } from './SoleApprover.tsx'
import { StatCards } from './StatCards.tsx'
import { useTotals } from './totals.ts'
import { type LocalDecisions, useLocalDecisions } from './useLocalDecisions.ts'
import { useRefresh } from './useRefresh.ts'
import { WalletStock } from './WalletStock.tsx'

// Each tab loads its own code.
const UsersTable = lazy(async () => ({ default: (await import('./UsersTable.tsx')).UsersTable }))
const TransactionsTable = lazy(async () => ({
  default: (await import('./TransactionsTable.tsx')).TransactionsTable,
}))
const InvestmentsTable = lazy(async () => ({
  default: (await import('./InvestmentsTable.tsx')).InvestmentsTable,
}))
const PausesDialog = lazy(async () => ({
  default: (await import('../../panels/pauses/PausesDialog.tsx')).PausesDialog,
}))
const WalletsTab = lazy(async () => ({ default: (await import('./WalletsTab.tsx')).WalletsTab }))

type TabName = 'users' | 'transactions' | 'investments' | 'wallets'

const icons: Readonly<Record<TabName, ReactNode>> = {
  users: <IconUsers size={16} aria-hidden />,
  transactions: <IconArrowsExchange size={16} aria-hidden />,
  investments: <IconChartLine size={16} aria-hidden />,
  wallets: <IconWallet size={16} aria-hidden />,
}

/** A tab's label, with its count once known. */
const Label = ({ name }: { name: TabName }) => {
  const { data: count } = useTotals[name]()
  return count === undefined ? t(name) : t('counted', { name: t(name), count })
}

const AdminTabs = ({ decisions, seesUsers }: { decisions: LocalDecisions; seesUsers: boolean }) => {
  const [parameters, setParameters] = useSearchParams()
  const names: readonly TabName[] = ['users', 'transactions', 'investments', 'wallets']
  const chosen = names.find((name) => name === parameters.get('tab'))
  // Leaves the users' tab when the role is no super admin (docs/product.md 3.10).
  const usual = seesUsers ? 'users' : 'transactions'
  const shown = chosen === undefined || (chosen === 'users' && !seesUsers) ? usual : chosen
  // Another tab drops the filters of this one.
  const choose = (tab: string | null) =>
    setParameters(tab === null || tab === usual ? {} : { tab }, { preventScrollReset: true })
  return (
    <div className={`${classes.card} ${classes.tabs}`}>
      <Tabs value={shown} onChange={choose} keepMounted={false}>
        <Tabs.List className={classes.list} aria-label={t('tabs')}>
          {names
            .filter((name) => name !== 'users' || seesUsers)
            .map((name) => (
              <Tabs.Tab key={name} value={name} leftSection={icons[name]} className={classes.tab}>
                <Label name={name} />
              </Tabs.Tab>
            ))}
        </Tabs.List>
        {seesUsers && (
          <Tabs.Panel value="users">
            <Suspense fallback={<LoadingRows label={t('users.loading')} />}>
              <UsersTable />
            </Suspense>
          </Tabs.Panel>
        )}
        <Tabs.Panel value="transactions">
          <Suspense fallback={<LoadingRows label={t('transactions.loading')} />}>
            <TransactionsTable />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="investments">
          <Suspense fallback={<LoadingRows label={t('investments.loading')} />}>
            <InvestmentsTable decisions={decisions} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="wallets">
          <Suspense fallback={<LoadingRows label={t('wallets.loading')} />}>
            <WalletsTab />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

/** Opens the pauses, for super admins only. */
const Pauses = () => {
  const [opened, setOpened] = useState<boolean | null>(null)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPlayerPause size={16} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        {t('pauses')}
      </Button>
      <Suspense>
        {opened !== null && <PausesDialog opened={opened} onClose={() => setOpened(false)} />}
      </Suspense>
    </>
  )
}

const Welcome = ({ name = null }: { name?: string | null }) => (
  <div>
    <h2 className={classes.welcome}>{name ? t('welcome.named', { name }) : t('welcome')}</h2>
    <p>{t('welcome.text')}</p>
  </div>
)

/** The page before the session is known. */
const Frame = () => (
  <AppFrame of="staff" title={t('title')}>
    <main className={classes.main}>
      <div className={classes.head}>
        <Welcome />
      </div>
    </main>
  </AppFrame>
)

/**
 * The admin dashboard (docs/product.md 3.10). The server decides about each call; `user.role` only
 * chooses what is drawn.
 */
const Dashboard = ({ user }: { user: SessionUser }) => {
  const reloading = useRefresh()
  const decisions = useLocalDecisions()
  const seesUsers = user.role === 'SUPER_ADMIN'
  const refresh = () => {
    decisions.forget()
    void reloading.refresh()
  }
  const shortcuts: readonly Shortcut[] = [
    { key: 'r', label: common('shortcuts.refresh'), run: refresh },
    { key: '/', label: common('shortcuts.search'), run: focusSearch },
  ]
  return (
    <>
      <AppHeader
        title={t('title')}
        email={user.email}
        account={<PasswordButton user={user} />}
        shortcuts={shortcuts}
        onLogout={logout}
      />
      <main id={MAIN} tabIndex={-1} className={classes.main}>
        <div className={classes.parts}>
          <div className={classes.head}>
            <Welcome name={user.firstName} />
            <div className={classes.actions}>
              {seesUsers && <Pauses />}
              <Button
                variant="default"
                component={Link}
                to="/admin/audit"
                leftSection={<IconHistory size={16} aria-hidden />}
              >
                {t('audit')}
              </Button>
              <Button
                variant="default"
                leftSection={<IconRefresh size={16} aria-hidden />}
                loading={reloading.refreshing}
                onClick={refresh}
              >
                {t('refresh')}
              </Button>
            </div>
          </div>
          <PausesBanner />
          <Later>
            <WalletStock />
            <StatCards seesUsers={seesUsers} />
            <Later>
              <AdminFigures />
              <AdminTabs decisions={decisions} seesUsers={seesUsers} />
              <SoleApprover />
            </Later>
          </Later>
        </div>
      </main>
      <SiteFooter variant="reduced" />
    </>
  )
}

export const meta = () => [{ title: `${t('title')} · ${configuration().productName}` }]

export default function AdminDashboard() {
  // Deferred, so that the dashboard replaces its frame in turns.
  const session = useDeferredValue(useSession())
  if (session.status === 'unknown') return <Frame />
  // Null between a logout and the guard's redirect.
  return session.status === 'in' ? <Dashboard user={session.user} /> : null
}
