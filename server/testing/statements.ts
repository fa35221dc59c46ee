/** Statements of all investors against the ledger. */
import { statementParts } from '@pool/contract/statements'
import type { RawBuilder } from 'kysely'
import type { PoolClient } from 'pg'
import { expect } from 'vitest'
import { POOL_OWNER } from '../ledger/accounts.ts'
import {
  type InvestorMovement,
  selectInvestorMovements,
  selectPartsBefore,
} from '../ledger/investorMovements.ts'
import { openCount, partsOf } from '../statements/count.ts'
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

const dollars = (text: string): bigint => BigInt(text.replace('.', ''))

/**
 * Expects that all statements together are the ledger, that a statement ends where the next begins,
 * and that they say the same once every movement has left for an archive. Returns their lines.
 */
export const expectStatements = async (product: Product): Promise<InvestorMovement[]> => {
  const client = await product.database.superuser.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    const read = reader(product, client)
    const { rows: accounts } = await client.query<{ owner: string; kind: string; balance: bigint }>(
      'SELECT owner_id AS owner, kind, balance FROM accounts WHERE balance IS NOT NULL',
    )
    const balanceOf = (owner: string, kind: string) =>
      BigInt(accounts.find((each) => each.owner === owner && each.kind === kind)?.balance ?? 0n)
    const owners = [...new Set(accounts.map(({ owner }) => owner))].filter(
      (owner) => owner !== POOL_OWNER,
    )
    const before = new Map<string, Awaited<ReturnType<typeof stated>>>()
    const shared = { onTheWay: 0n, promised: 0n, debt: 0n }
    for (const owner of owners) {
      const statement = await stated(read, owner)
      before.set(owner, statement)
      const { lines, closing } = statement
      for (const kind of ['available', 'held', 'invested'] as const)
        expect([owner, kind, dollars(closing[kind])]).toEqual([owner, kind, balanceOf(owner, kind)])
      for (const part of ['onTheWay', 'promised', 'debt'] as const)
        shared[part] += dollars(closing[part])
      await expectSeam(read, owner, lines)
    }
    const { rows: claims } = await client.query(
      'SELECT coalesce(sum(open), 0)::text AS open FROM claims',
    )
    expect(shared).toEqual({
      onTheWay: balanceOf(POOL_OWNER, 'outgoing'),
      promised: balanceOf(POOL_OWNER, 'committed'),
      debt: BigInt(claims[0]?.open),
    })
    await client.query(`
      SET LOCAL session_replication_role = replica; DELETE FROM movements;
      INSERT INTO archived_months (month, until_id, movements, sha256, balances, mac)
      VALUES ('2099-12', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 0, '', '', '')`)
    for (const owner of owners) expect(await stated(read, owner)).toEqual(before.get(owner))
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
