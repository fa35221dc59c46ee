import { expect, test } from 'vitest'
import { findUntold, findUnused, findUpward, findViolations, readmeOf } from './boundaries.ts'
import type { Room } from './room.ts'
import { rooms, written } from './rooms.ts'
import { parseSource, readSources } from './sources.ts'

const violationsOf = (files: Record<string, string>) =>
  findViolations(Object.entries(files).map(([path, text]) => parseSource(path, text)))

test('every import fits the table of rooms', () => {
  const sources = readSources()
  expect([...findViolations(sources), ...findUnused(sources)]).toEqual([])
})

test('every room names only rooms below it', () => {
  expect(findUpward(rooms, written)).toEqual([])
})

test('the README of a district names its rooms', () => {
  expect(findUntold(readmeOf)).toEqual([])
  expect(findUntold(() => '').join('\n')).toMatch(
    'server/http/README.md does not name the room serving',
  )
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
  ['nothing for a room below', [room('b'), room('a', ['b'], ['b'])], []],
])('the table of rooms reports %s', (_, table, sentences) => {
  expect(findUpward(table)).toEqual(sentences.map((each) => expect.stringMatching(each)))
})

test('a permitted import that is unused is found', () => {
  const source = parseSource('bench/x.ts', "import '../server/base/db/errors.ts'")
  const unused = findUnused([source]).join('\n')
  expect(unused).toMatch('bench may import contract and does not')
  expect(unused).not.toMatch('bench may import server and')
})

test('a door that no other district uses is found', () => {
  const source = parseSource('server/chain/rates/x.ts', "import '../../base/db/errors.ts'")
  const unused = findUnused([source]).join('\n')
  expect(unused).toMatch('server/base/lists is a door that no other district uses')
  expect(unused).not.toMatch('server/base/db is')
})

