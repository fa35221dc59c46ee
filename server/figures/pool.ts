import type { PoolFigures } from '@pool/contract/figures'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { readBooks } from '../ledger/books.ts'

/** What the pool shows to everybody: the books of the ledger beside what the investments were promised, both of one moment. */
export const readPoolFigures = async (db: Kysely<Schema>): Promise<PoolFigures> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const { reserve, committed, interestPaid } = await readBooks(snapshot)
      const active = await snapshot
        .selectFrom('investments')
        .select([
          sql<bigint>`coalesce(sum(principal), 0)::bigint`.as('principal'),
          sql<bigint>`coalesce(sum(interest), 0)::bigint`.as('interest'),
        ])
        .where('status', '=', 'ACTIVE')
        .executeTakeFirstOrThrow()
      return {
        moneyAtWork: dollarsFromCents(cents(active.principal)),
        interestPaid: dollarsFromCents(interestPaid),
        reserve: dollarsFromCents(reserve),
        promisedInterest: dollarsFromCents(cents(active.interest)),
        coverage: active.interest === 0n ? 1 : Number(committed) / Number(active.interest),
      }
    })

/** The same question, answered from one reading for so many seconds however many ask. A reading that fails is not kept. */
export const keptFor = <Value>(seconds: number, read: () => Promise<Value>): (() => Promise<Value>) => {
  let kept: { readonly until: number; readonly value: Promise<Value> } | undefined
  return () => {
    if (kept && performance.now() < kept.until) return kept.value
    const reading = { until: performance.now() + seconds * 1_000, value: read() }
    kept = reading
    reading.value.catch(() => {
      if (kept === reading) kept = undefined
    })
    return reading.value
  }
}
