import { type Cents, cents } from '@pool/contract/base/money'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

/** The cents that the operator put into the reserve from that moment on. */
export const contributedSince = async (db: Kysely<Schema>, from: Date): Promise<Cents> => {
  const { amount } = await db
    .selectFrom('contributions')
    .select(sql<bigint>`coalesce(sum(amount), 0)::bigint`.as('amount'))
    .where('created_at', '>=', from)
    .executeTakeFirstOrThrow()
  return cents(amount)
}

/** The cents that the operator took out of the reserve from that moment on. */
export const withdrawnSince = async (db: Kysely<Schema>, from: Date): Promise<Cents> => {
  const { amount } = await db
    .selectFrom('capital_withdrawals')
    .select(sql<bigint>`coalesce(sum(amount), 0)::bigint`.as('amount'))
    .where('created_at', '>=', from)
    .executeTakeFirstOrThrow()
  return cents(amount)
}

/** The cents that the operator put in under a note. */
export const contributedFor = async (db: Kysely<Schema>, note: string): Promise<Cents> => {
  const { amount } = await db
    .selectFrom('contributions')
    .select(sql<bigint>`coalesce(sum(amount), 0)::bigint`.as('amount'))
    .where('note', '=', note)
    .executeTakeFirstOrThrow()
  return cents(amount)
}
