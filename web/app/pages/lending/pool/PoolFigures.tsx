import { formatDollars } from '@pool/contract/base/money'
import { messageOf } from '../../../api/http/errors.ts'
import { type ShownPool, usePoolBook } from '../../../api/lending/poolBook.ts'
import { t as paidBy } from '../../../i18n/paidBy.ts'
import { t } from '../../../i18n/pool.ts'
import { onceIdle } from '../../../loading/onceIdle.ts'
import { onDemand } from '../../../loading/onDemand.tsx'
import { PaidBy } from '../../../panels/paidBy/PaidBy.tsx'
import { centsFromBorrowers } from '../../../panels/paidBy/paidBy.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Pauses } from './Pauses.tsx'
import classes from './Pool.module.css'
import { Facts, NONE, percentText, Section } from './parts.tsx'

const Below = onDemand(async () => {
  await new Promise<void>((resolve) => void onceIdle(resolve))
  return (await import('./Below.tsx')).Below
})

/** Answers a visitor first: who pays, for how long, coins and debts, loans and losses. */
const Six = ({ pool }: { readonly pool: ShownPool }) => {
  const { interest, liquidity, book, reserve, arrears, losses } = pool
  const borrowers = centsFromBorrowers(interest)
  return (
    <Facts
      large
      facts={[
        {
          name: t('six.payers'),
          value: interest.promised > 0 ? percentText(borrowers * 100) : NONE,
          note: t('six.payers.note', { operator: percentText(10_000 - borrowers * 100) }),
        },
        {
          name: t('six.runway'),
          value:
            interest.runwayDays === null
              ? NONE
              : t('liquidity.days', { days: interest.runwayDays }),
          note: t('six.runway.note', { free: formatDollars(reserve.free) }),
        },
        {
          name: t('liquidity.coins'),
          value: formatDollars(liquidity.coins),
          note: t('six.coins.note', { typed: formatDollars(liquidity.typed) }),
        },
        {
          name: t('six.owed'),
          value: formatDollars(liquidity.owedInAll),
          note: t('six.owed.note', { now: formatDollars(liquidity.owed) }),
        },
        {
          name: t('six.lent'),
          value: formatDollars(book.outstanding),
          note: t('six.lent.note', { lent: formatDollars(reserve.lent) }),
        },
        {
          name: t('six.late'),
          value: percentText(arrears.risk30),
          note: t('six.late.note', { borne: formatDollars(losses.borne) }),
        },
      ]}
    />
  )
}

/** All that everybody reads about the pool: six figures first, and the rest once they are drawn. */
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
          <Pauses />
          <Six pool={data} />
          <Section title={paidBy('title')}>
            <PaidBy pool={data} />
          </Section>
        </>
      )}
      {(data !== undefined || error) && <Below pool={data} />}
    </>
  )
}
