/** The sums that a wind-down has still to pay (docs/product.md 5.42). */
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import type { WindDown } from '@pool/contract/lending/windDown'
import type { Kysely } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import { contributedSince } from '../../ledger/sums/contributed.ts'
import { readRunOff } from '../../ledger/sums/runOff.ts'
import { readRepayments } from './repayments.ts'
import { readOwedBefore } from './takeCapital.ts'
import { currentWindDown } from './windDown.ts'

/** Reads whole tables of accounts, so it is for staff alone. */
export const readProgress = async (db: Kysely<Schema>): Promise<WindDown> => {
  const current = await currentWindDown(db)
  const sums = await readRunOff(db)
  const owed = await readOwedBefore(db)
  const putIn = await contributedSince(db, new Date(0))
  const inDollars = (amount: bigint) => dollarsFromCents(cents(amount))
  const at = (moment: Date | undefined) => (moment ? timestampFromDate(moment) : null)
  return {
    since: at(current?.since),
    lastMaturity: at(current?.lastMaturityAt),
    claimsUntil: at(current?.claimsUntil),
    invested: inDollars(sums.invested),
    committed: inDollars(sums.committed),
    held: inDollars(sums.held),
    outgoing: inDollars(sums.outgoing),
    available: inDollars(sums.available),
    holders: sums.holders,
    outstanding: inDollars(sums.outstanding),
    reserve: inDollars(sums.reserve),
    owed: inDollars(owed),
    capital: inDollars(putIn),
    taken: inDollars(sums.taken),
    repayments: await readRepayments(db),
  }
}
