import { Button, Group } from '@mantine/core'
import { allInvestments, type InvestmentRow } from '../../../api/money/investments.ts'
import { t } from '../../../i18n/admin.ts'
import { StoryLink } from '../../../panels/story/StoryLink.tsx'
import { useMayWrite } from '../../../session/store.ts'
import classes from '../../../tables/cells.module.css'
import { Moment, Person } from '../../../tables/cells.tsx'
import type { CsvColumn } from '../../../tables/csv.ts'
import type { Column } from '../../../tables/DataTable.tsx'
import { dollarsCell } from '../../../tables/dollarsCell.ts'
import { PagedTable } from '../../../tables/PagedTable.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'
import { Money } from '../../../ui/Money.tsx'
import { PersonLink } from '../../../ui/PersonLink.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { filters } from '../tabs/tabs.ts'
import type { LocalDecisions } from './useLocalDecisions.ts'

const InterestOn = ({ principal, days }: { principal: number; days: number | null }) => {
  const on = t('investments.interestOn', { principal: useDollarText()(principal) })
  return days === null ? on : `${on}, ${t('investments.days', { count: days })}`
}

const ViewOnly = () => <p className={classes.aside}>{t('investments.viewOnly')}</p>

const Actions = ({
  investment,
  decisions,
}: {
  investment: InvestmentRow
  decisions: LocalDecisions
}) => {
  if (investment.status !== 'PENDING' || decisions.of(investment.id)) return null
  return (
    <>
      <Group gap="xs">
        <Button size="xs" onClick={() => decisions.decide(investment.id, 'APPROVED')}>
          {t('investments.approve')}
        </Button>
        <Button
          size="xs"
          color="red"
          variant="light"
          onClick={() => decisions.decide(investment.id, 'REJECTED')}
        >
          {t('investments.reject')}
        </Button>
      </Group>
      <ViewOnly />
    </>
  )
}

const columnsWith = (decisions: LocalDecisions): readonly Column<InvestmentRow>[] => [
  {
    heading: t('investments.user'),
    cell: ({ userId, userName, userEmail }) => (
      <PersonLink id={userId}>
        <Person name={userName} email={userEmail} />
      </PersonLink>
    ),
  },
  {
    heading: t('investments.payout'),
    numeric: true,
    sort: 'interest',
    cell: ({ interest, amount, durationDays }) => (
      <>
        <Money dollars={interest} />
        {amount !== null && (
          <p className={classes.aside}>
            <InterestOn principal={amount} days={durationDays} />
          </p>
        )}
      </>
    ),
  },
  {
    heading: t('investments.status'),
    cell: ({ id, status }) => {
      const decision = decisions.of(id)
      return (
        <>
          <StoryLink kind="investment" id={id}>
            <StatusBadge status={decision ?? status} />
          </StoryLink>
          {decision && <ViewOnly />}
        </>
      )
    },
  },
  {
    heading: t('investments.date'),
    sort: 'createdAt',
    cell: ({ createdAt, maturityDate, maturityIsDay }) => (
      <>
        <Moment at={createdAt} />
        {maturityDate && (
          <p className={classes.aside}>
            {t('investments.matures')} <DateTime at={maturityDate} isDay={maturityIsDay} />
          </p>
        )}
      </>
    ),
  },
]

const csv: readonly CsvColumn<InvestmentRow>[] = [
  { heading: t('csv.id'), value: ({ id }) => id },
  { heading: t('transactions.userId'), value: ({ userId }) => userId },
  { heading: t('csv.username'), value: ({ userName }) => userName },
  { heading: t('csv.email'), value: ({ userEmail }) => userEmail },
  { heading: t('csv.principal'), value: ({ amount }) => dollarsCell(amount) },
  { heading: t('csv.payout'), value: ({ interest }) => dollarsCell(interest) },
  { heading: t('investments.status'), value: ({ status }) => status },
  // Calendar days keep their date in every time zone.
  {
    heading: t('csv.maturity'),
    value: ({ maturityDate }) => maturityDate?.toISOString().slice(0, 10) ?? null,
  },
  { heading: t('csv.created'), value: ({ createdAt }) => createdAt },
  { heading: t('csv.updated'), value: ({ updatedAt }) => updatedAt },
]

const words = {
  title: t('investments'),
  loading: t('investments.loading'),
  failed: t('investments.failed'),
  search: t('investments.search'),
}

/**
 * All investments (docs/product.md 3.12). PENDING ones can be decided in this view only
 * (docs/product.md 3.14).
 */
export const InvestmentsTable = ({ decisions }: { decisions: LocalDecisions }) => {
  const mayWrite = useMayWrite()
  const actions: Column<InvestmentRow> = {
    heading: t('transactions.actions'),
    cell: (investment) => <Actions investment={investment} decisions={decisions} />,
  }
  const columns = (rows: readonly InvestmentRow[]) =>
    mayWrite && rows.some(({ status }) => status === 'PENDING')
      ? [...columnsWith(decisions), actions]
      : columnsWith(decisions)
  return (
    <PagedTable
      name="investments"
      source={allInvestments}
      columns={columns}
      csv={csv}
      filters={filters.investments}
      words={words}
      empty={t('investments.empty')}
    />
  )
}
