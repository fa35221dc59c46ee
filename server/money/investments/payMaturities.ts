import { setTimeout as wait } from 'node:timers/promises'
import { type Cents, cents } from '@pool/contract/base/money'
import { Refusal } from '@pool/contract/base/refusals'
import { type Kysely, sql } from 'kysely'
import { violatedConstraint } from '../../base/db/errors.ts'
import { newId } from '../../base/db/ids.ts'
import { pagesOf } from '../../base/db/pages.ts'
import type { Schema } from '../../base/db/schema.ts'
import type { WithDb, WithLedger } from '../../http/context.ts'
import type { Matured } from '../../ledger/engine/payMatured.ts'

/** Investments per batch: few, so that requests do not wait long for accounts. */
const BATCH = 500
/** Batches side by side once the first was full. Each locks accounts only at its end. */
const LANES = 2

type MaturityContext = WithDb & WithLedger
type Batch = Matured & { readonly more: boolean; readonly failures: readonly unknown[] }

/**
 * Pays every matured investment once, with any number of callers (docs/threats.md T15). Returns
 * this call's payments in cents. Throws the first failure after paying the others.
 */
export const payMaturities = async (means: MaturityContext): Promise<Matured> => {
  const first = await payBatch(means)
  const others = first.more
    ? await Promise.all(Array.from({ length: LANES }, () => payOn(means)))
    : []
  const batches = [first, ...others.flat()]
  const failure = batches.flatMap(({ failures }) => failures)[0]
  if (failure !== undefined) throw failure
  return {
    matured: batches.reduce((sum, { matured }) => sum + matured, 0),
    paid: cents(batches.reduce((sum, { paid }) => sum + paid, 0n)),
  }
}

const payOn = async (means: MaturityContext): Promise<readonly Batch[]> => {
  const batches: Batch[] = []
  do batches.push(await payBatch(means))
  while (batches.at(-1)?.more)
  return batches
}

/** Pauses after a batch for as long as the batch took while requests wait. */
const payBatch = async (means: MaturityContext): Promise<Batch> => {
  const begun = performance.now()
  const batch = await payAtOnce(means)
  if (batch.more && means.ledger.waiting() > 0) await wait(performance.now() - begun)
  return batch
}

const payAtOnce = async (means: MaturityContext): Promise<Batch> => {
  try {
    const batch = await means.ledger.payMatured(BATCH)
    return { ...batch, more: batch.matured === BATCH, failures: [] }
  } catch (error) {
    // One investment that cannot be paid, which the ledger's check names, must not hold back the
    // others.
    if (violatedConstraint(error) === undefined) throw error
    return payOneByOne(means)
  }
}

/** Pays through the groups of the ledger, where each operation fails alone. */
const payOneByOne = async ({ db, ledger }: MaturityContext): Promise<Batch> => {
  const paid: Cents[] = []
  const failures: unknown[] = []
  for await (const due of pagesOf<Due>(BATCH, (after) => findDue(db, after)))
    for (const payout of await Promise.allSettled(due.map((each) => payMaturity(ledger, each))))
      if (payout.status === 'rejected') failures.push(payout.reason)
      else if (payout.value !== undefined) paid.push(payout.value)
  return {
    matured: paid.length,
    paid: cents(paid.reduce((sum, payout) => sum + payout, 0n)),
    more: false,
    failures,
  }
}

type Due = {
  readonly id: string
  /** The moment as text, since a Date has no microseconds. */
  readonly due: string
  readonly user_id: string
  /** The principal without the part that shared losses took. */
  readonly returned: bigint
  readonly interest: bigint
}

const findDue = (db: Kysely<Schema>, after: Due | undefined): Promise<Due[]> =>
  db
    .selectFrom('investments')
    .select(['id', 'user_id', 'returned', 'interest', sql<string>`matures_at::text`.as('due')])
    .where('status', '=', 'ACTIVE')
    .where(sql<boolean>`matures_at <= now()`)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(matures_at, id) > (${after?.due}::timestamptz, ${after?.id}::uuid)`,
      ),
    )
    .orderBy('matures_at')
    .orderBy('id')
    .limit(BATCH)
    .execute()

/** Returns the cents paid, undefined when another caller paid it. */
const payMaturity = async (
  ledger: MaturityContext['ledger'],
  { id, user_id, returned, interest }: Due,
): Promise<Cents | undefined> => {
  try {
    await ledger.post({
      movement: 'investment_matured',
      id,
      ownerId: user_id,
      returned: cents(returned),
      interest: cents(interest),
      payoutId: newId(),
    })
    return cents(returned + interest)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'notMatured') return undefined
    throw error
  }
}
