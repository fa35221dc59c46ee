import { callFailed } from '@pool/contract/messages'
import { useMemo } from 'react'
import { type UserFigures, useUserFigures } from '../../api/figures.ts'
import { messageOf } from '../../api/http/errors.ts'
import { t } from '../../i18n/dashboard.ts'
import { ChartCard } from '../../ui/chart/ChartCard.tsx'
import type { Picture } from '../../ui/chart/picture.ts'
import { dayPoints, monthPoints } from '../../ui/chart/points.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'

const picturesOf = (data: UserFigures | undefined): { balances?: Picture; interest?: Picture } =>
  data
    ? {
        balances: {
          shape: 'area',
          points: dayPoints(data.balances.map(({ at }) => at)),
          series: [
            {
              label: t('glance.balance.series'),
              tone: 'accent',
              values: data.balances.map(({ amount }) => amount),
            },
          ],
        },
        interest: {
          shape: 'bars',
          points: monthPoints(data.interest.map(({ at }) => at)),
          series: [
            {
              label: t('glance.interest.series'),
              tone: 'accent',
              values: data.interest.map(({ amount }) => amount),
            },
          ],
        },
      }
    : {}

/** The investor's figures over time. */
export const Glance = ({ userId }: { userId: string }) => {
  const { data, isError, error, isFetching, refetch } = useUserFigures(userId)
  const failed = isError && (
    <ErrorState
      message={messageOf(error, callFailed.dashboard)}
      retrying={isFetching}
      onRetry={() => void refetch()}
    />
  )
  const { balances, interest } = useMemo(() => picturesOf(data), [data])
  return (
    <>
      <ChartCard
        title={t('glance.balance')}
        heading={t('glance.day')}
        picture={balances}
        failed={failed}
        empty={
          <EmptyState title={t('glance.balance.empty')} text={t('glance.balance.empty.text')} />
        }
      />
      <ChartCard
        title={t('glance.interest')}
        heading={t('glance.month')}
        picture={interest}
        failed={failed}
        empty={
          <EmptyState title={t('glance.interest.empty')} text={t('glance.interest.empty.text')} />
        }
      />
    </>
  )
}
