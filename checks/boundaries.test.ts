import { expect, test } from 'vitest'
import { findUnused, findUpward, findViolations } from './boundaries.ts'
import { type Room, rooms } from './rooms.ts'
import { parseSource, readSources } from './sources.ts'

const violationsOf = (files: Record<string, string>) =>
  findViolations(Object.entries(files).map(([path, text]) => parseSource(path, text)))

test('the layout holds', () => {
  const sources = readSources()
  expect([...findViolations(sources), ...findUnused(sources)]).toEqual([])
})

test('every room names only rooms below it', () => {
  expect(findUpward(rooms)).toEqual([])
})

const room = (path: string, below: string[] = [], routes: string[] = []): Room => ({
  path,
  below,
  routes,
})
test.each([
  ['a room above', [room('a', ['b']), room('b')], ['a names b, which is no room below it']],
  ['a file of a room above', [room('a', ['b/x.ts']), room('b')], [/a names b\/x\.ts/]],
  ['two rooms that name each other', [room('a', ['b']), room('b', ['a'])], [/a names b/]],
  ['itself', [room('a', ['a'])], [/a names a/]],
  ['a room that is not there', [room('a', ['c'])], [/a names c/]],
  ['a room above, for its routes', [room('a', [], ['b']), room('b')], [/a names b/]],
  ['a room below', [room('b'), room('a', ['b'], ['b'])], []],
])('the table of rooms is read from below: %s', (_, table, sentences) => {
  expect(findUpward(table)).toEqual(sentences.map((each) => expect.stringMatching(each)))
})

test('a room may import nothing that it does not use', () => {
  const source = parseSource('server/lists/x.ts', "import '../db/errors.ts'")
  const unused = findUnused([source]).join('\n')
  expect(unused).toMatch('server/lists may import server/tallies, and does not')
  expect(unused).not.toMatch('server/lists may import server/db,')
  expect(unused).toMatch('server/users may import server/http, and does not')
})

