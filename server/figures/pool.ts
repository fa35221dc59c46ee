import type { PoolFigures } from '@pool/contract/figures'
import { cents, dollarsFromCents } from '@pool/contract/money'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { readBooks } from '../ledger/books.ts'
import { tallied } from '../tallies/tallies.ts'

const ACTIVE = { noun: 'investments', statuses: ['ACTIVE'] } as const

/** Reads the public figures: the ledger's books and the interest owed, in one snapshot. */
export const readPoolFigures = async (db: Kysely<Schema>): Promise<PoolFigures> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const { reserve, committed, interestPaid } = await readBooks(snapshot)
      const active = await sql<{ principal: bigint; interest: bigint }>`
        SELECT ${tallied('cents', ACTIVE)} AS principal, ${tallied('interest', ACTIVE)} AS interest`.execute(
        snapshot,
      )
      const { principal = 0n, interest = 0n } = active.rows[0] ?? {}
      return {
        moneyAtWork: dollarsFromCents(cents(principal)),
        interestPaid: dollarsFromCents(interestPaid),
        reserve: dollarsFromCents(reserve),
        committedInterest: dollarsFromCents(cents(interest)),
        coverage: interest === 0n ? 1 : Number(committed) / Number(interest),
      }
    })
