/** Statements of investors and of the pool against the ledger (docs/product.md 5.39, 5.42). */
import { type AccountKind, accountKinds } from '@pool/contract/money/ledger'
import { statementParts } from '@pool/contract/reports/statements'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../base/db/schema.ts'
import {
  type AccountBalances,
  readBooked,
  readOwners,
  readYearsOfMovements,
} from '../../ledger/sums/booked.ts'
import {
  type InvestorMovement,
  type Parts,
  selectInvestorMovements,
  selectPartsBeforeEach,
} from '../../ledger/sums/investorMovements.ts'
import {
  isArchivedSince,
  type PoolTransfer,
  selectAccountsBefore,
  selectPoolTransfers,
} from '../../ledger/sums/poolTransfers.ts'
import { fetchAll } from './archive.ts'
import { dollarsText, openCount, partsOf, recordOf } from './count.ts'
import { openBooks, poolStatementName } from './pool.ts'
import { statementName } from './write.ts'

type Db = Kysely<Schema>

/** The number of statements that were checked, and a sentence for each that is not true. */
export type StatementsCheck = { readonly checked: number; readonly untrue: readonly string[] }

type Month = { readonly name: string; readonly from: Date; readonly to: Date }

/** Months in UTC of all years from the first movement to the last, also one ahead of the clock. */
const readMonths = async (db: Db): Promise<readonly Month[]> => {
  const { first, last } = await readYearsOfMovements(db)
  return Array.from({ length: 12 * (last - first + 1) }, (_, place) => {
    const [from, to] = [place, place + 1].map((month) => new Date(Date.UTC(first, month, 1)))
    if (!from || !to) throw new Error('two months have two moments')
    return { name: from.toISOString().slice(0, 7), from, to }
  })
}

/** A month, and before it the year that begins with it: both open with the same balances. */
const periodsOf = ({ name, from, to }: Month) => [
  ...(name.endsWith('-01') ? [{ name: name.slice(0, 4), from, to, isComplete: true }] : []),
  { name, from, to, isComplete: true },
]

/** True for the last month, and for its year. */
const isLast = ({ name }: Pick<Month, 'name'>, months: readonly Month[]): boolean =>
  months.at(-1)?.name.startsWith(name) === true

/** The balances at the end of each month, while lines are added to running ones in order. */
const openEnds = <Balances>(months: readonly Month[], balances: () => Balances) => {
  const ends: Balances[] = []
  return {
    /** Closes the months before a moment. */
    reach: (at: Date) => {
      while (ends.length < months.length && (months[ends.length]?.to ?? at) <= at)
        ends.push(balances())
    },
    all: (): readonly Balances[] => months.map((_, place) => ends[place] ?? balances()),
  }
}

/** Cents by name, as stated and as booked. */
type Pairs = readonly (readonly [name: string, stated: bigint, booked: bigint])[]

const differing = (verb: string, pairs: Pairs): string[] =>
  pairs
    .filter(([, stated, booked]) => stated !== booked)
    .map(
      ([name, stated, booked]) =>
        `${verb} ${dollarsText(stated)} ${name} instead of ${dollarsText(booked)}`,
    )

const sentenceOf = (name: string, faults: readonly string[]): string[] =>
  faults.length > 0 ? [`${name} ${faults.join(', ')}.`] : []

const EPOCH = new Date(0)
const NOTHING: Parts = recordOf(statementParts, () => 0n)

/** Every statement of an investor in turn: each opens with what the one before closed with. */
const checkInvestor = async (
  db: Db,
  { userId, booked }: { readonly userId: string; readonly booked: Parts },
  months: readonly Month[],
) => {
  const span = { from: months[0]?.from ?? EPOCH, to: months.at(-1)?.to ?? EPOCH }
  const moments = months.map(({ from }) => from)
  const { rows } = await selectPartsBeforeEach(userId, moments).execute(db)
  const openings = rows.map(partsOf)
  const count = openCount(openings[0] ?? NOTHING)
  const ends = openEnds(months, count.balances)
  await fetchAll<InvestorMovement>(db, selectInvestorMovements(userId, span), async (lines) => {
    for (const line of lines) {
      ends.reach(line.at)
      count.add(line)
    }
  })
  const closings = ends.all()
  const pairs = (stated: Parts, known: Parts): Pairs =>
    statementParts.map((part) => [part, stated[part], known[part]])
  const untrue = months.flatMap((month, place) => {
    const opens = pairs(openings[place] ?? NOTHING, closings[place - 1] ?? NOTHING)
    return periodsOf(month).flatMap((period) =>
      sentenceOf(statementName({ userId, period, form: 'json', language: 'en' }), [
        ...differing('opens with', opens),
        ...(isLast(period, months)
          ? differing('closes with', pairs(closings.at(-1) ?? NOTHING, booked))
          : []),
      ]),
    )
  })
  return { closing: closings.at(-1) ?? NOTHING, untrue }
}

