import { callFailed } from '@pool/contract/base/messages'
import { type ReactNode, useMemo, useState } from 'react'
import { messageOf } from '../../api/http/errors.ts'
import { type Figure, type UserFigures, useUserFigures } from '../../api/reports/figures.ts'
import { t } from '../../i18n/dashboard.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import { ChartCard } from '../../ui/chart/ChartCard.tsx'
import type { Picture } from '../../ui/chart/picture.ts'
import { dayPoints, monthPoints } from '../../ui/chart/points.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Choice } from './Choice.tsx'
import { UpcomingMaturities } from './UpcomingMaturities.tsx'
import classes from './UserDashboard.module.css'
import { type Period, periodsFor, valueOverTime } from './valueOverTime.ts'

const FirstSteps = onDemand(async () => (await import('./FirstSteps.tsx')).FirstSteps)

const pictureOf = (
  label: string,
  figures: readonly Figure[],
  { shape, points }: Pick<Picture, 'shape' | 'points'>,
): Picture => ({
  shape,
  points,
  series: [{ label, tone: 'accent', values: figures.map(({ amount }) => amount) }],
})

const valuePicture = ({ totals }: UserFigures, period: Period): Picture => {
  const figures = valueOverTime(totals, period)
  const points = dayPoints(figures.map(({ at }) => at))
  return pictureOf(t('total'), figures, { shape: 'area', points })
}

/** Months before the one of the first deposit are left out. */
const interestPicture = ({ totals, interest }: UserFigures): Picture => {
  const first = totals[0]?.at.toISOString().slice(0, 7) ?? ''
  const figures = interest.filter(({ at }) => at.toISOString().slice(0, 7) >= first)
  const points = monthPoints(figures.map(({ at }) => at))
  return pictureOf(t('glance.interest.series'), figures, { shape: 'bars', points })
}

/** The total value by day, for a period of the investor's choice. */
const ValueChart = ({ data, failed }: { data: UserFigures | undefined; failed: ReactNode }) => {
  const [period, setPeriod] = useState<Period>('quarter')
  const picture = useMemo(() => data && valuePicture(data, period), [data, period])
  const offered = periodsFor(data?.totals ?? [])
  return (
    <ChartCard
      title={t('glance.total')}
      heading={t('glance.day')}
      picture={picture}
      failed={failed}
      choice={
        offered.length > 0 && (
          <Choice
            label={t('glance.period')}
            options={offered.map((name) => ({ name, label: t(`glance.period.${name}`) }))}
            chosen={period}
            onChoose={setPeriod}
          />
        )
      }
    />
  )
}

type Props = {
  readonly userId: string
  readonly onDeposit: () => void
  readonly onInvest: () => void
}

/** The investor's figures over time and the next maturities, or the first steps. */
export const Glance = ({ userId, onDeposit, onInvest }: Props) => {
  const { data, isError, error, isFetching, refetch } = useUserFigures(userId)
  const interest = useMemo(() => data && interestPicture(data), [data])
  const hasDeposited = data !== undefined && data.totals.length > 0
  const hasInvested =
    data && ((data.invested ?? 0) > 0 || data.interest.some(({ amount }) => amount > 0))
  const steps = hasInvested === false && (
    <div className={classes.steps}>
      <FirstSteps hasDeposited={hasDeposited} onDeposit={onDeposit} onInvest={onInvest} />
    </div>
  )
  if (steps && !hasDeposited) return steps
  const failed = isError && (
    <ErrorState
      message={messageOf(error, callFailed.dashboard)}
      retrying={isFetching}
      onRetry={() => void refetch()}
    />
  )
  return (
    <div className={classes.glance}>
      <ValueChart data={data} failed={failed} />
      {steps || (
        <ChartCard
          title={t('glance.interest')}
          heading={t('glance.month')}
          picture={interest}
          failed={failed}
          empty={
            <EmptyState title={t('glance.interest.empty')} text={t('glance.interest.empty.text')} />
          }
        />
      )}
      <UpcomingMaturities userId={userId} />
    </div>
  )
}
