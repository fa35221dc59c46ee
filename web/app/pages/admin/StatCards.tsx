import { Box, Group, Skeleton, Text, ThemeIcon } from '@mantine/core'
import { IconChartLine, IconClock, IconCoins, IconUsers, IconWallet } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/admin.ts'
import { locale } from '../../i18n/language.ts'
import { Money } from '../../ui/Money.tsx'
import classes from './AdminDashboard.module.css'
import type { AdminData } from './useAdminData.ts'

type Load<Data> = { readonly data: Data | undefined; readonly isPending: boolean }
type Stat<Data> = {
  readonly label: string
  readonly icon: ReactNode
  readonly load: Load<Data>
  readonly figure: (data: Data) => ReactNode
  readonly note?: string
}

/** One figure; a dash with the reason in place of a figure that is not known. */
const StatCard = <Data,>({ label, icon, load, figure, note }: Stat<Data>) => {
  const loading = load.isPending && !note
  const known = load.data !== undefined
  return (
    <Box component="li" p="md" className={`${classes.card} ${classes.stat}`}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="flex-start">
        <Text size="sm" c="dimmed" fw={500}>
          {label}
        </Text>
        <ThemeIcon variant="light" size="md" radius="md" aria-hidden>
          {icon}
        </ThemeIcon>
      </Group>
      <Skeleton visible={loading} mt={6} width="fit-content" miw={64}>
        <Text className={classes.figure}>{known ? figure(load.data) : '—'}</Text>
      </Skeleton>
      {!known && !loading && (
        <Text size="xs" c="dimmed">
          {note ?? t('stats.failed')}
        </Text>
      )}
    </Box>
  )
}

const countOf = (count: number): string => count.toLocaleString(locale())

/** The five stat cards (spec §2). */
export const StatCards = ({ data, seesUsers }: { data: AdminData; seesUsers: boolean }) => (
  <ul className={`${classes.grid} ${classes.stats}`} aria-label={t('stats')}>
    <StatCard
      label={t('stats.users')}
      icon={<IconUsers size={16} />}
      load={data.users}
      figure={countOf}
      {...(seesUsers ? {} : { note: t('stats.superAdminsOnly') })}
    />
    <StatCard label={t('stats.pendingTransactions')} icon={<IconClock size={16} />} load={data.pendingTransactions} figure={countOf} />
    <StatCard label={t('stats.pendingInvestments')} icon={<IconChartLine size={16} />} load={data.pendingInvestments} figure={countOf} />
    <StatCard label={t('stats.wallets')} icon={<IconWallet size={16} />} load={data.wallets} figure={countOf} />
    <StatCard
      label={t('stats.balance')}
      icon={<IconCoins size={16} />}
      load={data.totalBalance}
      figure={(dollars) => <Money dollars={dollars} />}
    />
  </ul>
)
