import { storageKeys } from '@pool/contract/accounts/session'
import { endpoints } from '@pool/contract/base/endpoints'
import * as messages from '@pool/contract/base/messages'
import * as validation from '@pool/contract/base/validation'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

/** The contract's sentences and paths; shorter strings may stand elsewhere by chance. */
const owned = new Set(
  [
    ...[...Object.values(messages), ...Object.values(validation)].flatMap((value) =>
      typeof value === 'object' ? Object.values(value) : typeof value === 'string' ? [value] : [],
    ),
    ...Object.values(endpoints).map(({ path }) => path),
    storageKeys.role,
  ].filter((text) => text.length > 7),
)

/** The string literals and markup texts of a source. */
const stringsIn = (path: string, text: string): string[] => {
  const found: string[] = []
  JSON.stringify(parseSync(path, text).program, (_, node) => {
    if (node?.type === 'Literal' && typeof node.value === 'string') found.push(node.value)
    if (node?.type === 'JSXText') found.push(node.value.trim())
    if (node?.type === 'TemplateElement') found.push(node.value.raw)
    return typeof node === 'bigint' ? String(node) : node
  })
  return found
}

test('the contract alone spells its sentences and paths', () => {
  const repeated = readSources()
    .filter(({ path }) => /^(server|web)\//.test(path) && !/\.test\.tsx?$/.test(path))
    .flatMap(({ path, text }) =>
      stringsIn(path, text).flatMap((string) =>
        owned.has(string) ? [`${path} repeats '${string}'`] : [],
      ),
    )
  expect(repeated).toEqual([])
})

test('a repeated sentence is found in code and markup', () => {
  const text =
    "const a = 'Passwords must match'; const b = <p>Please fill in all fields</p>; const c = `Login failed`"
  expect(stringsIn('web/x.tsx', text).filter((string) => owned.has(string))).toHaveLength(3)
})

/** Names of a group's statements, which stand beside each other in one text of SQL. */
const statementsIn = (text: string): string[] =>
  [...text.matchAll(/: Statement = \{\s+name: '(\w+)'/g)].flatMap(([, name = '']) => name)

test('no two statements of the ledger share a name', () => {
  const named = readSources()
    .filter(({ path }) => path.startsWith('server/ledger/'))
    .flatMap(({ text }) => statementsIn(text))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((name, at) => named.indexOf(name) !== at)).toEqual([])
})

test('one rule says by which networks money may move', () => {
  const repeated = readSources().filter(
    ({ path, text }) =>
      /^server\/(?!testing\/)/.test(path) &&
      !/\.test\.ts$/.test(path) &&
      /(^|[^=])(=|<>|IN \()\s*'FINE'/.test(text),
  )
  expect(repeated.map(({ path }) => path)).toEqual(['server/chain/nodes/stopped.ts'])
})
