import { Button, Group, Stack, Tabs, Text, Title } from '@mantine/core'
import { IconArrowsExchange, IconChartLine, IconRefresh, IconUsers, IconWallet } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { configuration } from '../../configuration.ts'
import { logout, type SessionUser, useSessionUser } from '../../session/store.ts'
import { AppHeader } from '../../ui/AppHeader.tsx'
import classes from './AdminDashboard.module.css'
import { AdminFigures } from './AdminFigures.tsx'
import { InvestmentsTable } from './InvestmentsTable.tsx'
import { StatCards } from './StatCards.tsx'
import { TransactionsTable } from './TransactionsTable.tsx'
import { UsersTable } from './UsersTable.tsx'
import { type AdminData, useAdminData } from './useAdminData.ts'
import { type LocalDecisions, useLocalDecisions } from './useLocalDecisions.ts'
import { WalletsTab } from './WalletsTab.tsx'

type TabName = 'users' | 'transactions' | 'investments' | 'wallets'

const icons: Readonly<Record<TabName, ReactNode>> = {
  users: <IconUsers size={16} aria-hidden />,
  transactions: <IconArrowsExchange size={16} aria-hidden />,
  investments: <IconChartLine size={16} aria-hidden />,
  wallets: <IconWallet size={16} aria-hidden />,
}

/** A tab's label with its count, once that is known. */
const labelOf = (name: string, rows: readonly unknown[] | undefined): string => (rows ? `${name} (${rows.length})` : name)

const AdminTabs = ({ data, decisions, seesUsers }: { data: AdminData; decisions: LocalDecisions; seesUsers: boolean }) => {
  const [chosen, setChosen] = useState<TabName | null>(null)
  // Whoever stops being a super admin while looking at the users is moved off that tab (spec §2).
  const shown = (chosen === 'users' && !seesUsers ? null : chosen) ?? (seesUsers ? 'users' : 'transactions')
  const labels: Readonly<Record<TabName, string>> = {
    users: labelOf('Users', data.users.data),
    transactions: labelOf('Transactions', data.transactions.data),
    investments: labelOf('Investments', data.investments.data),
    wallets: labelOf('Wallets', data.wallets.data),
  }
  const names: readonly TabName[] = ['users', 'transactions', 'investments', 'wallets']
  return (
    <div className={`${classes.card} ${classes.tabs}`}>
      <Tabs value={shown} onChange={(tab) => setChosen(names.find((name) => name === tab) ?? null)} keepMounted={false}>
        <Tabs.List className={classes.list} aria-label="Admin data">
          {names
            .filter((name) => name !== 'users' || seesUsers)
            .map((name) => (
              <Tabs.Tab key={name} value={name} leftSection={icons[name]} className={classes.tab}>
                {labels[name]}
              </Tabs.Tab>
            ))}
        </Tabs.List>
        {seesUsers && (
          <Tabs.Panel value="users">
            <UsersTable query={data.users} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="transactions">
          <TransactionsTable query={data.transactions} />
        </Tabs.Panel>
        <Tabs.Panel value="investments">
          <InvestmentsTable query={data.investments} decisions={decisions} />
        </Tabs.Panel>
        <Tabs.Panel value="wallets">
          <WalletsTab query={data.wallets} />
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

/** The admin dashboard (spec §2). The server decides about every call; `user.role` only chooses what is drawn. */
const Dashboard = ({ user }: { user: SessionUser }) => {
  const data = useAdminData(user)
  const decisions = useLocalDecisions()
  const seesUsers = user.role === 'SUPER_ADMIN'
  const refresh = () => {
    decisions.forget()
    void data.refresh()
  }
  return (
    <>
      <AppHeader title="Admin Dashboard" email={user.email} onLogout={logout} />
      <main className={classes.main}>
        <Stack gap="lg">
          <Group justify="space-between" align="center" gap="md">
            <div>
              <Title order={2} size="h3">
                Welcome back{user.firstName ? `, ${user.firstName}` : ''}
              </Title>
              <Text c="dimmed" size="sm">
                Review transactions and look after the pool's wallets.
              </Text>
            </div>
            <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} loading={data.refreshing} onClick={refresh}>
              Refresh Data
            </Button>
          </Group>
          <StatCards data={data} seesUsers={seesUsers} />
          <AdminFigures />
          <AdminTabs data={data} decisions={decisions} seesUsers={seesUsers} />
        </Stack>
      </main>
    </>
  )
}

export const meta = () => [{ title: `Admin Dashboard · ${configuration().productName}` }]

export default function AdminDashboard() {
  const user = useSessionUser()
  // Gone for the moment between a logout and the guard's redirect.
  return user ? <Dashboard user={user} /> : null
}
