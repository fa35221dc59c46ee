import { Skeleton } from '@mantine/core'
import { IconChartLine, IconClock, IconCoins, IconUsers, IconWallet } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useTotalBalance } from '../../../api/requests/transactions.ts'
import { t } from '../../../i18n/admin.ts'
import { locale } from '../../../i18n/language.ts'
import { AsOf } from '../../../ui/AsOf.tsx'
import { Money } from '../../../ui/Money.tsx'
import { showTabs, useTabLink } from '../tabs/tabs.ts'
import { useTotals } from '../tabs/totals.ts'
import classes from './StatCards.module.css'

type Load<Data> = {
  readonly data: Data | undefined
  readonly dataUpdatedAt: number
  readonly isPending: boolean
}
type Stat<Data> = {
  readonly label: string
  readonly icon: ReactNode
  /** The query of this card alone, so that its news draw no other one. */
  readonly useLoad: () => Load<Data>
  readonly figure: (data: Data) => ReactNode
  readonly note?: string
  /** Leads to the rows that the figure counts. */
  readonly to?: LinkTo
}

type LinkTo = ReturnType<ReturnType<typeof useTabLink>>

/** One figure; a dash and a note while it is unknown. */
const StatCard = <Data,>({ label, icon, useLoad, figure, note, to }: Stat<Data>) => {
  const load = useLoad()
  const loading = load.isPending && !note
  const known = load.data !== undefined
  return (
    <li className={classes.stat}>
      <div className={classes.about}>
        {to ? (
          <Link to={to} className={classes.counts} preventScrollReset onClick={showTabs}>
            {label}
          </Link>
        ) : (
          <span>{label}</span>
        )}
        <span className={classes.icon} aria-hidden>
          {icon}
        </span>
      </div>
      <Skeleton visible={loading} className={classes.known ?? ''}>
        <div className={classes.figure}>{known ? figure(load.data) : '—'}</div>
      </Skeleton>
      {known && <AsOf at={load.dataUpdatedAt} />}
      {!known && !loading && <p className={classes.note}>{note ?? t('stats.failed')}</p>}
    </li>
  )
}

const useNoUsers = () => useTotals.users({}, { enabled: false })

const countOf = (count: number): string => count.toLocaleString(locale())

/** The five stat cards (docs/product.md 3.10). Each leads to what it counts. */
export const StatCards = ({ seesUsers }: { seesUsers: boolean }) => {
  const linkTo = useTabLink()
  const pending = { status: 'PENDING' }
  return (
    <ul className={classes.stats} aria-label={t('stats')}>
      <StatCard
        label={t('stats.users')}
        icon={<IconUsers size={16} />}
        useLoad={seesUsers ? useTotals.users : useNoUsers}
        figure={countOf}
        {...(seesUsers ? { to: linkTo('users') } : { note: t('stats.superAdminsOnly') })}
      />
      <StatCard
        label={t('stats.pendingTransactions')}
        icon={<IconClock size={16} />}
        useLoad={useTotals.pendingTransactions}
        figure={countOf}
        to={linkTo('transactions', pending)}
      />
      <StatCard
        label={t('stats.pendingInvestments')}
        icon={<IconChartLine size={16} />}
        useLoad={useTotals.pendingInvestments}
        figure={countOf}
        to={linkTo('investments', pending)}
      />
      <StatCard
        label={t('stats.wallets')}
        icon={<IconWallet size={16} />}
        useLoad={useTotals.wallets}
        figure={countOf}
        to={linkTo('wallets')}
      />
      <StatCard
        label={t('stats.balance')}
        icon={<IconCoins size={16} />}
        useLoad={useTotalBalance}
        figure={(dollars) => <Money dollars={dollars} />}
        to={seesUsers ? linkTo('users') : linkTo('transactions')}
      />
    </ul>
  )
}