test.each([
  [
    'the contract imports no room of the server',
    { 'contract/base/money.ts': "import { x } from '../../server/base/configuration/config.ts'" },
    /may not import server\/base\/configuration/,
  ],
  [
    'the contract imports no package but zod',
    { 'contract/base/money.ts': "import pg from 'pg'" },
    /may not import the package pg/,
  ],
  [
    'a verb does not import the HTTP room',
    {
      'server/requests/transactions/pay.ts': "import { route } from '../../http/serving/route.ts'",
    },
    /may not import server\/http\/serving/,
  ],
  [
    'a verb does not import Fastify',
    { 'server/requests/transactions/pay.ts': "import type { FastifyRequest } from 'fastify'" },
    /may not import the package fastify/,
  ],
  [
    'a verb asks for parts of the context',
    {
      'server/requests/transactions/pay.ts': "import type { Context } from '../../http/context.ts'",
    },
    /may not import the whole Context/,
  ],
  [
    'the ledger imports no room that posts',
    { 'server/ledger/engine/post.ts': "export { pay } from '../../requests/transactions/pay.ts'" },
    /may not import server\/requests\/transactions/,
  ],
  [
    'the database does not import the ledger',
    { 'server/base/db/x.ts': "const l = await import('../../ledger/engine/ledger.ts')" },
    /may not import server\/ledger/,
  ],
  [
    'the web app does not import the server',
    {
      'web/app/pages/records/audit/x.tsx':
        "import type { Context } from '../../../../../server/http/context.ts'",
    },
    /may not import server/,
  ],
  [
    'shared pieces do not import the API',
    { 'web/app/ui/x.tsx': "import { useBalance } from '../api/requests/transactions.ts'" },
    /may not import web\/app\/api/,
  ],
  [
    'a small piece does not import a chart',
    { 'web/app/ui/x.tsx': "import { Plot } from './chart/Plot.tsx'" },
    /may not import web\/app\/ui\/chart/,
  ],
  [
    'the shared HTTP code imports no noun',
    { 'web/app/api/http/x.ts': "import { useBalance } from '../requests/transactions.ts'" },
    /may not import web\/app\/api\/requests\/transactions/,
  ],
  [
    'a page does not import another page',
    {
      'web/app/pages/records/audit/x.tsx':
        "import { Code } from '../../admin/figures/StatCards.tsx'",
    },
    /may not import web\/app\/pages\/admin/,
  ],
  [
    'a panel does not import its page',
    {
      'web/app/panels/story/x.tsx': "const d = await import('../../pages/dashboard/Dashboard.tsx')",
    },
    /may not import web\/app\/pages\/dashboard/,
  ],
  [
    'a style sheet counts as an import',
    { 'web/app/tables/x.tsx': "import classes from '../pages/admin/cells.module.css'" },
    /may not import web\/app\/pages\/admin/,
  ],
  [
    'a query names a table of the ledger',
    { 'server/accounts/users/x.ts': "db.selectFrom('accounts').selectAll()" },
    /names a table of the ledger/,
  ],
  [
    'a query names movements of the ledger',
    { 'server/operator/telemetry/x.ts': 'sql`SELECT FROM movements`' },
    /names a table of the ledger/,
  ],
  [
    'a query names contributions of the ledger',
    { 'server/records/audit/x.ts': "db.selectFrom('contributions')" },
    /names a table of the ledger/,
  ],
  [
    'a function names closing balances of the ledger',
    { 'server/records/audit/x.sql': 'SELECT FROM closing_balances' },
    /names a table of the ledger/,
  ],
  [
    'plain SQL names a table of the ledger',
    { 'server/operator/jobs/x.ts': 'sql`DELETE FROM transfers`' },
    /names a table of the ledger/,
  ],
  [
    'a list of tables names one of the ledger',
    { 'server/accounts/users/x.ts': "db.selectFrom(['users', 'accounts'])" },
    /names a table of the ledger/,
  ],
  [
    'quoted SQL names a table of the ledger',
    { 'server/accounts/users/x.ts': 'sql`SELECT FROM "accounts"`' },
    /names a table of the ledger/,
  ],
  [
    'SQL names a table with its schema',
    { 'server/accounts/users/x.ts': 'sql`SELECT FROM public.transfers`' },
    /names a table of the ledger/,
  ],
  [
    'TRUNCATE names a table of the ledger',
    { 'server/accounts/users/x.ts': 'sql`TRUNCATE transfers`' },
    /names a table of the ledger/,
  ],
  [
    'a function names a table of the ledger',
    { 'server/accounts/users/x.sql': 'BEGIN DELETE FROM transfers; END' },
    /names a table of the ledger/,
  ],
  [
    'a trigger names a table of the ledger',
    { 'server/accounts/users/triggers.sql': 'BEFORE UPDATE ON accounts' },
    /names a table of the ledger/,
  ],
  [
    'LOCK TABLE names a table of the ledger',
    { 'server/accounts/users/x.sql': 'LOCK TABLE users, accounts' },
    /names a table of the ledger/,
  ],
  [
    'an imported type counts as an import',
    {
      'server/requests/transactions/pay.ts':
        "export type R = import('../../http/serving/route.ts').Route",
    },
    /may not import server\/http\/serving/,
  ],
  [
    'a district does not import the one above',
    { 'server/base/process/x.ts': "import { ask } from '../../ledger/engine/ask.ts'" },
    /may not import server\/ledger\/engine/,
  ],
  [
    'a district imports only the doors of another',
    { 'server/accounts/users/x.ts': "import { ask } from '../../base/migrations/ask.ts'" },
    /may not import server\/base\/migrations/,
  ],
  [
    'two rooms of a district that import each other form a cycle',
    {
      'server/base/process/x.ts': "import { ask } from '../postgres/cluster.ts'",
      'server/base/postgres/y.ts': "import { x } from '../process/log.ts'",
    },
    /rooms form a cycle: server\/base\/process → server\/base\/postgres → server\/base\/process/,
  ],
  [
    'a browser test imports no room of the server',
    { 'e2e/x.spec.ts': "import { ask } from '../server/accounts/users/roles.ts'" },
    /may not import server\/accounts\/users/,
  ],
  [
    'a room does not import a room inside another',
    { 'web/app/panels/idle/x.ts': "import { ask } from '../../api/http/ask.ts'" },
    /may not import web\/app\/api\/http/,
  ],
  ['a new file in the server has no room', { 'server/x.ts': '' }, /without a place/],
  ['a new district in the server has no room', { 'server/helpers/x.ts': '' }, /without a place/],
  [
    'a new folder in a district has no room',
    { 'server/chain/helpers/x.ts': '' },
    /without a place/,
  ],
  ['a loose file in a district has no room', { 'server/chain/x.ts': '' }, /without a place/],
  ['a new folder in the web app has no room', { 'web/app/helpers/x.ts': '' }, /without a place/],
  ['a loose page of the web app has no room', { 'web/app/pages/x.tsx': '' }, /without a place/],
  ['a new file in the web app has no room', { 'web/app/x.ts': '' }, /without a place/],
  ['a new folder in the contract has no room', { 'contract/deep/x.ts': '' }, /without a place/],
  [
    'two files that import each other form a cycle',
    {
      'server/accounts/users/a.ts': "import './b.ts'",
      'server/accounts/users/b.ts': "import './a.ts'",
    },
    /cycle: server\/accounts\/users\/a\.ts → server\/accounts\/users\/b\.ts → server\/accounts\/users\/a\.ts/,
  ],
])('%s', (_, files, sentence) => {
  expect(violationsOf(files as Record<string, string>).join('\n')).toMatch(sentence)
})

test('the ledger and the migrations may name its tables', () => {
  const sql = 'UPDATE accounts SET balance = 0'
  expect(
    violationsOf({ 'server/ledger/sql/x.sql': sql, 'server/base/migrations/0099-x.sql': sql }),
  ).toEqual([])
})

test('a comment may name a table of the ledger', () => {
  expect(violationsOf({ 'server/accounts/users/x.sql': '-- Not an account of accounts.' })).toEqual(
    [],
  )
})

test('routes may import HTTP, the whole context and Fastify', () => {
  expect(
    violationsOf({
      'server/accounts/users/routes.ts':
        "import { route } from '../../http/serving/route.ts'\nimport type { Context } from '../../http/context.ts'\nimport type { FastifyInstance } from 'fastify'",
    }),
  ).toEqual([])
})
