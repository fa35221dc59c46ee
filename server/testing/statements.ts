/** Statements of all investors against the ledger. */
import { statementParts } from '@pool/contract/reports/statements'
import type { RawBuilder } from 'kysely'
import type { PoolClient } from 'pg'
import { expect } from 'vitest'
import { onSession } from '../base/db/session.ts'
import { POOL_OWNER } from '../ledger/families/accounts.ts'
import {
  type InvestorMovement,
  selectInvestorMovements,
  selectPartsBefore,
} from '../ledger/sums/investorMovements.ts'
import { checkStatementsIn } from '../reports/statements/check.ts'
import { openCount, partsOf } from '../reports/statements/count.ts'
import type { Product } from './product.ts'

const EVER = { from: new Date('2000-01-01'), to: new Date('2100-01-01') }

/** Runs queries of statements on one connection, inside its transaction. */
const reader =
  ({ context: { db } }: Product, client: PoolClient) =>
  async <Row>(query: RawBuilder<Row>): Promise<Row[]> => {
    const { sql, parameters } = query.compile(db)
    return (await client.query(sql, [...parameters])).rows
  }

/** The parts of an investor by a statement of all time, with its lines. */
const stated = async (read: ReturnType<typeof reader>, owner: string) => {
  const lines: InvestorMovement[] = await read(selectInvestorMovements(owner, EVER))
  const count = openCount(partsOf({} as never))
  for (const line of lines) count.add(line)
  return { lines, closing: count.end().closing }
}

/**
 * Expects that the product finds all statements true, that a statement ends where the next begins,
 * and that they say the same once every movement has left for an archive. Returns their lines.
 */
export const expectStatements = async (product: Product): Promise<InvestorMovement[]> => {
  const client = await product.database.superuser.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const { checked, untrue } = await checkStatementsIn(onSession(client))
    expect(untrue).toEqual([])
    const read = reader(product, client)
    const { rows: owners } = await client.query<{ id: string }>(
      'SELECT DISTINCT owner_id AS id FROM accounts WHERE owner_id <> $1',
      [POOL_OWNER],
    )
    expect(checked).toBeGreaterThan(owners.length)
    const before = new Map<string, Awaited<ReturnType<typeof stated>>>()
    for (const { id } of owners) {
      const statement = await stated(read, id)
      before.set(id, statement)
      await expectSeam(read, id, statement.lines)
    }
    await client.query(`
      SET LOCAL session_replication_role = replica; DELETE FROM movements;
      INSERT INTO archived_months (month, until_id, movements, sha256, balances, mac)
      VALUES ('2099-12', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 0, '', '', '')`)
    for (const { id } of owners) expect(await stated(read, id)).toEqual(before.get(id))
    return [...before.values()].flatMap(({ lines }) => lines)
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

/** A later statement opens with what the lines before it made. */
const expectSeam = async (
  read: ReturnType<typeof reader>,
  owner: string,
  lines: readonly InvestorMovement[],
): Promise<void> => {
  const seam = lines[Math.floor(lines.length / 2)]?.at
  if (!seam) return
  const [opening] = await read(selectPartsBefore(owner, seam))
  const parts = partsOf(opening ?? ({} as never))
  const earlier = await read(selectInvestorMovements(owner, { from: EVER.from, to: seam }))
  const later = await read(selectInvestorMovements(owner, { from: seam, to: EVER.to }))
  expect(earlier.length + later.length).toBe(lines.length)
  for (const part of statementParts)
    expect([part, parts[part]]).toEqual([
      part,
      earlier.reduce((sum, line) => sum + (line[part] ?? 0n), 0n),
    ])
}
