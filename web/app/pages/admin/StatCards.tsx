import { Skeleton } from '@mantine/core'
import { IconChartLine, IconClock, IconCoins, IconUsers, IconWallet } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTotalBalance } from '../../api/transactions.ts'
import { t } from '../../i18n/admin.ts'
import { locale } from '../../i18n/language.ts'
import { Money } from '../../ui/Money.tsx'
import classes from './AdminDashboard.module.css'
import { useTotals } from './totals.ts'

type Load<Data> = { readonly data: Data | undefined; readonly isPending: boolean }
type Stat<Data> = {
  readonly label: string
  readonly icon: ReactNode
  readonly load: Load<Data>
  readonly figure: (data: Data) => ReactNode
  readonly note?: string
}

/** One figure; a dash and a note while it is unknown. */
const StatCard = <Data,>({ label, icon, load, figure, note }: Stat<Data>) => {
  const loading = load.isPending && !note
  const known = load.data !== undefined
  return (
    <li className={`${classes.card} ${classes.stat}`}>
      <div className={classes.about}>
        <span>{label}</span>
        <span className={classes.icon} aria-hidden>
          {icon}
        </span>
      </div>
      <Skeleton visible={loading} className={classes.known ?? ''}>
        <div className={classes.figure}>{known ? figure(load.data) : '—'}</div>
      </Skeleton>
      {!known && !loading && <p className={classes.note}>{note ?? t('stats.failed')}</p>}
    </li>
  )
}

const countOf = (count: number): string => count.toLocaleString(locale())

/** The five stat cards (docs/product.md 3.10). */
export const StatCards = ({ seesUsers }: { seesUsers: boolean }) => (
  <ul className={`${classes.grid} ${classes.stats}`} aria-label={t('stats')}>
    <StatCard
      label={t('stats.users')}
      icon={<IconUsers size={16} />}
      load={useTotals.users({ enabled: seesUsers })}
      figure={countOf}
      {...(seesUsers ? {} : { note: t('stats.superAdminsOnly') })}
    />
    <StatCard
      label={t('stats.pendingTransactions')}
      icon={<IconClock size={16} />}
      load={useTotals.pendingTransactions()}
      figure={countOf}
    />
    <StatCard
      label={t('stats.pendingInvestments')}
      icon={<IconChartLine size={16} />}
      load={useTotals.pendingInvestments()}
      figure={countOf}
    />
    <StatCard
      label={t('stats.wallets')}
      icon={<IconWallet size={16} />}
      load={useTotals.wallets()}
      figure={countOf}
    />
    <StatCard
      label={t('stats.balance')}
      icon={<IconCoins size={16} />}
      load={useTotalBalance()}
      figure={(dollars) => <Money dollars={dollars} />}
    />
  </ul>
)
