import type { AdminInvestment, Investment, listInvestments } from '@pool/contract/investments'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { dayFromDate, timestampFromDate } from '@pool/contract/timestamp'
import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { given, list, type SortKey } from '../db/listing.ts'
import type { Schema } from '../db/schema.ts'
import { isId, ownedSearch } from '../db/search.ts'

type Request = z.infer<typeof listInvestments.query>

const sorts: Readonly<Record<Request['sort'], SortKey>> = {
  createdAt: { by: sql`investments.created_at`, type: 'timestamptz' },
  maturityDate: { by: sql`investments.matures_at`, type: 'timestamptz' },
  amount: { by: sql`investments.principal`, type: 'bigint' },
  interest: { by: sql`investments.interest`, type: 'bigint' },
}

const investments = async (db: Kysely<Schema>, { userId, request }: { userId?: string | undefined; request: Request }) => {
  const { status, search } = request
  const found = await ownedSearch(db, {
    table: 'investments',
    search,
    only: userId,
    others: (text) => sql`SELECT id FROM investments WHERE ${isId('id', text)}`,
  })
  return list({
    request,
    table: 'investments',
    sorts,
    matching: db
      .selectFrom('investments')
      .where(given(userId, (id) => sql`investments.user_id = ${id}`))
      .where(given(status, (statuses) => sql`investments.status = ANY (${statuses})`))
      .where(found),
    present: withName,
  })
}

/** Investments with what the wire record says of their owners. */
export const withName = (investments: SelectQueryBuilder<Schema, 'investments', object>) =>
  investments.innerJoin('users', 'users.id', 'investments.user_id').selectAll('investments').select('users.username')

type Row = Selectable<Schema['investments']> & { username: string }

const onTheWire = (row: Row) => {
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
    durationDays: row.duration_days,
    status: row.status,
    description: '',
    createdAt: timestampFromDate(row.created_at),
    updatedAt: timestampFromDate(row.updated_at),
  }
}

export const forOwner = (row: Row): Investment => ({ ...onTheWire(row), maturityDate: timestampFromDate(row.matures_at) })
const forStaff = (row: Row): AdminInvestment => ({ ...onTheWire(row), maturityDate: dayFromDate(row.matures_at) })

/** One user's investments in the order asked for. */
export const listInvestmentsOf = async (db: Kysely<Schema>, userId: string, request: Request) => {
  const { rows, page } = await investments(db, { userId, request })
  return { rows: rows.map(forOwner), page }
}

/** Everybody's investments in the order asked for. */
export const listAllInvestments = async (db: Kysely<Schema>, request: Request) => {
  const { rows, page } = await investments(db, { request })
  return { rows: rows.map(forStaff), page }
}
