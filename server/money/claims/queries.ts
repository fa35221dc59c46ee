import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { CLAIMS_SIZE, type Claim } from '@pool/contract/money/claims'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'

type ClaimRow = {
  readonly depositId: string
  readonly userId: string
  readonly userEmail: string
  readonly amount: bigint
  readonly open: bigint
  readonly writtenOff: bigint
  readonly basis: string
  readonly at: Date
}

/** The newest claims, open ones first. */
export const listClaims = async (db: Kysely<Schema>): Promise<Claim[]> => {
  const { rows } = await sql<ClaimRow>`
    SELECT c.deposit_id AS "depositId", c.user_id AS "userId", u.username AS "userEmail", c.amount, c.open,
      (SELECT coalesce(sum(amount), 0)::bigint FROM write_offs WHERE claim_id = c.deposit_id) AS "writtenOff",
      c.basis, c.created_at AS at
    FROM claims AS c JOIN users AS u ON u.id = c.user_id
    ORDER BY c.open > 0 DESC, c.created_at DESC, c.deposit_id DESC LIMIT ${CLAIMS_SIZE}`.execute(db)
  return rows.map(({ amount, open, writtenOff, at, ...claim }) => ({
    ...claim,
    amount: dollarsFromCents(cents(amount)),
    open: dollarsFromCents(cents(open)),
    writtenOff: dollarsFromCents(cents(writtenOff)),
    at: timestampFromDate(at),
  }))
}
