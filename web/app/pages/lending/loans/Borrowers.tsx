import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { borrowerList, type ShownBorrower } from '../../../api/lending/borrowers.ts'
import { t as list } from '../../../i18n/loanList.ts'
import { named, t } from '../../../i18n/loans.ts'
import { titleOf } from '../../../layout/map.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { type SessionUser, useMayWrite, useSessionUser } from '../../../session/store.ts'
import cells from '../../../tables/cells.module.css'
import { Moment, Tag } from '../../../tables/cells.tsx'
import type { CsvColumn } from '../../../tables/csv.ts'
import type { Column } from '../../../tables/DataTable.tsx'
import { dollarsCell } from '../../../tables/dollarsCell.ts'
import { PagedTable } from '../../../tables/PagedTable.tsx'
import { Money } from '../../../ui/Money.tsx'
import classes from './OneLoan.module.css'

const BorrowerDialog = dialogOnDemand(
  async () => (await import('../../../panels/loans/BorrowerDialog.tsx')).BorrowerDialog,
)

const columns: readonly Column<ShownBorrower>[] = [
  {
    heading: t('borrowers.name'),
    sort: 'name',
    cell: ({ id, name, kind, country, relation }) => (
      <>
        <Link to={`/admin/borrowers/${id}`} className={classes.record}>
          {name}
        </Link>
        <p className={cells.aside}>
          {named('kind', kind)} · {country}
        </p>
        {relation !== 'none' && <Tag tone="purple">{named('relation', relation)}</Tag>}
      </>
    ),
  },
  { heading: t('borrowers.grade'), cell: ({ grade }) => <Tag tone="blue">{grade}</Tag> },
  { heading: t('borrowers.loans'), numeric: true, cell: ({ loans }) => String(loans) },
  {
    heading: list('outstanding'),
    numeric: true,
    cell: ({ outstanding }) => <Money dollars={outstanding} />,
  },
  {
    heading: t('borrowers.recorded'),
    sort: 'createdAt',
    cell: ({ recordedAt }) => <Moment at={recordedAt} />,
  },
]

const csv: readonly CsvColumn<ShownBorrower>[] = [
  { heading: t('borrowers.csv.id'), value: ({ id }) => id },
  { heading: t('borrowers.name'), value: ({ name }) => name },
  { heading: t('borrower.kind'), value: ({ kind }) => named('kind', kind) },
  { heading: t('country'), value: ({ country }) => country },
  { heading: t('borrower.relation'), value: ({ relation }) => named('relation', relation) },
  { heading: t('borrowers.grade'), value: ({ grade }) => grade },
  { heading: t('borrower.gradeReason'), value: ({ gradeReason }) => gradeReason },
  { heading: t('borrowers.loans'), value: ({ loans }) => String(loans) },
  {
    heading: t('borrowers.csv.outstanding'),
    value: ({ outstanding }) => dollarsCell(outstanding),
  },
  { heading: t('borrowers.recorded'), value: ({ recordedAt }) => recordedAt },
]

const words = {
  title: t('borrowers'),
  loading: t('borrowers.loading'),
  failed: t('borrowers.failed'),
  search: t('borrowers.search'),
}

const Screen = ({ user }: { readonly user: SessionUser }) => {
  const [naming, setNaming] = useState<boolean | null>(null)
  const navigate = useNavigate()
  const mayWrite = useMayWrite()
  return (
    <StaffPage user={user} page="borrowers" text={t('borrowers.text')}>
      <nav className={classes.trail} aria-label={t('trail')} data-print="none">
        <Link to="/admin?tab=loans">{t('back')}</Link>
        {mayWrite && (
          <Button variant="default" size="sm" ml="auto" onClick={() => setNaming(true)}>
            {t('borrower.title')}
          </Button>
        )}
      </nav>
      <div className={classes.card}>
        <PagedTable
          name="borrowers"
          source={borrowerList}
          columns={columns}
          csv={csv}
          filters={[]}
          words={words}
          empty={t('borrowers.empty')}
        />
      </div>
      {naming !== null && (
        <BorrowerDialog
          opened={naming}
          onClose={() => setNaming(false)}
          onDone={(id) => void navigate(`/admin/borrowers/${id}`)}
        />
      )}
    </StaffPage>
  )
}

export const meta = () => [{ title: titleOf('borrowers') }]

/** The people and companies that the pool lends to, for staff (docs/product.md 3.37). */
export default function Borrowers() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} /> : null
}
