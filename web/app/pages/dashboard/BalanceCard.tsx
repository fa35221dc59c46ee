import { Skeleton } from '@mantine/core'
import { callFailed } from '@pool/contract/messages'
import { IconRefresh } from '@tabler/icons-react'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useUserFigures } from '../../api/figures.ts'
import { messageOf } from '../../api/http/errors.ts'
import { invalidateMoney, useBalance } from '../../api/transactions.ts'
import { t } from '../../i18n/dashboard.ts'
import { Money } from '../../ui/Money.tsx'
import { Rings } from '../../ui/Rings.tsx'
import classes from './BalanceCard.module.css'

type Figure = { readonly label: string; readonly dollars: number | null | undefined }

const Figures = ({ figures }: { figures: readonly Figure[] }) => (
  <dl className={classes.figures}>
    {figures.map(({ label, dollars }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{dollars === undefined || dollars === null ? '–' : <Money dollars={dollars} />}</dd>
      </div>
    ))}
  </dl>
)

const Refresh = () => {
  const client = useQueryClient()
  const refreshing = useIsFetching() > 0
  return (
    <button
      type="button"
      className={classes.refresh}
      aria-busy={refreshing}
      onClick={() => void invalidateMoney(client)}
    >
      <IconRefresh size={17} aria-hidden />
      {t('balance.refresh')}
    </button>
  )
}

/** The spendable balance, and the money outside it. */
export const BalanceCard = ({ userId }: { userId: string }) => {
  const balance = useBalance(userId)
  const { data: figures } = useUserFigures(userId)
  const elsewhere = [
    { label: t('balance.invested'), dollars: figures?.invested },
    { label: t('balance.interest'), dollars: figures?.interestToCome },
    { label: t('balance.held'), dollars: figures?.held },
  ]
  const failure = balance.isError ? messageOf(balance.error, callFailed.dashboard) : null
  return (
    <section className={classes.card} aria-labelledby="balance">
      <Rings className={classes.rings} />
      <div className={classes.top}>
        <h2 id="balance" className={classes.title}>
          {t('balance')}
        </h2>
        <Refresh />
      </div>
      <div className={classes.amount} aria-live="polite">
        {balance.data !== undefined && <Money dollars={balance.data} />}
        {balance.data === undefined && !balance.isError && (
          <Skeleton height="0.9em" width="5em" className={classes.skeleton ?? ''} />
        )}
        {balance.data === undefined && failure && <span className={classes.failed}>{failure}</span>}
      </div>
      {balance.data !== undefined && failure && (
        <p className={classes.stale} role="alert">
          {failure}
        </p>
      )}
      <Figures figures={elsewhere} />
    </section>
  )
}