/** Checks the statements of all investors, and that together they are the accounts of the pool. */
const checkInvestors = async (db: Db, months: readonly Month[], books: AccountBalances) => {
  const untrue: string[] = []
  const all: Record<string, bigint> = recordOf(statementParts, () => 0n)
  const owners = await readOwners(db)
  for (const { userId, ...row } of owners) {
    const found = await checkInvestor(db, { userId, booked: partsOf(row) }, months)
    untrue.push(...found.untrue)
    for (const part of statementParts) all[part] = (all[part] ?? 0n) + found.closing[part]
  }
  const pairs: Pairs = statementParts.map((part) => {
    const { kind, sign } = KIND_OF[part]
    return [part, all[part] ?? 0n, sign * (books[kind] ?? 0n)]
  })
  const together = differing('come to', pairs)
  return {
    checked: owners.length * months.flatMap(periodsOf).length,
    untrue: [...untrue, ...sentenceOf('The statements of all investors', together)],
  }
}

const KIND_OF = {
  available: { kind: 'available', sign: 1n },
  held: { kind: 'held', sign: 1n },
  invested: { kind: 'invested', sign: 1n },
  onTheWay: { kind: 'outgoing', sign: 1n },
  promised: { kind: 'committed', sign: 1n },
  debt: { kind: 'claims', sign: -1n },
} as const satisfies Record<string, { readonly kind: AccountKind; readonly sign: bigint }>

/** The pool's own statements. Those of archived months do not exist. */
const checkPool = async (db: Db, months: readonly Month[], booked: AccountBalances) => {
  const untrue: string[] = []
  let checked = 0
  let before: AccountBalances | undefined
  for (const month of months) {
    if (await isArchivedSince(db, month.from)) continue
    const { rows } = await selectAccountsBefore(month.from).execute(db)
    const amounts = new Map(rows.map(({ kind, amount }) => [kind, amount]))
    const running = recordOf(accountKinds, (kind) => amounts.get(kind) ?? 0n)
    const opening: AccountBalances = { ...running }
    const { add } = openBooks(running)
    await fetchAll<PoolTransfer>(db, selectPoolTransfers(month), async (transfers) => {
      transfers.forEach(add)
    })
    const pairs = (stated: AccountBalances, known: AccountBalances): Pairs =>
      accountKinds.map((kind) => [kind, stated[kind] ?? 0n, known[kind] ?? 0n])
    const periods = periodsOf(month)
    untrue.push(
      ...periods.flatMap((period) =>
        sentenceOf(poolStatementName({ period, form: 'json' }), [
          ...differing('opens with', before ? pairs(opening, before) : []),
          ...(month === months.at(-1) ? differing('closes with', pairs(running, booked)) : []),
        ]),
      ),
    )
    before = running
    checked += periods.length
  }
  return { checked, untrue }
}

/**
 * Reads the statements of all months and years in this transaction, as they are written to files.
 * Each must open with the end of the one before. The last must close with what the ledger has.
 */
export const checkStatementsIn = async (snapshot: Db): Promise<StatementsCheck> => {
  const months = await readMonths(snapshot)
  const booked = await readBooked(snapshot)
  const ofInvestors = await checkInvestors(snapshot, months, booked)
  const ofPool = await checkPool(snapshot, months, booked)
  return {
    checked: ofInvestors.checked + ofPool.checked,
    untrue: [...ofInvestors.untrue, ...ofPool.untrue],
  }
}

/** The same in one snapshot of its own. It takes some milliseconds for each investor and year. */
export const checkStatements = (db: Db): Promise<StatementsCheck> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      await sql`SET LOCAL statement_timeout = '15min'`.execute(snapshot)
      return checkStatementsIn(snapshot)
    })
