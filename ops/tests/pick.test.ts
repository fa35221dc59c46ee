import { globSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../root.mjs'
import { overBudget } from './budgets.mjs'
import { pick } from './pick.ts'
import { isSecond, SECOND_TIER } from './tiers.mjs'
import { functionsOfSql, touchedIn } from './touched.ts'

const SOURCE = `import { a } from './a.ts'
/** A limit. */
const LIMIT = 5
type Row = { readonly id: string }
export const outer = (x: number): number => {
  const inner = () => x
  return inner()
}
function named(row: Row) {
  return row.id
}
export const table = {
  post: (x: number) => x,
  name: 'a table',
}
named({ id: a })
`

describe('a changed line', () => {
  test.each<[string, number, string[], boolean]>([
    ['of an import touches nothing', 1, [], false],
    ['of a constant touches the file', 3, [], true],
    ['of a type touches nothing', 4, [], false],
    ['of a function touches it and those inside', 6, ['inner', 'outer'], false],
    ['of a declared function touches it', 10, ['named'], false],
    ['of a table touches its functions', 13, ['post'], false],
    ['of a call touches the file', 16, [], true],
  ])('%s', (_, line, names, isWhole) => {
    const touched = touchedIn('a.ts', SOURCE, [[line, line]])
    expect([...touched.names].sort()).toEqual(names)
    expect(touched.isWhole).toBe(isWhole)
  })

  test('of SQL is known by its functions', () => {
    const text = 'CREATE OR REPLACE FUNCTION pays(a int) …;\nCREATE FUNCTION owes() …;'
    expect(functionsOfSql(text)).toEqual(['pays', 'owes'])
  })
})

const recorded = (file: string, functions: Record<string, string[]>, sql: string[] = []) => ({
  file,
  seconds: 10,
  functions,
  sql,
})
const records = [
  recorded('server/wide.test.ts', { 'server/a/post.ts': ['post', 'read'], 'server/b.ts': ['b'] }),
  recorded('server/narrow.test.ts', { 'server/a/post.ts': ['post'] }, ['pays']),
  recorded('server/a/near.test.ts', { 'server/a/post.ts': ['post', 'read', 'other', 'more'] }),
  recorded('server/far.test.ts', { 'server/c.ts': ['c'] }),
]
const change = (names: string[], more = {}) => ({
  path: 'server/a/post.ts',
  names: new Set(names),
  isWhole: false,
  ...more,
})

test('tests are picked near first, then the narrowest', () => {
  const bounds = { changedTests: ['server/own.test.ts'], seconds: 20 }
  expect(pick(records, [change(['post'])], bounds)).toEqual({
    files: ['server/own.test.ts', 'server/a/near.test.ts', 'server/narrow.test.ts'],
    leftOut: ['server/wide.test.ts'],
  })
})

test('only tests that ran what changed are picked', () => {
  const bounds = { changedTests: [], seconds: 1_000 }
  const filesFor = (...changes: ReturnType<typeof change>[]) => pick(records, changes, bounds).files
  expect(filesFor(change(['read']))).toEqual(['server/a/near.test.ts', 'server/wide.test.ts'])
  expect(filesFor(change([], { isWhole: true }))).toHaveLength(3)
  expect(filesFor(change([], { path: 'server/pays.sql', sqlNames: ['pays'] }))).toEqual([
    'server/narrow.test.ts',
  ])
  expect(filesFor(change(['unknown']))).toEqual([])
})

test('a file over its budget of seconds fails', () => {
  const costs = [
    { file: 'contract/base/money.test.ts', seconds: 1_000 },
    { file: 'e2e/queue.spec.ts', seconds: 1 },
    { file: 'e2e/queue.spec.ts', seconds: 1_000 },
    { file: 'contract/base/lists.test.ts', seconds: 0.1 },
    { file: 'contract/base/csv.test.ts', seconds: null },
  ]
  expect(overBudget(costs).map(({ file, status }) => [file, status])).toEqual([
    ['contract/base/money.test.ts', 'failed'],
    ['e2e/queue.spec.ts', 'failed'],
  ])
})

test('each line of the second tier names tests', () => {
  const files = globSync('{server,faults,ops,sandbox,e2e}/**/*.{test,spec}.ts', {
    cwd: ROOT,
    exclude: (path) => path.endsWith('node_modules'),
  }).map((path) => path.replaceAll('\\', '/'))
  for (const { paths, except = [] } of SECOND_TIER)
    for (const path of [...paths, ...except])
      expect(
        files.filter((file) => file.startsWith(path)),
        path,
      ).not.toEqual([])
  expect(isSecond('e2e/story.spec.ts')).toBe(false)
  expect(isSecond('e2e/queue.spec.ts')).toBe(true)
})
