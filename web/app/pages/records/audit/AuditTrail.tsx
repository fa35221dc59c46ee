import type { Role } from '@pool/contract/accounts/users'
import { proposalKinds } from '@pool/contract/agreements/proposals'
import {
  agreementsFor,
  auditActions,
  auditActionsFor,
  listAudit,
} from '@pool/contract/reports/audit'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type AuditRow, auditList } from '../../../api/records/audit.ts'
import { t } from '../../../i18n/audit.ts'
import { common } from '../../../i18n/common.ts'
import { t as name } from '../../../i18n/map.ts'
import { anyProposal } from '../../../i18n/proposals.ts'
import { titleOf } from '../../../layout/map.ts'
import { focusSearch, type Shortcut } from '../../../layout/shortcuts/shortcuts.ts'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { type SessionUser, seesAccounts, useSessionUser } from '../../../session/store.ts'
import { Moment } from '../../../tables/cells.tsx'
import type { CsvColumn } from '../../../tables/csv.ts'
import type { Column } from '../../../tables/DataTable.tsx'
import { PagedTable } from '../../../tables/PagedTable.tsx'
import { filtersOf } from '../../../tables/urlState.ts'
import classes from './AuditTrail.module.css'
import { Change, Happened, Seal, Who } from './cells.tsx'

const columns: readonly Column<AuditRow>[] = [
  { heading: t('when'), sort: 'createdAt', cell: ({ at }) => <Moment at={at} /> },
  { heading: t('what'), cell: (entry) => <Happened entry={entry} /> },
  { heading: t('who'), cell: (entry) => <Who entry={entry} /> },
  { heading: t('changed'), cell: (entry) => <Change entry={entry} /> },
  { heading: t('seal'), cell: (entry) => <Seal entry={entry} /> },
]

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

const csv: readonly CsvColumn<AuditRow>[] = [
  { heading: t('csv.id'), value: ({ id }) => id },
  { heading: t('csv.at'), value: ({ at }) => at },
  { heading: t('csv.actor'), value: ({ actor }) => actor },
  { heading: t('csv.actorId'), value: ({ actorId }) => actorId },
  { heading: t('csv.action'), value: ({ action }) => action },
  { heading: t('csv.source'), value: ({ source }) => source },
  { heading: t('csv.subjectType'), value: ({ subjectType }) => subjectType },
  { heading: t('csv.subjectId'), value: ({ subjectId }) => subjectId },
  { heading: t('csv.ownerId'), value: ({ ownerId }) => ownerId },
  { heading: t('csv.before'), value: ({ before }) => jsonOf(before) },
  { heading: t('csv.after'), value: ({ after }) => jsonOf(after) },
  { heading: t('csv.reason'), value: ({ reason }) => reason },
  { heading: t('csv.position'), value: ({ position }) => position },
  { heading: t('csv.hash'), value: ({ hash }) => hash },
]

/** Offers only the actions that the reader may see. */
const filtersFor = (role: Role) =>
  filtersOf(
    {
      ...listAudit.paged,
      filters: { action: auditActionsFor(role), agreement: agreementsFor(role) },
    },
    {
      action: {
        label: t('what'),
        nameOf: (action) => t(action),
        groupOf: (action) => t(`subject.${auditActions[action].subject ?? 'agreement'}`),
      },
      agreement: {
        label: t('subject.agreement'),
        nameOf: anyProposal,
        groupOf: (kind) =>
          t('agreement.on', { subject: t(`subject.${proposalKinds[kind].subject}`) }),
      },
    },
  )

const words = {
  title: name('audit'),
  loading: t('loading'),
  failed: t('failed'),
  search: t('search'),
}

/** The audit trail: a screen for staff beside the admin dashboard. */
const Trail = ({ user }: { user: SessionUser }) => {
  const client = useQueryClient()
  const filters = useMemo(() => filtersFor(user.role), [user.role])
  const shortcuts: readonly Shortcut[] = [
    {
      key: 'r',
      label: common('shortcuts.refresh'),
      run: () => void client.invalidateQueries({ queryKey: [auditList.noun] }),
    },
    { key: '/', label: common('shortcuts.search'), run: focusSearch },
  ]
  return (
    <StaffPage
      user={user}
      page="audit"
      text={t(seesAccounts(user) ? 'text' : 'text.admin')}
      shortcuts={shortcuts}
    >
      <div className={classes.card}>
        <PagedTable
          name="audit"
          source={auditList}
          columns={columns}
          csv={csv}
          filters={filters}
          words={words}
          empty={t('empty')}
        />
      </div>
    </StaffPage>
  )
}

export const meta = () => [{ title: titleOf('audit') }]

export default function AuditTrail() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return user ? <Trail user={user} /> : null
}
