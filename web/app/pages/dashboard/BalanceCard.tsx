import { Skeleton } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import { IconRefresh } from '@tabler/icons-react'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../api/http/errors.ts'
import { useUserFigures } from '../../api/reports/figures.ts'
import { invalidateMoney, useBalance } from '../../api/requests/transactions.ts'
import { t } from '../../i18n/dashboard.ts'
import { AsOf } from '../../ui/AsOf.tsx'
import { Money } from '../../ui/Money.tsx'
import { Rings } from '../../ui/Rings.tsx'
import classes from './BalanceCard.module.css'
import { TotalValue } from './TotalValue.tsx'

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

/** The spendable balance. A failed refresh keeps the last figure and says so. */
const Available = ({ userId }: { userId: string }) => {
  const { data, dataUpdatedAt, isError, error } = useBalance(userId)
  const failure = isError ? messageOf(error, callFailed.dashboard) : null
  return (
    <div className={classes.available} data-part="available">
      <h2 id="balance">{t('balance')}</h2>
      <div className={classes.amount} aria-live="polite">
        {data !== undefined && <Money dollars={data} />}
        {data === undefined && !failure && (
          <Skeleton height="0.9em" width="5em" className={classes.skeleton ?? ''} />
        )}
        {data === undefined && failure && <span className={classes.failed}>{failure}</span>}
      </div>
      <p className={classes.named}>{t('balance.available')}</p>
      <AsOf at={dataUpdatedAt} />
      {data !== undefined && failure && (
        <p className={classes.stale} role="alert">
          {failure}
        </p>
      )}
    </div>
  )
}

/** The money outside the balance, and what is not in the total yet. */
const Elsewhere = ({ userId }: { userId: string }): ReactNode => {
  const { data: figures } = useUserFigures(userId)
  const places = [
    { part: 'invested', dollars: figures?.invested },
    { part: 'held', dollars: figures?.held },
    { part: 'onTheWay', dollars: figures?.onTheWay },
    { part: 'interest', dollars: figures?.interestToCome },
    { part: 'depositsToCome', dollars: figures?.depositsToCome },
  ] as const
  return (
    <dl className={classes.figures}>
      {places.map(({ part, dollars }) => (
        <div key={part} data-part={part}>
          <dt>{t(`balance.${part}`)}</dt>
          <dd>{dollars === undefined || dollars === null ? '–' : <Money dollars={dollars} />}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The total value, and the places where it is: the spendable balance first. */
export const BalanceCard = ({ userId }: { userId: string }) => (
  <section className={classes.card} aria-labelledby="balance">
    <Rings className={classes.rings} />
    <Refresh />
    <TotalValue userId={userId} />
    <div className={classes.parts}>
      <Available userId={userId} />
      <Elsewhere userId={userId} />
    </div>
  </section>
)
