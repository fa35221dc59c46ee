/** Loans of a rehearsal: most are paid on the due day, and some no more. */
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { type Kysely, sql } from 'kysely'
import { askProposal } from '../../agreements/proposals/ask.ts'
import { askWriteOff } from '../../agreements/proposals/askForLateLoans.ts'
import { repayByTwo } from '../../agreements/proposals/byTwo.ts'
import type { Schema } from '../../base/db/schema.ts'
import { poolBalance } from '../../ledger/families/accounts.ts'
import { countArrears, postDefaults } from '../../lending/loans/arrears.ts'
import { openLoss } from '../../lending/loans/covers.ts'
import { readLosses } from '../../lending/loans/lossBook.ts'
import { postShares } from '../../lending/loans/shares.ts'
import { lossOf } from '../../lending/loans/stress.ts'
import { collectClaims } from '../../money/claims/collectClaims.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import type { World } from './world.ts'

/** The note of capital that the operator has to add. The report sums it up. */
export const SHORTFALL = 'Rehearsal: the operator adds what the reserve lacks'

type Owing = { readonly id: string; readonly outstanding: bigint; readonly isInDefault: boolean }

/**
 * Whole loans with at least that percent of the outstanding principal, those in default first.
 * A loan that would exceed it is left out, unless no smaller one reaches it.
 */
export const chooseDefaulting = (loans: readonly Owing[], percent: number): readonly Owing[] => {
  const outstanding = loans.reduce((sum, each) => sum + each.outstanding, 0n)
  const lost = lossOf(outstanding, percent)
  const chosen = loans.filter(({ isInDefault }) => isInDefault)
  let sum = chosen.reduce((all, each) => all + each.outstanding, 0n)
  const left: Owing[] = []
  for (const each of loans) {
    if (each.isInDefault) continue
    if (sum + each.outstanding > lost) left.push(each)
    else {
      chosen.push(each)
      sum += each.outstanding
    }
  }
  const [least] = left.toSorted((one, other) => Number(one.outstanding - other.outstanding))
  return sum < lost && least ? [...chosen, least] : chosen
}

/** Cents by the id of each loan that defaults. Loans of a borrower come one after another. */
export const readDefaulting = async (
  db: Kysely<Schema>,
  percent: number,
): Promise<Readonly<Record<string, string>>> => {
  const { rows } = await sql<Owing>`
    SELECT id, outstanding, status = 'DEFAULTED' AS "isInDefault" FROM loans
    WHERE outstanding > 0 ORDER BY md5(borrower_id::text), id`.execute(db)
  const chosen = chooseDefaulting(rows, percent)
  return Object.fromEntries(chosen.map(({ id, outstanding }) => [id, String(outstanding)]))
}

/** True for a loan that is still paid. */
export const pays = (defaulting: readonly string[]) =>
  sql<boolean>`l.id <> ALL (${defaulting}::uuid[])`

type Due = {
  readonly id: string
  readonly amount: bigint
  readonly on: string
  readonly number: number
}

/** Repays what is due by now. Each sum is due once, so a stop repeats none. */
export const repayDue = async ({ means, pair, defaulting }: World): Promise<void> => {
  const { rows } = await sql<Due>`
    SELECT l.id, sum(i.principal - i.principal_paid + i.interest - i.interest_paid)::bigint AS amount,
      (now() AT TIME ZONE 'UTC')::date::text AS on, max(i.number)::int AS number
    FROM loans AS l JOIN loan_instalments AS i ON i.loan_id = l.id
    WHERE l.status = 'ACTIVE' AND NOT i.replaced AND i.due_on <= (now() AT TIME ZONE 'UTC')::date AND ${pays(defaulting)}
    GROUP BY l.id HAVING sum(i.principal - i.principal_paid + i.interest - i.interest_paid) > 0 ORDER BY l.id`.execute(
    means.db,
  )
  for (const { id, amount, on, number } of rows)
    await repayByTwo(means, pair, {
      loanId: id,
      amount: cents(amount),
      valueOn: on,
      reference: `rehearsal ${id.slice(-8)} ${number}`,
    })
}

/** Capital of the operator that a step needs beyond the free reserve. */
const addMissing = async ({ means }: World, needed: bigint): Promise<void> => {
  const missing = needed - (await poolBalance(means.db, 'reserve'))
  if (missing <= 0n) return
  await contributeCapital(means, {
    amount: cents(missing),
    note: SHORTFALL,
    contributedBy: 'rehearsal',
  })
}

/** Counts arrears, writes off what is in default, and ends an open loss. */
export const settleLoans = async (world: World): Promise<void> => {
  const { means, pair, agreeAll } = world
  const [first] = pair
  await countArrears(means.db, means.config.loanTolerance)
  await postDefaults(means)
  const lost = await means.db
    .selectFrom('loans')
    .select(['id', 'outstanding'])
    .where('status', '=', 'DEFAULTED')
    .orderBy('id')
    .execute()
  for (const { id, outstanding } of lost) {
    const asking = { by: first, language: 'en', loanId: id } as const
    const amount = dollarsFromCents(cents(outstanding))
    await askWriteOff(means, asking, { reason: 'Rehearsal: nothing comes back', amount })
    await agreeAll()
  }
  await endLoss(world)
}

/** The reserve bears an open loss, or all investments do, or the operator adds capital. */
const endLoss = async (world: World): Promise<void> => {
  const { means, pair, agreeAll } = world
  await postShares(means)
  const open = await openLoss(means.db)
  if (open === 0n) return
  const { lossId, sharedAt, invested } = await readLosses(means)
  if (sharedAt !== null || lossId === null) return
  const amount = dollarsFromCents(open)
  const isShared = (await poolBalance(means.db, 'reserve')) < open && invested >= amount
  if (!isShared) await addMissing(world, open)
  await askProposal(
    means,
    { by: pair[0], language: 'en' },
    { kind: isShared ? 'SHARE_LOSS' : 'COVER_LOSS', lossId, amount, reason: 'Rehearsal' },
  )
  await agreeAll()
  await postShares(means)
}

type Claim = { readonly id: string; readonly userId: string; readonly open: bigint }

/** Debts of investors are collected from their balances, and the rest is written off. */
export const settleClaims = async (world: World): Promise<void> => {
  const { means, pair, agreeAll } = world
  await collectClaims(means)
  const { rows } = await sql<Claim>`
    SELECT deposit_id AS id, user_id AS "userId", open FROM claims AS c
    WHERE open > 0 AND NOT EXISTS (SELECT FROM transactions WHERE user_id = c.user_id AND investment_status = 'ACTIVE')
    ORDER BY deposit_id`.execute(means.db)
  for (const { id, userId, open } of rows) {
    await addMissing(world, open)
    await askProposal(
      means,
      { by: pair[0], language: 'en' },
      {
        kind: 'WRITE_OFF',
        userId,
        claimId: id,
        reason: 'Rehearsal',
        amount: dollarsFromCents(cents(open)),
      },
    )
    await agreeAll()
  }
}
