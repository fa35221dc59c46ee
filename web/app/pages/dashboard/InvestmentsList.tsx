import { listInvestments } from '@pool/contract/money/investments'
import { useMemo } from 'react'
import { type InvestmentRow, investmentsOf } from '../../api/money/investments.ts'
import { t } from '../../i18n/dashboard.ts'
import { formatRate } from '../../i18n/format.ts'
import { statusChoice } from '../../i18n/named.ts'
import { StoryLink } from '../../panels/story/StoryLink.tsx'
import type { CsvColumn } from '../../tables/csv.ts'
import type { Column } from '../../tables/DataTable.tsx'
import { dollarsCell } from '../../tables/dollarsCell.ts'
import { filtersOf } from '../../tables/urlState.ts'
import { inLargestUnit } from '../../ui/age.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import { Money } from '../../ui/Money.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { useNow } from '../../ui/useNow.ts'
import { ListCard } from './ListCard.tsx'
import classes from './lists.module.css'

/** An id by its last characters; the first ones are alike. Paper shows the whole. */
const ShortId = ({ id }: { id: string }) => (
  <span className={classes.id} title={id}>
    <span className={classes.head}>{id.slice(0, -ID_END)}</span>
    {id.slice(-ID_END)}
  </span>
)
const ID_END = 8

/** The term and its rate: '12 days · 7%'. */
const planOf = ({ durationDays, rateBasisPoints }: InvestmentRow): string | null =>
  durationDays === null || rateBasisPoints === null
    ? null
    : t('investments.plan', { days: durationDays, rate: formatRate(rateBasisPoints) })

/** The money that goes in and comes back: '$3,000.00 → $3,210.00'. */
const Growth = ({
  amount,
  interest,
  borne,
}: {
  amount: number
  interest: number
  borne: number
}) => {
  const text = useDollarText()
  const back =
    (Math.round(amount * 100) - Math.round(borne * 100) + Math.round(interest * 100)) / 100
  return (
    <>
      {t('investments.grows', { principal: text(amount), back: text(back) })}
      {borne > 0 && (
        <span className={classes.note}>{t('investments.borne', { amount: text(borne) })}</span>
      )}
    </>
  )
}

const leftUntil = (maturity: Date, now: Date): string => {
  const distance = maturity.getTime() - now.getTime()
  if (distance <= 0) return t('investments.due')
  const { unit, count } = inLargestUnit(distance)
  return unit === 'second' ? t('investments.left.soon') : t(`investments.left.${unit}`, { count })
}

/** The elapsed part of a running term, as a bar and in words. */
const Progress = ({ from, until }: { from: Date; until: Date }) => {
  const now = useNow()
  const part = (now.getTime() - from.getTime()) / Math.max(1, until.getTime() - from.getTime())
  const percent = Math.round(100 * Math.min(1, Math.max(0, part)))
  return (
    <>
      <span className={classes.note}>{leftUntil(until, now)}</span>
      <span className={classes.progress} aria-hidden>
        <span style={{ inlineSize: `${percent}%` }} />
      </span>
    </>
  )
}

const Maturity = ({ maturityDate, maturityIsDay, createdAt, status }: InvestmentRow) => (
  <>
    <DateTime at={maturityDate} isDay={maturityIsDay} />
    {status === 'ACTIVE' && maturityDate && createdAt && (
      <Progress from={createdAt} until={maturityDate} />
    )}
  </>
)

const columns: readonly Column<InvestmentRow>[] = [
  {
    heading: t('investments.id'),
    cell: (investment) => (
      <>
        <StoryLink kind="investment" id={investment.id} label={investment.id}>
          <ShortId id={investment.id} />
        </StoryLink>
        <span className={classes.note}>{planOf(investment)}</span>
      </>
    ),
  },
  {
    heading: t('investments.maturity'),
    sort: 'maturityDate',
    cell: Maturity,
  },
  {
    heading: t('investments.return'),
    numeric: true,
    sort: 'interest',
    // Interest alone looks like a loss, so the principal stands beside it (docs/product.md 10.6).
    cell: ({ interest, amount, borne }) => (
      <>
        <Money dollars={interest} />
        {interest !== null && amount !== null && (
          <span className={classes.note}>
            <Growth amount={amount} interest={interest} borne={borne} />
          </span>
        )}
      </>
    ),
  },
  { heading: t('transactions.status'), cell: ({ status }) => <StatusBadge status={status} /> },
]

const csv: readonly CsvColumn<InvestmentRow>[] = [
  { heading: t('investments.id'), value: ({ id }) => id },
  { heading: t('csv.principal'), value: ({ amount }) => dollarsCell(amount) },
  { heading: t('csv.interest'), value: ({ interest }) => dollarsCell(interest) },
  { heading: t('csv.borne'), value: ({ borne }) => dollarsCell(borne) },
  { heading: t('transactions.status'), value: ({ status }) => status },
  { heading: t('investments.maturity'), value: ({ maturityDate }) => maturityDate },
  { heading: t('transactions.created'), value: ({ createdAt }) => createdAt },
  { heading: t('transactions.updated'), value: ({ updatedAt }) => updatedAt },
]

const filters = filtersOf(listInvestments.paged, {
  status: { label: t('transactions.status'), nameOf: statusChoice },
})

/** The investor's own investments (docs/product.md 3.5). */
export const InvestmentsList = ({ userId }: { userId: string }) => {
  const source = useMemo(() => investmentsOf(userId), [userId])
  return (
    <ListCard
      name="investments"
      title={t('investments')}
      search={t('investments.search')}
      source={source}
      columns={columns}
      csv={csv}
      filters={filters}
      empty={<EmptyState plain title={t('investments.empty')} text={t('investments.empty.text')} />}
    />
  )
}
