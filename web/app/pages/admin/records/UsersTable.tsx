import type { Tone } from '@pool/contract/base/tones'
import { type UserRow, userList } from '../../../api/accounts/users.ts'
import { t } from '../../../i18n/admin.ts'
import classes from '../../../tables/cells.module.css'
import { Moment, Tag } from '../../../tables/cells.tsx'
import type { CsvColumn } from '../../../tables/csv.ts'
import type { Column } from '../../../tables/DataTable.tsx'
import { PagedTable } from '../../../tables/PagedTable.tsx'
import { PersonLink } from '../../../ui/PersonLink.tsx'
import { filters } from '../tabs/tabs.ts'
import { UsersHead } from './UsersHead.tsx'

const roleTones: Readonly<Record<UserRow['role'], Tone>> = {
  SUPER_ADMIN: 'red',
  AUDITOR: 'blue',
  admin: 'purple',
  client: 'grey',
}

const nameOf = ({ firstName, lastName, email }: UserRow): string =>
  `${firstName} ${lastName}`.trim() || email

const initialsOf = (name: string): string =>
  name
    .split(/\s+/, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')

const columns: readonly Column<UserRow>[] = [
  {
    heading: t('users.name'),
    sort: 'name',
    cell: (user) => (
      <div className={classes.user}>
        <span className={classes.initials} aria-hidden>
          {initialsOf(nameOf(user))}
        </span>
        <span className={classes.name}>
          <PersonLink id={user.id}>{nameOf(user)}</PersonLink>
        </span>
      </div>
    ),
  },
  { heading: t('users.email'), cell: ({ email }) => email },
  {
    heading: t('users.role'),
    cell: ({ role }) => <Tag tone={roleTones[role]}>{t(`roleTag.${role}`)}</Tag>,
  },
  {
    heading: t('users.joined'),
    sort: 'createdAt',
    cell: ({ dateCreated }) => <Moment at={dateCreated} />,
  },
]

const csv: readonly CsvColumn<UserRow>[] = [
  { heading: t('csv.id'), value: ({ id }) => id },
  { heading: t('users.name'), value: nameOf },
  { heading: t('users.email'), value: ({ email }) => email },
  { heading: t('users.role'), value: ({ role }) => role },
  { heading: t('csv.joined'), value: ({ dateCreated }) => dateCreated },
]

const words = {
  title: t('users'),
  loading: t('users.loading'),
  failed: t('users.failed'),
  search: t('users.search'),
}

/** All users, for super admins and auditors (docs/product.md 3.12). */
export const UsersTable = () => (
  <>
    <UsersHead />
    <PagedTable
      name="users"
      source={userList}
      columns={columns}
      csv={csv}
      filters={filters.users}
      words={words}
      empty={t('users.empty')}
    />
  </>
)
