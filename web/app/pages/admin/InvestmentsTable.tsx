import { Button, Group, Text } from '@mantine/core'
import { formatDollars } from '@pool/contract/money'
import type { InvestmentRow } from '../../api/investments.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Money } from '../../ui/Money.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { AdminTable, type Column, type Listing } from './AdminTable.tsx'
import { Moment, Person } from './cells.tsx'
import type { LocalDecisions } from './useLocalDecisions.ts'

const ViewOnly = () => (
  <Text size="xs" c="dimmed">
    in this view only
  </Text>
)

const Actions = ({ investment, decisions }: { investment: InvestmentRow; decisions: LocalDecisions }) => {
  if (investment.status !== 'PENDING' || decisions.of(investment.id)) return null
  return (
    <>
      <Group gap="xs">
        <Button size="xs" onClick={() => decisions.decide(investment.id, 'APPROVED')}>
          Approve
        </Button>
        <Button size="xs" color="red" variant="light" onClick={() => decisions.decide(investment.id, 'REJECTED')}>
          Reject
        </Button>
      </Group>
      <ViewOnly />
    </>
  )
}

const columnsWith = (decisions: LocalDecisions): readonly Column<InvestmentRow>[] => [
  { heading: 'User', cell: ({ userName, userEmail }) => <Person name={userName} email={userEmail} /> },
  {
    heading: 'Payout',
    numeric: true,
    cell: ({ returnAmount, principal }) => (
      <>
        <Money dollars={returnAmount} />
        {principal !== null && (
          <Text size="xs" c="dimmed">
            interest on {formatDollars(principal)}
          </Text>
        )}
      </>
    ),
  },
  {
    heading: 'Status',
    cell: ({ id, status }) => {
      const decision = decisions.of(id)
      return (
        <>
          <StatusBadge status={decision ?? status} />
          {decision && <ViewOnly />}
        </>
      )
    },
  },
  { heading: 'Date', cell: ({ createdAt }) => <Moment at={createdAt} /> },
]

/** All investments (spec §2). Only PENDING ones can be decided about, in this view only (design §8). */
export const InvestmentsTable = ({ query, decisions }: { query: Listing<InvestmentRow>; decisions: LocalDecisions }) => {
  const anyPending = query.data?.some(({ status }) => status === 'PENDING') ?? false
  const actions: Column<InvestmentRow> = {
    heading: 'Actions',
    cell: (investment) => <Actions investment={investment} decisions={decisions} />,
  }
  return (
    <AdminTable
      what="Investments"
      empty={<EmptyState title="No investments found" />}
      listing={query}
      columns={anyPending ? [...columnsWith(decisions), actions] : columnsWith(decisions)}
    />
  )
}
