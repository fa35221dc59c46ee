import { cents, dollarsFromCents } from '@pool/contract/base/money'
import type { PoolFigures } from '@pool/contract/reports/figures'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { tallied } from '../../base/lists/tallies.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'

const ACTIVE = { noun: 'investments', statuses: ['ACTIVE'] } as const
const MATURITIES = { noun: 'maturities' } as const

/** Reads the public figures: the ledger's balances, and interest owed and paid, in one snapshot. */
export const readPoolFigures = async (db: Kysely<Schema>): Promise<PoolFigures> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const reserve = await poolBalance(snapshot, 'reserve')
      const committed = await poolBalance(snapshot, 'committed')
      const { rows } = await sql<{ principal: bigint; interest: bigint; paid: bigint }>`
        SELECT ${tallied('cents', ACTIVE)} AS principal, ${tallied('interest', ACTIVE)} AS interest,
          ${tallied('interest', MATURITIES)} AS paid`.execute(snapshot)
      const { principal = 0n, interest = 0n, paid = 0n } = rows[0] ?? {}
      return {
        moneyAtWork: dollarsFromCents(cents(principal)),
        interestPaid: dollarsFromCents(cents(paid)),
        reserve: dollarsFromCents(reserve),
        committedInterest: dollarsFromCents(cents(interest)),
        coverage: interest === 0n ? 1 : Number(committed) / Number(interest),
      }
    })
