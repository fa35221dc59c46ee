import { Avatar, Group, Text } from '@mantine/core'
import type { UserRow } from '../../api/users.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { AdminTable, type Column, type Listing } from './AdminTable.tsx'
import { Moment, Tag, type Tone } from './cells.tsx'

const roleTones: Readonly<Record<UserRow['role'], Tone>> = { SUPER_ADMIN: 'red', admin: 'purple', client: 'grey' }

const nameOf = ({ firstName, lastName, email }: UserRow): string => `${firstName} ${lastName}`.trim() || email

const columns: readonly Column<UserRow>[] = [
  {
    heading: 'Name',
    cell: (user) => (
      <Group gap="sm" wrap="nowrap">
        <Avatar size="sm" radius="xl" name={nameOf(user)} color="petrol" aria-hidden />
        <Text size="sm" fw={500}>
          {nameOf(user)}
        </Text>
      </Group>
    ),
  },
  { heading: 'Email', cell: ({ email }) => <Text size="sm">{email}</Text> },
  {
    heading: 'Role',
    cell: ({ role }) => <Tag tone={roleTones[role]}>{role}</Tag>,
  },
  { heading: 'Joined', cell: ({ createdAt }) => <Moment at={createdAt} /> },
]

/** All users (spec §2); drawn for super admins only. */
export const UsersTable = ({ query }: { query: Listing<UserRow> }) => (
  <AdminTable what="Users" empty={<EmptyState title="No users found" />} listing={query} columns={columns} />
)
