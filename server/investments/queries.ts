import type { AdminInvestment, Investment } from '@pool/contract/investments'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { dayFromDate, timestampFromDate } from '@pool/contract/timestamp'
import type { Kysely } from 'kysely'
import type { Schema } from '../db/schema.ts'

const investments = (db: Kysely<Schema>) =>
  db
    .selectFrom('investments')
    .innerJoin('users', 'users.id', 'investments.user_id')
    .selectAll('investments')
    .select('users.username')
    .orderBy('investments.created_at', 'desc')
    .orderBy('investments.id', 'desc')

type Row = Awaited<ReturnType<ReturnType<typeof investments>['executeTakeFirstOrThrow']>>

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

/** One user's investments, newest first. */
export const listInvestmentsOf = async (db: Kysely<Schema>, userId: string): Promise<Investment[]> => {
  const rows = await investments(db).where('investments.user_id', '=', userId).execute()
  return rows.map((row) => ({ ...onTheWire(row), maturityDate: timestampFromDate(row.matures_at) }))
}

/** Everybody's investments, newest first. */
export const listAllInvestments = async (db: Kysely<Schema>): Promise<AdminInvestment[]> => {
  const rows = await investments(db).execute()
  return rows.map((row) => ({ ...onTheWire(row), maturityDate: dayFromDate(row.matures_at) }))
}
