/** Statements of investors and of the pool against the ledger (docs/product.md 5.39, 5.42). */
import { type AccountKind, accountKinds } from '@pool/contract/ledger'
import { statementParts } from '@pool/contract/statements'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { type Books, readBooked, readOwners, readYearsOfMovements } from '../ledger/booked.ts'
import {
  type InvestorMovement,
  type Parts,
  selectInvestorMovements,
  selectPartsBefore,
} from '../ledger/investorMovements.ts'
import {
  isArchivedSince,
  type PoolTransfer,
  selectAccountsBefore,
  selectPoolTransfers,
} from '../ledger/poolTransfers.ts'
import { fetchAll } from './archive.ts'
import { dollarsText, openCount, partsOf, recordOf } from './count.ts'
import { openBooks, poolStatementName } from './pool.ts'
import { statementName } from './write.ts'

type Db = Kysely<Schema>

/** The number of statements that were checked, and a sentence for each that is not true. */
export type StatementsCheck = { readonly checked: number; readonly untrue: readonly string[] }

type Year = { readonly name: string; readonly from: Date; readonly to: Date }

/** Calendar years in UTC, from the first movement to the last, also one ahead of the clock. */
const readYears = async (db: Db): Promise<readonly Year[]> => {
  const { first, last } = await readYearsOfMovements(db)
  return Array.from({ length: last - first + 1 }, (_, place) => {
    const year = first + place
    const [from, to] = [new Date(Date.UTC(year, 0, 1)), new Date(Date.UTC(year + 1, 0, 1))]
    return { name: String(year), from, to }
  })
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

const periodOf = (year: Year) => ({ ...year, isComplete: true })

const NOTHING: Parts = recordOf(statementParts, () => 0n)

/** Every statement of an investor in turn: each opens with what the one before closed with. */
const checkInvestor = async (
  db: Db,
  { userId, booked }: { readonly userId: string; readonly booked: Parts },
  years: readonly Year[],
) => {
  const untrue: string[] = []
  let closing = NOTHING
  for (const year of years) {
    const { rows } = await selectPartsBefore(userId, year.from).execute(db)
    const opening = rows[0] ? partsOf(rows[0]) : NOTHING
    const count = openCount(opening)
    await fetchAll<InvestorMovement>(db, selectInvestorMovements(userId, year), async (lines) => {
      lines.forEach(count.add)
    })
    const before = closing
    closing = count.balances()
    const pairs = (stated: Parts, known: Parts): Pairs =>
      statementParts.map((part) => [part, stated[part], known[part]])
    const period = periodOf(year)
    untrue.push(
      ...sentenceOf(statementName({ userId, period, form: 'json', language: 'en' }), [
        ...differing('opens with', pairs(opening, before)),
        ...(year === years.at(-1) ? differing('closes with', pairs(closing, booked)) : []),
      ]),
    )
  }
  return { closing, untrue }
}

/** Checks the statements of all investors, and that together they are the accounts of the pool. */
const checkInvestors = async (db: Db, years: readonly Year[], books: Books) => {
  const untrue: string[] = []
  const all: Record<string, bigint> = recordOf(statementParts, () => 0n)
  const owners = await readOwners(db)
  for (const { userId, ...row } of owners) {
    const found = await checkInvestor(db, { userId, booked: partsOf(row) }, years)
    untrue.push(...found.untrue)
    for (const part of statementParts) all[part] = (all[part] ?? 0n) + found.closing[part]
  }
  const pairs: Pairs = statementParts.map((part) => {
    const { kind, sign } = KIND_OF[part]
    return [part, all[part] ?? 0n, sign * (books[kind] ?? 0n)]
  })
  const together = differing('come to', pairs)
  return {
    checked: owners.length * years.length,
    untrue: [...untrue, ...sentenceOf('The statements of all investors', together)],
  }
}

const KIND_OF = {
  ...{ available: { kind: 'available', sign: 1n }, held: { kind: 'held', sign: 1n } },
  ...{ invested: { kind: 'invested', sign: 1n }, onTheWay: { kind: 'outgoing', sign: 1n } },
  ...{ promised: { kind: 'committed', sign: 1n }, debt: { kind: 'claims', sign: -1n } },
} as const satisfies Record<string, { readonly kind: AccountKind; readonly sign: bigint }>

/** The pool's own statements. Those of archived years do not exist. */
const checkPool = async (db: Db, years: readonly Year[], booked: Books) => {
  const untrue: string[] = []
  let checked = 0
  let before: Books | undefined
  for (const year of years) {
    if (await isArchivedSince(db, year.from)) continue
    const { rows } = await selectAccountsBefore(year.from).execute(db)
    const amounts = new Map(rows.map(({ kind, amount }) => [kind, amount]))
    const running = recordOf(accountKinds, (kind) => amounts.get(kind) ?? 0n)
    const opening: Books = { ...running }
    const { add } = openBooks(running)
    await fetchAll<PoolTransfer>(db, selectPoolTransfers(year), async (transfers) => {
      transfers.forEach(add)
    })
    const pairs = (stated: Books, known: Books): Pairs =>
      accountKinds.map((kind) => [kind, stated[kind] ?? 0n, known[kind] ?? 0n])
    untrue.push(
      ...sentenceOf(poolStatementName({ period: periodOf(year), form: 'json' }), [
        ...differing('opens with', before ? pairs(opening, before) : []),
        ...(year === years.at(-1) ? differing('closes with', pairs(running, booked)) : []),
      ]),
    )
    before = running
    checked += 1
  }
  return { checked, untrue }
}

/**
 * Reads the statements of all years in this transaction, as they are written to files. Each must
 * open with the end of the one before, and the last must close with what the ledger has.
 */
export const checkStatementsIn = async (snapshot: Db): Promise<StatementsCheck> => {
  const years = await readYears(snapshot)
  const booked = await readBooked(snapshot)
  const ofInvestors = await checkInvestors(snapshot, years, booked)
  const ofPool = await checkPool(snapshot, years, booked)
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
