import { callFailed } from '@pool/contract/messages'
import { messageOf } from '../../api/errors.ts'
import { useUserFigures } from '../../api/figures.ts'
import { t } from '../../i18n/dashboard.ts'
import { ChartCard } from '../../ui/chart/ChartCard.tsx'
import { dayPoints, monthPoints } from '../../ui/chart/points.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'

/** The investor's figures over time. */
export const Glance = ({ userId }: { userId: string }) => {
  const { data, isError, error, isFetching, refetch } = useUserFigures(userId)
  const failed = isError && (
    <ErrorState message={messageOf(error, callFailed.dashboard)} retrying={isFetching} onRetry={() => void refetch()} />
  )
  const balances = data && {
    shape: 'area' as const,
    points: dayPoints(data.balances.map(({ at }) => at)),
    series: [{ label: t('glance.balance.series'), tone: 'accent' as const, values: data.balances.map(({ amount }) => amount) }],
  }
  const interest = data && {
    shape: 'bars' as const,
    points: monthPoints(data.interest.map(({ at }) => at)),
    series: [{ label: t('glance.interest.series'), tone: 'accent' as const, values: data.interest.map(({ amount }) => amount) }],
  }
  return (
    <>
      <ChartCard
        title={t('glance.balance')}
        heading={t('glance.day')}
        picture={balances}
        failed={failed}
        empty={<EmptyState title={t('glance.balance.empty')} text={t('glance.balance.empty.text')} />}
      />
      <ChartCard
        title={t('glance.interest')}
        heading={t('glance.month')}
        picture={interest}
        failed={failed}
        empty={<EmptyState title={t('glance.interest.empty')} text={t('glance.interest.empty.text')} />}
      />
    </>
  )
}
