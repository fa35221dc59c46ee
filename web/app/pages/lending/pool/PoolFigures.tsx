import { messageOf } from '../../../api/http/errors.ts'
import { usePoolBook } from '../../../api/lending/poolBook.ts'
import { t } from '../../../i18n/pool.ts'
import { onceIdle } from '../../../loading/onceIdle.ts'
import { onDemand } from '../../../loading/onDemand.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Book } from './Book.tsx'
import classes from './Pool.module.css'

const Below = onDemand(async () => {
  await new Promise<void>((resolve) => void onceIdle(resolve))
  return (await import('./Below.tsx')).Below
})

/** All that everybody reads about the pool: the book first, and the rest once it is drawn. */
export const PoolFigures = () => {
  const { data, error, refetch, isFetching } = usePoolBook()
  return (
    <>
      {data === undefined && !error && (
        <p role="status" className={classes.rule}>
          {t('loading')}
        </p>
      )}
      {data === undefined && error && (
        <ErrorState
          message={messageOf(error, t('failed'))}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data === null && <EmptyState title={t('first')} text={t('first.text')} />}
      {data && (
        <>
          <p className={classes.at}>
            {t('at')} <DateTime at={data.at} />
          </p>
          <Book pool={data} />
        </>
      )}
      {(data !== undefined || error) && <Below pool={data} />}
    </>
  )
}
