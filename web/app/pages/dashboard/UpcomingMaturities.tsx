import { Skeleton } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import { messageOf } from '../../api/http/errors.ts'
import { type InvestmentRow, UPCOMING, useUpcomingMaturities } from '../../api/money/investments.ts'
import { t } from '../../i18n/dashboard.ts'
import { StoryLink } from '../../panels/story/StoryLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Money } from '../../ui/Money.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import classes from './UpcomingMaturities.module.css'

/** The principal without its part of shared losses. Adds dollars as cents. */
const left = ({ amount, borne }: InvestmentRow): number | null =>
  amount === null ? null : (Math.round(amount * 100) - Math.round(borne * 100)) / 100

const returned = (investment: InvestmentRow): number | null => {
  const [principal, { interest }] = [left(investment), investment]
  return principal === null || interest === null
    ? null
    : (Math.round(principal * 100) + Math.round(interest * 100)) / 100
}

/** The sum of the interest, where the rows leave room. */
const InAll = ({ rows }: { rows: readonly InvestmentRow[] }) =>
  rows.length < UPCOMING && (
    <p className={classes.all}>
      <span>{t('upcoming.interest')}</span>
      <Money
        dollars={
          rows.reduce((cents, { interest }) => cents + Math.round((interest ?? 0) * 100), 0) / 100
        }
      />
    </p>
  )

const Maturity = ({ investment }: { investment: InvestmentRow }) => (
  <li className={classes.maturity}>
    <span className={classes.when}>
      <StoryLink kind="investment" id={investment.id}>
        {investment.maturityDate ? (
          <RelativeTime at={investment.maturityDate} />
        ) : (
          t('upcoming.unknown')
        )}
      </StoryLink>
    </span>
    <span className={classes.back}>
      <Money dollars={returned(investment)} />
    </span>
    <span className={classes.principal}>{t('upcoming.from')}</span>
    <span className={classes.principal}>
      <Money dollars={left(investment)} />
    </span>
  </li>
)

/** The active investments that mature next, with their payouts. */
export const UpcomingMaturities = ({ userId }: { userId: string }) => {
  const { data, isError, error, isFetching, refetch } = useUpcomingMaturities(userId)
  return (
    <section className={classes.card} aria-labelledby="upcoming">
      <h2 id="upcoming" className={classes.title}>
        {t('upcoming')}
      </h2>
      <div className={classes.body}>
        {isError && !data && (
          <ErrorState
            message={messageOf(error, callFailed.dashboard)}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        )}
        {!isError && !data && <Skeleton height="100%" radius="sm" />}
        {data?.length === 0 && (
          <EmptyState title={t('upcoming.empty')} text={t('upcoming.empty.text')} />
        )}
        {data && data.length > 0 && (
          <>
            <ul className={classes.list}>
              {data.map((investment) => (
                <Maturity key={investment.id} investment={investment} />
              ))}
            </ul>
            <InAll rows={data} />
          </>
        )}
      </div>
    </section>
  )
}
