import { messageOf } from '../../api/http/errors.ts'
import { usePoolBook } from '../../api/poolBook.ts'
import { t } from '../../i18n/pool.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Loans } from './Loans.tsx'
import { Money } from './Money.tsx'
import classes from './Pool.module.css'
import { Section } from './parts.tsx'
import { Tapes } from './Tapes.tsx'
import { Trust } from './Trust.tsx'

const Returns = () => (
  <Section title={t('returns')}>
    <ol className={classes.steps}>
      {(['1', '2', '3', '4'] as const).map((step) => (
        <li key={step}>{t(`returns.${step}`)}</li>
      ))}
    </ol>
  </Section>
)

const Counted = () => {
  const { data, error, refetch, isFetching } = usePoolBook()
  if (error && !data)
    return (
      <ErrorState
        message={messageOf(error, t('failed'))}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  if (data === undefined)
    return (
      <p role="status" className={classes.rule}>
        {t('loading')}
      </p>
    )
  if (data === null) return <EmptyState title={t('first')} text={t('first.text')} />
  return (
    <>
      <p className={classes.at}>
        {t('at')} <DateTime at={data.at} />
      </p>
      <Loans pool={data} />
      <Money pool={data} />
      <Trust trust={data.trust} />
    </>
  )
}

/** All that everybody reads about the pool. */
export const PoolFigures = () => (
  <>
    <Counted />
    <Returns />
    <Tapes />
  </>
)
