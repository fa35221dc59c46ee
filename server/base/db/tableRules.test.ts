import type { PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../testing/database.ts'
import { columnsIn, GUARD, TABLES, type TableRule, VIEWS } from './tableRules.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

type Relation = {
  readonly name: string
  readonly isTable: boolean
  readonly columns: readonly string[]
  /** Columns whose values the database makes. */
  readonly generated: readonly string[]
  readonly inserted: readonly string[]
  readonly updated: readonly string[]
  /** Rights to the whole, in the order of their names. */
  readonly rights: readonly string[]
}

const RELATIONS = `
  SELECT relname AS name, relkind IN ('r', 'p') AS "isTable", array_agg(attname::text ORDER BY attnum) AS columns,
    coalesce(array_agg(attname::text ORDER BY attnum) FILTER (WHERE attidentity <> ''), '{}') AS generated,
    coalesce(array_agg(attname::text ORDER BY attnum) FILTER (WHERE has_column_privilege('pool_app', c.oid, attnum, 'INSERT')), '{}') AS inserted,
    coalesce(array_agg(attname::text ORDER BY attnum) FILTER (WHERE has_column_privilege('pool_app', c.oid, attnum, 'UPDATE')), '{}') AS updated,
    ARRAY(SELECT wanted FROM unnest('{DELETE,REFERENCES,SELECT,TRIGGER,TRUNCATE}'::text[]) AS wanted WHERE has_table_privilege('pool_app', c.oid, wanted)) AS rights
  FROM pg_class AS c JOIN pg_attribute AS a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND NOT relispartition
  GROUP BY c.oid ORDER BY relname`

let relations: readonly Relation[]
beforeEach(async () => {
  relations = (await database.superuser.query<Relation>(RELATIONS)).rows
})

const rules: Readonly<Record<string, TableRule>> = { ...TABLES, ...VIEWS }
const ruleOf = ({ name }: Relation): TableRule => {
  const rule = rules[name]
  if (!rule) throw new Error(`${name} has no rule`)
  return rule
}

const named = (columns: string | undefined, all: readonly string[]): readonly string[] =>
  columns === '*' ? all : all.filter((column) => columnsIn(columns).includes(column))

/** Columns that every role may change, and those that a guard freezes. */
const freeOf = (relation: Relation): readonly string[] => {
  const { update, owner } = ruleOf(relation)
  return [...named(update, relation.columns), ...named(owner, relation.columns)]
}
const frozenOf = (relation: Relation): readonly string[] =>
  relation.columns.filter((column) => !freeOf(relation).includes(column))

const guarded = () =>
  relations.filter((each) => each.isTable && ruleOf(each).unguarded === undefined)

const setting = (relation: Relation, column: string): string =>
  `UPDATE ${relation.name} SET "${column}" = ${relation.generated.includes(column) ? 'DEFAULT' : `"${column}"`}`

/** Codes of the statements' refusals, in a transaction that is rolled back. */
const refusalsOf = async (client: PoolClient, statements: readonly string[]) => {
  const refusals: (readonly [statement: string, refusal: string])[] = []
  for (const statement of statements) {
    await client.query('SAVEPOINT tried')
    const refusal = await client.query(statement).then(
      () => 'none',
      (error) => `${error.code} ${error.message}`,
    )
    await client.query('ROLLBACK TO SAVEPOINT tried')
    refusals.push([statement, refusal])
  }
  return refusals
}

const rolledBack = async <T>(
  pool: TestDatabase['pool'],
  work: (client: PoolClient) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    return await work(client)
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}

/** A movement that no rule has seen, since the guard of movements looks at rows. */
const MOVEMENT = `
  SET LOCAL session_replication_role = replica;
  INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount) VALUES (gen_random_uuid(), 'capital_added', 1, 2, 3);
  SET LOCAL session_replication_role = origin`

describe('each table of the database', () => {
  test('has a rule of its name', () => {
    const expected = Object.keys(rules).sort()
    expect(relations.map(({ name }) => name).sort()).toEqual(expected)
    expect(guarded().length).toBeGreaterThan(60)
  })

  test('names only columns that it has', () => {
    const unknown = relations.flatMap((each) =>
      (['insert', 'update', 'owner'] as const).flatMap((act) =>
        columnsIn(ruleOf(each)[act])
          .filter((column) => column !== '*' && !each.columns.includes(column))
          .map((column) => `${each.name}.${column}`),
      ),
    )
    expect(unknown).toEqual([])
  })

  test('grants the product exactly what its rule says', () => {
    for (const each of relations) {
      const { insert, update, delete: deletes } = ruleOf(each)
      expect([each.name, each.inserted]).toEqual([each.name, named(insert, each.columns)])
      expect([each.name, each.updated]).toEqual([each.name, named(update, each.columns)])
      const rights = [...(deletes ? ['DELETE'] : []), 'SELECT']
      expect([each.name, each.rights]).toEqual([each.name, rights])
    }
  })

  test('has a guard exactly where its rule says', async () => {
    // A trigger without a condition that refuses all of a verb belongs to a rule.
    const { rows } = await database.superuser.query<{ table: string; name: string }>(
      `SELECT DISTINCT tgrelid::regclass::text AS table, tgname AS name FROM pg_trigger JOIN pg_class AS c ON c.oid = tgrelid
       WHERE NOT tgisinternal AND NOT relispartition AND tgfoid = 'refuse_change'::regproc AND tgqual IS NULL
       ORDER BY 1, 2`,
    )
    const expected = guarded().flatMap(({ name: table }) =>
      table === 'movements'
        ? [GUARD, `${GUARD}_whole`].map((name) => ({ table, name }))
        : [{ table, name: GUARD }],
    )
    expect(rows).toEqual(expected)
  })

  test('refuses the product each verb without a grant', async () => {
    const tables = relations.filter(({ isTable }) => isTable)
    const statements = tables.flatMap((each) => {
      const { update, delete: deletes } = ruleOf(each)
      return [
        ...each.columns
          .filter((column) => !named(update, each.columns).includes(column))
          .map((column) => setting(each, column)),
        ...(deletes ? [] : [`DELETE FROM ${each.name}`]),
        `TRUNCATE ${each.name}`,
      ]
    })
    const refusals = await rolledBack(database.pool, (client) => refusalsOf(client, statements))
    expect(refusals.filter(([, refusal]) => !refusal.startsWith('42501 '))).toEqual([])
    expect(refusals.length).toBeGreaterThan(500)
  })

  test('refuses every role the verbs that its guard names', async () => {
    const refused = await rolledBack(database.superuser, async (client) => {
      await client.query(MOVEMENT)
      const statements = (each: Relation) => [
        ...frozenOf(each).map((column) => setting(each, column)),
        ...(ruleOf(each).delete ? [] : [`DELETE FROM ${each.name}`]),
        `TRUNCATE ${each.name} CASCADE`,
      ]
      const all = []
      for (const each of guarded())
        for (const [statement, refusal] of await refusalsOf(client, statements(each)))
          all.push([
            statement,
            refusal,
            `${statement.split(' ')[0]} of ${each.name} is not allowed`,
          ])
      return all
    })
    expect(refused.filter(([, refusal, why]) => refusal !== `23001 ${why}`)).toEqual([])
    expect(refused.length).toBeGreaterThan(400)
  })

  test('lets columns change that its rule names', async () => {
    // Triggers of the rooms look at rows.
    const allowed = await rolledBack(database.superuser, (client) =>
      refusalsOf(
        client,
        guarded().flatMap((each) =>
          freeOf(each).map((column) => `${setting(each, column)} WHERE false`),
        ),
      ),
    )
    expect(allowed.filter(([, refusal]) => refusal !== 'none')).toEqual([])
  })
})

/** Columns of a decision, a completion and a return that grants and a CHECK bound alone. */
const BESIDE_TRIGGERS =
  'basis evidence_network evidence evidence_output completed_at returned_at return_id'

// As JSON, two whole rows of transactions take 110 µs to compare. Named columns take 2.
test('triggers of a request name the columns that change', async () => {
  const { rows } = await database.superuser.query<{ text: string }>(
    `SELECT pg_get_triggerdef(oid) AS text FROM pg_trigger WHERE tgrelid = 'transactions'::regclass AND NOT tgisinternal`,
  )
  const texts = rows.map(({ text }) => text).join('\n')
  const unnamed = columnsIn(TABLES.transactions.update).filter(
    (column) => !new RegExp(`new\\.${column}\\b`).test(texts),
  )
  expect(unnamed).toEqual(columnsIn(BESIDE_TRIGGERS))
})

test.each(['reconciliations', 'reconciled_coins', 'accepted_breaks', 'own_addresses'])(
  'the records of %s are not truncated',
  async (table) => {
    await expect(database.superuser.query(`TRUNCATE ${table} CASCADE`)).rejects.toThrow(
      `TRUNCATE of ${table} is not allowed`,
    )
  },
)

test('a reversal of a repayment leaves its capital', async () => {
  const refusals = await rolledBack(database.superuser, async (client) => {
    await client.query(`SET LOCAL session_replication_role = replica;
      INSERT INTO loan_repayments (id, loan_id, principal, capital, interest, recovered, kept, value_on, reference, recorded_by)
      SELECT gen_random_uuid(), gen_random_uuid(), 100, 100, 0, 0, 0, now()::date, 'R', gen_random_uuid();
      SET LOCAL session_replication_role = origin`)
    return refusalsOf(client, ['UPDATE loan_repayments SET reversed = true, capital = 99'])
  })
  expect(refusals).toEqual([[expect.anything(), '23001 UPDATE of loan_repayments is not allowed']])
})
