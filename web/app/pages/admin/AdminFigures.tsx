import { callFailed } from '@pool/contract/messages'
import { messageOf } from '../../api/errors.ts'
import { useAdminFigures } from '../../api/figures.ts'
import { t } from '../../i18n/figures.ts'
import { ChartCard } from '../../ui/chart/ChartCard.tsx'
import { dayPoints } from '../../ui/chart/points.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import classes from './AdminFigures.module.css'

/** What came into the pool, what left it, and what was at work, day by day. */
export const AdminFigures = () => {
  const { data, isError, error, isFetching, refetch } = useAdminFigures()
  const failed = isError && (
    <ErrorState message={messageOf(error, callFailed.dashboard)} retrying={isFetching} onRetry={() => void refetch()} />
  )
  const points = data && dayPoints(data.atWork.map(({ at }) => at))
  const valuesOf = (name: 'atWork' | 'deposits' | 'withdrawals') => data?.[name].map(({ amount }) => amount) ?? []
  const atWork = points && {
    shape: 'area' as const,
    points,
    series: [{ label: t('atWork.series'), tone: 'accent' as const, values: valuesOf('atWork') }],
  }
  const flows = points && {
    shape: 'bars' as const,
    points,
    series: [
      { label: t('deposits'), tone: 'accent' as const, values: valuesOf('deposits') },
      { label: t('withdrawals'), tone: 'amber' as const, values: valuesOf('withdrawals'), below: true as const },
    ],
  }
  return (
    <div className={classes.figures}>
      <ChartCard
        title={t('atWork')}
        heading={t('day')}
        picture={atWork}
        failed={failed}
        empty={<EmptyState title={t('atWork.empty')} text={t('atWork.empty.text')} />}
      />
      <ChartCard
        title={t('flows')}
        heading={t('day')}
        picture={flows}
        failed={failed}
        empty={<EmptyState title={t('flows.empty')} text={t('flows.empty.text')} />}
      />
    </div>
  )
}
