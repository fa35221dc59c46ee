import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useListPage } from '../../../api/http/lists.ts'
import { type LoanRow, loanList } from '../../../api/lending/loanList.ts'
import { named, t } from '../../../i18n/loanList.ts'
import { useShortcutsOn } from '../../../layout/shortcuts/shortcuts.ts'
import { useAsked } from '../../../layout/useAsked.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { Day } from '../../../panels/loans/Day.tsx'
import { LoanState } from '../../../panels/loans/LoanState.tsx'
import type { LoanTrail } from '../../../panels/loans/trail.ts'
import { draftedDialog } from '../../../session/drafts.ts'
import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import classes from '../../../tables/cells.module.css'
import { MISSING, Moment, Tag } from '../../../tables/cells.tsx'
import type { CsvColumn } from '../../../tables/csv.ts'
import type { Column } from '../../../tables/DataTable.tsx'
import { dollarsCell } from '../../../tables/dollarsCell.ts'
import { loanFilters } from '../../../tables/loans.ts'
import { PagedTable } from '../../../tables/PagedTable.tsx'
import { sortsOf, useListState } from '../../../tables/state.ts'
import { Money } from '../../../ui/Money.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import own from './LoansTab.module.css'
import { useRowKeys } from './useRowKeys.ts'

const LoanDialog = dialogOnDemand(
  async () => (await import('../../../panels/loans/LoanDialog.tsx')).LoanDialog,
)
const FilesDialog = dialogOnDemand(
  async () => (await import('../../../panels/loans/FilesDialog.tsx')).FilesDialog,
)
const BorrowerDialog = dialogOnDemand(
  async () => (await import('../../../panels/loans/BorrowerDialog.tsx')).BorrowerDialog,
)

const columnsWith = (trail: LoanTrail | null): readonly Column<LoanRow>[] => [
  {
    heading: t('borrower'),
    sort: 'borrower',
    cell: ({ id, borrower, relation }) => (
      <>
        <Link to={`/admin/loans/${id}`} state={trail} data-row={id} className={own.row}>
          {borrower}
        </Link>
        {relation !== 'none' && <p className={classes.aside}>{t('related')}</p>}
      </>
    ),
  },
  { heading: t('state'), cell: ({ status }) => <LoanState status={status} /> },
  {
    heading: t('pastDue'),
    numeric: true,
    sort: 'daysPastDue',
    cell: ({ daysPastDue, overdue }) =>
      daysPastDue === 0 ? (
        '0'
      ) : (
        <>
          <Tag tone={daysPastDue > 30 ? 'red' : 'amber'}>{t('days', { count: daysPastDue })}</Tag>
          <p className={classes.aside}>
            <Money dollars={overdue} />
          </p>
        </>
      ),
  },
  {
    heading: t('outstanding'),
    numeric: true,
    sort: 'outstanding',
    cell: ({ outstanding }) => <Money dollars={outstanding} />,
  },
  {
    heading: t('amount'),
    numeric: true,
    sort: 'amount',
    cell: ({ amount }) => <Money dollars={amount} />,
  },
  {
    heading: t('nextDue'),
    cell: ({ nextDueOn, nextDue }) =>
      nextDueOn === null ? (
        MISSING
      ) : (
        <>
          <Day on={nextDueOn} />
          <p className={classes.aside}>
            <Money dollars={nextDue} />
          </p>
        </>
      ),
  },
  {
    heading: t('lastUpdate'),
    cell: ({ lastUpdateAt, isSilent }) => {
      const said = lastUpdateAt ? <RelativeTime at={lastUpdateAt} /> : t('noUpdate')
      return isSilent ? (
        <span className={own.silent} title={t('updates.due')}>
          {said}
        </span>
      ) : (
        said
      )
    },
  },
  {
    heading: t('recorded'),
    sort: 'createdAt',
    cell: ({ recordedAt }) => <Moment at={recordedAt} />,
  },
]

