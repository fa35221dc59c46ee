import { callFailed } from '@pool/contract/base/messages'
import { useMemo } from 'react'
import { messageOf } from '../../../api/http/errors.ts'
import { type AdminFigures as Figures, useAdminFigures } from '../../../api/reports/figures.ts'
import { t } from '../../../i18n/figures.ts'
import { beginning } from '../../../ui/chart/beginning.ts'
import { ChartCard } from '../../../ui/chart/ChartCard.tsx'
import type { Picture } from '../../../ui/chart/picture.ts'
import { dayPoints } from '../../../ui/chart/points.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import classes from './AdminFigures.module.css'

type Daily = Exclude<keyof Figures, 'onTheWay'>

const picturesOf = (data: Figures | undefined): { atWork?: Picture; flows?: Picture } => {
  if (!data) return {}
  const amounts = (name: Daily) => data[name].map(({ amount }) => amount)
  const start = beginning(amounts('atWork'), amounts('deposits'), amounts('withdrawals'))
  const points = dayPoints(data.atWork.slice(start).map(({ at }) => at))
  const valuesOf = (name: Daily) => amounts(name).slice(start)
  return {
    atWork: {
      shape: 'area',
      points,
      series: [{ label: t('atWork.series'), tone: 'accent', values: valuesOf('atWork') }],
    },
    flows: {
      shape: 'bars',
      points,
      series: [
        { label: t('deposits'), tone: 'accent', values: valuesOf('deposits') },
        { label: t('withdrawals'), tone: 'amber', values: valuesOf('withdrawals'), below: true },
      ],
    },
  }
}

/** Charts of principal at work, deposits and withdrawals by day. */
export const AdminFigures = () => {
  const { data, isError, error, isFetching, refetch } = useAdminFigures()
  const failed = isError && (
    <ErrorState
      message={messageOf(error, callFailed.dashboard)}
      retrying={isFetching}
      onRetry={() => void refetch()}
    />
  )
  const { atWork, flows } = useMemo(() => picturesOf(data), [data])
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