test.each([
  [
    'the contract knows nobody',
    { 'contract/money.ts': "import { x } from '../server/config.ts'" },
    /may not import server\/config/,
  ],
  [
    'the contract needs only zod',
    { 'contract/money.ts': "import pg from 'pg'" },
    /may not import the package pg/,
  ],
  [
    'a verb does not know HTTP',
    { 'server/transactions/pay.ts': "import { route } from '../http/route.ts'" },
    /may not import server\/http/,
  ],
  [
    'a verb does not know Fastify',
    { 'server/transactions/pay.ts': "import type { FastifyRequest } from 'fastify'" },
    /may not import the package fastify/,
  ],
  [
    'the ledger does not know who uses it',
    { 'server/ledger/post.ts': "export { pay } from '../transactions/pay.ts'" },
    /may not import server\/transactions/,
  ],
  [
    'the database does not know the ledger',
    { 'server/db/x.ts': "const l = await import('../ledger/ledger.ts')" },
    /may not import server\/ledger/,
  ],
  [
    'the web app does not know the server',
    { 'web/app/pages/audit/x.tsx': "import type { Context } from '../../../../server/context.ts'" },
    /may not import server/,
  ],
  [
    'shared pieces do not call the server',
    { 'web/app/ui/x.tsx': "import { useBalance } from '../api/transactions.ts'" },
    /may not import web\/app\/api/,
  ],
  [
    'a small piece does not know a chart',
    { 'web/app/ui/x.tsx': "import { Plot } from './chart/Plot.tsx'" },
    /may not import web\/app\/ui\/chart/,
  ],
  [
    'what all calls share knows no noun',
    { 'web/app/api/http/x.ts': "import { useBalance } from '../transactions.ts'" },
    /may not import web\/app\/api\/transactions/,
  ],
  [
    'a page does not know another page',
    { 'web/app/pages/audit/x.tsx': "import { Code } from '../admin/StatCards.tsx'" },
    /may not import web\/app\/pages\/admin/,
  ],
  [
    'a panel does not know who shows it',
    {
      'web/app/panels/story/x.tsx': "const d = await import('../../pages/dashboard/Dashboard.tsx')",
    },
    /may not import web\/app\/pages\/dashboard/,
  ],
  [
    'a style sheet is an import too',
    { 'web/app/tables/x.tsx': "import classes from '../pages/admin/cells.module.css'" },
    /may not import web\/app\/pages\/admin/,
  ],
  [
    'only the ledger names its tables',
    { 'server/users/x.ts': "db.selectFrom('accounts').selectAll()" },
    /names a table of the ledger/,
  ],
  [
    'also in plain SQL',
    { 'server/jobs/x.ts': 'sql`DELETE FROM transfers`' },
    /names a table of the ledger/,
  ],
  [
    'also as one of several',
    { 'server/users/x.ts': "db.selectFrom(['users', 'accounts'])" },
    /names a table of the ledger/,
  ],
  [
    'also in quotes',
    { 'server/users/x.ts': 'sql`SELECT FROM "accounts"`' },
    /names a table of the ledger/,
  ],
  [
    'also with its schema',
    { 'server/users/x.ts': 'sql`SELECT FROM public.transfers`' },
    /names a table of the ledger/,
  ],
  [
    'also to empty it',
    { 'server/users/x.ts': 'sql`TRUNCATE transfers`' },
    /names a table of the ledger/,
  ],
  [
    'also in a function',
    { 'server/users/x.sql': 'BEGIN DELETE FROM transfers; END' },
    /names a table of the ledger/,
  ],
  [
    'also in a trigger',
    { 'server/users/triggers.sql': 'BEFORE UPDATE ON accounts' },
    /names a table of the ledger/,
  ],
  [
    'also among several in SQL',
    { 'server/users/x.sql': 'LOCK TABLE users, accounts' },
    /names a table of the ledger/,
  ],
  [
    'a type is an import too',
    { 'server/transactions/pay.ts': "export type R = import('../http/route.ts').Route" },
    /may not import server\/http/,
  ],
  [
    'a room does not know the one above it',
    { 'server/process/x.ts': "import { ask } from '../postgres/cluster.ts'" },
    /may not import server\/postgres/,
  ],
  [
    'the end-to-end tests do not know the rooms of the server',
    { 'e2e/x.spec.ts': "import { ask } from '../server/users/roles.ts'" },
    /may not import server\/users/,
  ],
  [
    'a room does not know the room inside another',
    { 'web/app/panels/idle/x.ts': "import { ask } from '../../api/http/ask.ts'" },
    /may not import web\/app\/api\/http/,
  ],
  ['a new file at the root of the server', { 'server/x.ts': '' }, /without a place/],
  ['a new room needs a place', { 'server/helpers/x.ts': '' }, /without a place/],
  ['also in the web app', { 'web/app/helpers/x.ts': '' }, /without a place/],
  ['also a folder of loose pages', { 'web/app/pages/x.tsx': '' }, /without a place/],
  ['also a new file at the root of the web app', { 'web/app/x.ts': '' }, /without a place/],
  ['the contract is flat', { 'contract/deep/x.ts': '' }, /without a place/],
  [
    'imports do not go round',
    { 'server/users/a.ts': "import './b.ts'", 'server/users/b.ts': "import './a.ts'" },
    /circle: server\/users\/a.ts → server\/users\/b.ts → server\/users\/a.ts/,
  ],
])('%s', (_, files, sentence) => {
  expect(violationsOf(files as Record<string, string>).join('\n')).toMatch(sentence)
})

test('the ledger and the numbered files name its tables', () => {
  const sql = 'UPDATE accounts SET balance = 0'
  expect(
    violationsOf({ 'server/ledger/sql/x.sql': sql, 'server/migrations/0099-x.sql': sql }),
  ).toEqual([])
})

test('a comment may name a table of the ledger', () => {
  expect(violationsOf({ 'server/users/x.sql': '-- Not an account of accounts.' })).toEqual([])
})

test('routes are where a noun meets HTTP', () => {
  expect(
    violationsOf({
      'server/users/routes.ts':
        "import { route } from '../http/route.ts'\nimport type { FastifyInstance } from 'fastify'",
    }),
  ).toEqual([])
})