const csv: readonly CsvColumn<LoanRow>[] = [
  { heading: t('csv.id'), value: ({ id }) => id },
  { heading: t('borrower'), value: ({ borrower }) => borrower },
  { heading: t('state'), value: ({ status }) => named('state', status) },
  { heading: t('pastDue'), value: ({ daysPastDue }) => String(daysPastDue) },
  { heading: t('csv.overdue'), value: ({ overdue }) => dollarsCell(overdue) },
  { heading: t('csv.outstanding'), value: ({ outstanding }) => dollarsCell(outstanding) },
  { heading: t('csv.amount'), value: ({ amount }) => dollarsCell(amount) },
  { heading: t('nextDue'), value: ({ nextDueOn }) => nextDueOn },
  { heading: t('csv.nextDue'), value: ({ nextDue }) => dollarsCell(nextDue) },
  { heading: t('csv.lastUpdate'), value: ({ lastUpdateAt }) => lastUpdateAt },
  { heading: t('csv.recorded'), value: ({ recordedAt }) => recordedAt },
]

const words = {
  title: t('title'),
  loading: t('loading'),
  failed: t('failed'),
  search: t('search'),
}

const Actions = () => {
  const mayWrite = useMayWrite()
  const navigate = useNavigate()
  // A dialog that the last session ended in opens again.
  const [drafted] = useState(draftedDialog(useSessionUser()?.id ?? ''))
  const [lending, setLending] = useState<boolean | null>(drafted === 'loan' || null)
  const [files, setFiles] = useState<boolean | null>(null)
  const [naming, setNaming] = useState<boolean | null>(drafted === 'borrower' || null)
  useAsked({ loan: () => setLending(true), borrower: () => setNaming(true) })
  return (
    <div className={own.actions} data-print="none">
      <Link to="/admin/borrowers">{t('borrowers')}</Link>
      <Button variant="default" onClick={() => setFiles(true)}>
        {t('files')}
      </Button>
      {mayWrite && (
        <>
          <Button variant="default" onClick={() => setNaming(true)}>
            {t('recordBorrower')}
          </Button>
          <Button onClick={() => setLending(true)}>{t('recordLoan')}</Button>
        </>
      )}
      {files !== null && <FilesDialog opened={files} onClose={() => setFiles(false)} />}
      {naming !== null && (
        <BorrowerDialog
          opened={naming}
          onClose={() => setNaming(false)}
          onDone={(id) => void navigate(`/admin/borrowers/${id}`)}
        />
      )}
      {lending !== null && (
        <LoanDialog
          borrowerId=""
          opened={lending}
          onClose={() => setLending(false)}
          onDone={(id) => void navigate(`/admin/loans/${id}`)}
        />
      )}
    </div>
  )
}

/** The loans, those that are most days past due first (docs/product.md 3.37). */
export const LoansTab = () => {
  const list = useRef<HTMLDivElement>(null)
  const { search } = useLocation()
  const state = useListState('loans', { sorts: sortsOf(columnsWith(null)), filters: loanFilters })
  const { query, size, place, before } = state
  // The page that the table shows.
  const { data, isPlaceholderData } = useListPage(loanList, {
    query,
    limit: size,
    cursor: place.cursor,
  })
  const page = isPlaceholderData ? undefined : data
  const ids = (page?.rows ?? []).map(({ id }) => id)
  const next = page?.next ?? null
  const turn = (step: 1 | -1): boolean => {
    if (step === -1 && place.cursor !== undefined) state.goBack()
    else if (step === 1 && next !== null) state.goOn(next, ids.length)
    else return false
    return true
  }
  useRowKeys({ list, isOn: useShortcutsOn(), ids, turn })
  const trail: LoanTrail = {
    ids,
    search,
    query,
    size,
    next,
    before,
    skipped: place.skipped,
    total: data?.total ?? 0,
  }
  return (
    <div ref={list}>
      <Actions />
      <PagedTable
        name="loans"
        source={loanList}
        columns={columnsWith(trail)}
        csv={csv}
        filters={loanFilters}
        words={words}
        empty={t('empty')}
        usualSort="daysPastDue"
      />
    </div>
  )
}
