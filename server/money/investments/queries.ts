import type { ListRequest } from '@pool/contract/base/lists'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { dayFromDate, timestampFromDate } from '@pool/contract/base/timestamp'
import type {
  AdminInvestment,
  Investment,
  listAllInvestments as listAllEndpoint,
  listInvestments,
} from '@pool/contract/money/investments'
import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { LaggingReads } from '../../base/db/replica.ts'
import type { Schema } from '../../base/db/schema.ts'
import { laggingFor } from '../../base/lists/lagging.ts'
import { given, isOneOf, list, type SortKey } from '../../base/lists/list.ts'
import { isId, ownedSearch } from '../../base/lists/search.ts'

type Request = z.infer<typeof listInvestments.query>

const sorts: Readonly<Record<Request['sort'], SortKey>> = {
  createdAt: { by: sql`investments.created_at`, type: 'timestamptz' },
  maturityDate: { by: sql`investments.matures_at`, type: 'timestamptz' },
  amount: { by: sql`investments.principal`, type: 'bigint' },
  interest: { by: sql`investments.interest`, type: 'bigint' },
}

type InvestmentsRequest<Wire> = {
  readonly userId?: string | undefined
  readonly request: Request & Pick<ListRequest, 'mayLag'>
  readonly lagging?: LaggingReads | undefined
  readonly onTheWire: (row: InvestmentRow) => Wire
}

const investments = async <Wire>(
  db: Kysely<Schema>,
  { userId, request, lagging, onTheWire }: InvestmentsRequest<Wire>,
) => {
  const { status, search } = request
  const found = await ownedSearch(db, {
    table: 'investments',
    search,
    only: userId,
    others: (text) => sql`SELECT id FROM investments WHERE ${isId('id', text)}`,
  })
  return list({
    db,
    lagging: laggingFor(lagging, request),
    request,
    table: 'investments',
    sorts,
    matching: db
      .selectFrom('investments')
      .where(given(userId, (id) => sql`investments.user_id = ${id}`))
      .where(given(status, (statuses) => isOneOf('investments.status', statuses)))
      .where(found),
    tally:
      userId === undefined && search === undefined
        ? { noun: 'investments', statuses: status }
        : undefined,
    present: withName,
    onTheWire,
  })
}

/** Adds to investments the names of their owners. */
export const withName = (investments: SelectQueryBuilder<Schema, 'investments', object>) =>
  investments
    .innerJoin('users', 'users.id', 'investments.user_id')
    .selectAll('investments')
    .select('users.username')

type InvestmentRow = Selectable<Schema['investments']> & { username: string }

const common = (row: InvestmentRow) => {
  const interest = dollarsFromCents(cents(row.interest))
  return {
    id: row.id,
    investmentId: row.id,
    userId: row.user_id,
    userName: row.username,
    userEmail: row.username,
    type: 'investment' as const,
    amount: dollarsFromCents(cents(row.principal)),
    interest,
    returnAmount: interest,
    ...(row.borne > 0n && { borne: dollarsFromCents(cents(row.borne)) }),
    durationDays: row.duration_days,
    rateBasisPoints: row.rate_basis_points,
    status: row.status,
    description: '',
    createdAt: timestampFromDate(row.created_at),
    updatedAt: timestampFromDate(row.updated_at),
  }
}

export const forOwner = (row: InvestmentRow): Investment => ({
  ...common(row),
  maturityDate: timestampFromDate(row.matures_at),
})
const forStaff = (row: InvestmentRow): AdminInvestment => ({
  ...common(row),
  maturityDate: dayFromDate(row.matures_at),
})

export const listInvestmentsOf = (db: Kysely<Schema>, userId: string, request: Request) =>
  investments(db, { userId, request, onTheWire: forOwner })

export const listAllInvestments = (
  db: Kysely<Schema>,
  request: z.infer<typeof listAllEndpoint.query>,
  lagging?: LaggingReads,
) => investments(db, { userId: request.userId, request, lagging, onTheWire: forStaff })
