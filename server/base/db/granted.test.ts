import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { columnsIn, TABLES, type TableRule } from './tableRules.ts'

const schema = readFileSync(new URL('../migrations/schema.sql', import.meta.url), 'utf8')
const rules: Readonly<Record<string, TableRule>> = TABLES

/** Columns of a table, each with its line of the schema. */
const tables = [...schema.matchAll(/^CREATE TABLE (\w+) \(\n(.*?)\n\)/gms)].map(
  ([, name = '', body = '']) => ({
    name,
    columns: [...body.matchAll(/^ {2}([a-z]\w*)\s+(.*)$/gm)].map(([, column = '', rest = '']) => ({
      column,
      hasDefault: /\b(DEFAULT|GENERATED)\b/.test(rest),
    })),
  }),
)

test('every column of a new row is given on purpose', () => {
  expect(tables.length).toBeGreaterThan(60)
  // Rows that the product does not add are of migrations or of the owner.
  const forgotten = tables.flatMap(({ name, columns }) => {
    const { insert, update } = rules[name] ?? {}
    const named = [...columnsIn(insert), ...columnsIn(update)]
    if (insert === undefined || named.includes('*')) return []
    return columns
      .filter(({ column, hasDefault }) => !hasDefault && !named.includes(column))
      .map(({ column }) => `${name}.${column}`)
  })
  expect(forgotten).toEqual([])
})
