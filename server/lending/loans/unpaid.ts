/** The debt of instalments in force, in SQL, as `owedOf` of the ledger has it. */
import { type Bucket, bucketBegins, buckets } from '@pool/contract/lending/arrears'
import { type RawBuilder, sql } from 'kysely'

/** The day, UTC. */
export const TODAY = sql`(now() AT TIME ZONE 'UTC')::date`

/** Cents that `loan_instalments AS i` owes, beside `loan_defaults AS f` of its loan. */
export const UNPAID = sql`(i.principal - i.principal_paid
  + CASE WHEN i.due_on > f.defaulted_on THEN CASE i.number WHEN f.stopped_number THEN greatest(f.stopped_interest - i.interest_paid, 0) ELSE 0 END
    ELSE i.interest - i.interest_paid END)`

const worstFirst: readonly Bucket[] = buckets.toReversed()

/** The bucket of so many days past due. */
export const bucketOf = (days: RawBuilder<unknown>): RawBuilder<Bucket> =>
  sql<Bucket>`CASE ${sql.join(
    worstFirst.map(
      (bucket) => sql`WHEN ${days} >= ${sql.lit(bucketBegins[bucket])} THEN ${sql.lit(bucket)}`,
    ),
    sql` `,
  )} END`

/** The first day past due of a bucket. */
export const beginOf = (bucket: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`CASE ${bucket} ${sql.join(
    buckets.map((each) => sql`WHEN ${sql.lit(each)} THEN ${sql.lit(bucketBegins[each])}`),
    sql` `,
  )} END`
