import { listAllInvestments } from '@pool/contract/money/investments'
import { type RowEvent, readTimeline, rowEvents } from '@pool/contract/reports/timeline'
import { useMemo } from 'react'
import { investmentsOwnedBy, timelineOf, transactionsOf } from '../../../api/accounts/people.ts'
import type { InvestmentRow } from '../../../api/money/investments.ts'
import type { AuditRow } from '../../../api/records/audit.ts'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { capitalized } from '../../../i18n/format.ts'
import { statusChoice, typeName, typeTone } from '../../../i18n/named.ts'
import { t } from '../../../i18n/people.ts'
import { StoryLink } from '../../../panels/story/StoryLink.tsx'
import { Moment, Tag } from '../../../tables/cells.tsx'
import type { CsvColumn } from '../../../tables/csv.ts'
import type { Column } from '../../../tables/DataTable.tsx'
import { dollarsCell } from '../../../tables/dollarsCell.ts'
import { PagedTable } from '../../../tables/PagedTable.tsx'
import { transactionFilters } from '../../../tables/transactionFilters.ts'
import { filtersOf } from '../../../tables/urlState.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Money } from '../../../ui/Money.tsx'
import { StatusBadge } from '../../../ui/StatusBadge.tsx'
import { Change, Happened, Who } from '../../records/audit/cells.tsx'
import { TablePart } from './Part.tsx'

/** The name of the transactions in the URL, and their place on the page. */
export const TRANSACTIONS = 'transactions'

type Props = { readonly id: string }

const transactionColumns: readonly Column<TransactionRow>[] = [
  {
    heading: t('type'),
    cell: ({ id, type }) => (
      <StoryLink kind="transaction" id={id}>
        <Tag tone={typeTone(type)}>{capitalized(typeName(type))}</Tag>
      </StoryLink>
    ),
  },
  {
    heading: t('amount'),
    numeric: true,
    sort: 'amount',
    cell: ({ amount }) => <Money dollars={amount} />,
  },
  { heading: t('status'), cell: ({ status }) => <StatusBadge status={status} /> },
  { heading: t('date'), sort: 'createdAt', cell: ({ createdAt }) => <Moment at={createdAt} /> },
]

const transactionCsv: readonly CsvColumn<TransactionRow>[] = [
  { heading: t('id'), value: ({ id }) => id },
  { heading: t('type'), value: ({ type }) => type },
  { heading: t('amount'), value: ({ amount }) => dollarsCell(amount) },
  { heading: t('status'), value: ({ status }) => status },
  { heading: t('date'), value: ({ createdAt }) => createdAt },
]

export const Transactions = ({ id }: Props) => {
  const source = useMemo(() => transactionsOf(id), [id])
  return (
    <TablePart id={TRANSACTIONS} title={t('transactions')}>
      <PagedTable
        name={TRANSACTIONS}
        source={source}
        columns={transactionColumns}
        csv={transactionCsv}
        filters={transactionFilters}
        words={{
          title: t('transactions'),
          loading: t('transactions.loading'),
          failed: t('transactions.failed'),
          search: t('transactions.search'),
        }}
        empty={t('transactions.empty')}
      />
    </TablePart>
  )
}

const investmentColumns: readonly Column<InvestmentRow>[] = [
  {
    heading: t('principal'),
    numeric: true,
    sort: 'amount',
    cell: ({ id, amount }) => (
      <StoryLink kind="investment" id={id}>
        <Money dollars={amount} />
      </StoryLink>
    ),
  },
  {
    heading: t('interest'),
    numeric: true,
    sort: 'interest',
    cell: ({ interest }) => <Money dollars={interest} />,
  },
  { heading: t('status'), cell: ({ status }) => <StatusBadge status={status} /> },
  {
    heading: t('matures'),
    sort: 'maturityDate',
    cell: ({ maturityDate }) => <DateTime at={maturityDate} isDay />,
  },
]

const investmentCsv: readonly CsvColumn<InvestmentRow>[] = [
  { heading: t('id'), value: ({ id }) => id },
  { heading: t('principal'), value: ({ amount }) => dollarsCell(amount) },
  { heading: t('interest'), value: ({ interest }) => dollarsCell(interest) },
  { heading: t('status'), value: ({ status }) => status },
  { heading: t('date'), value: ({ createdAt }) => createdAt },
]

const investmentFilters = filtersOf(listAllInvestments.paged, {
  status: { label: t('status'), nameOf: statusChoice },
})

export const Investments = ({ id }: Props) => {
  const source = useMemo(() => investmentsOwnedBy(id), [id])
  return (
    <TablePart id="investments" title={t('investments')}>
      <PagedTable
        name="investments"
        source={source}
        columns={investmentColumns}
        csv={investmentCsv}
        filters={investmentFilters}
        words={{
          title: t('investments'),
          loading: t('investments.loading'),
          failed: t('investments.failed'),
          search: t('investments.search'),
        }}
        empty={t('investments.empty')}
      />
    </TablePart>
  )
}

const rowNames = {
  'deposit.asked': t('event.deposit.asked'),
  'withdrawal.asked': t('event.withdrawal.asked'),
  'investment.opened': t('event.investment.opened'),
  'investment.matured': t('event.investment.matured'),
  'loss.borne': t('event.loss.borne'),
  'loss.returned': t('event.loss.returned'),
} as const satisfies Readonly<Record<RowEvent, string>>

const namedRow = (action: string) => {
  const row = Object.values(rowEvents).find(({ event }) => event === action)
  return row && { tone: row.tone, text: rowNames[row.event] }
}

const timelineColumns: readonly Column<AuditRow>[] = [
  { heading: t('when'), sort: 'createdAt', cell: ({ at }) => <Moment at={at} /> },
  {
    heading: t('what'),
    cell: (entry) => <Happened entry={entry} named={namedRow(entry.action)} />,
  },
  { heading: t('who'), cell: (entry) => <Who entry={entry} /> },
  { heading: t('changed'), cell: (entry) => <Change entry={entry} /> },
]

const timelineCsv: readonly CsvColumn<AuditRow>[] = [
  { heading: t('when'), value: ({ at }) => at },
  { heading: t('what'), value: ({ action }) => action },
  { heading: t('who'), value: ({ actor }) => actor },
  { heading: t('id'), value: ({ subjectId }) => subjectId },
  { heading: t('reason'), value: ({ reason }) => reason },
]

const timelineFilters = filtersOf(readTimeline.paged, {
  by: { label: t('timeline.by'), nameOf: () => t('timeline.by.staff') },
})

/** Lists what happened to a person, as far as the reader may see it. */
export const Timeline = ({ id }: Props) => {
  const source = useMemo(() => timelineOf(id), [id])
  return (
    <TablePart id="timeline" title={t('timeline')}>
      <PagedTable
        name="timeline"
        source={source}
        columns={timelineColumns}
        csv={timelineCsv}
        filters={timelineFilters}
        words={{
          title: t('timeline'),
          loading: t('timeline.loading'),
          failed: t('timeline.failed'),
          search: t('timeline.search'),
        }}
        empty={t('timeline.empty')}
      />
    </TablePart>
  )
}
