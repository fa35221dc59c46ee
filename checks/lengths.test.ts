import { expect, test } from 'vitest'
import { findLong } from './lengths.ts'

const lines = (count: number, line: string): string => `${line}\n`.repeat(count)
/** A function whose body has this text, and the two lines of its braces. */
const made = (body: string, head = 'const f = () =>'): string => `${head} {\n${body}}\n`

test.each([
  ['an arrow function', 'x.ts', made(lines(59, 'a()')), 'x.ts:1 is a function of 61 lines'],
  ['a function', 'x.mjs', made(lines(59, 'a()'), 'function f()'), 'a function of 61 lines'],
  ['a callback', 'x.ts', `run(\n${made(lines(59, 'a()'), '() =>')})`, 'x.ts:2 is a function'],
  ['a helper of tests', 'x.test.ts', made(lines(59, 'a()')), 'say why not'],
  [
    'a function in a long one',
    'x.ts',
    made(`// Long: a reason.\n${made(lines(60, 'a()'))}`),
    'x.ts:3 is a function of 62 lines',
  ],
  [
    'a short one',
    'x.ts',
    made('// Long: it was.\na()\n'),
    'x.ts:2 gives a reason, and no function',
  ],
])('%s at fault with its length is found', (_, path, text, fault) => {
  expect(findLong({ path, text }).join('\n')).toContain(fault)
})

test.each([
  ['58 lines in braces', 'x.ts', made(lines(58, 'a()'))],
  ['comments and blank lines', 'x.ts', made(`${lines(40, 'a()')}${lines(40, '\n// b')}`)],
  ['a long text', 'x.ts', made(`sql\`\n${lines(80, 'SELECT')}\`\n`)],
  ['long markup', 'x.tsx', made(`return (\n<p>\n${lines(80, 'text')}</p>\n)\n`)],
  ['a reason in its body', 'x.ts', made(`// Long: a reason.\n${lines(80, 'a()')}`)],
  ['a reason above', 'x.ts', `/** A fact.\n * Long: a reason. */\n${made(lines(80, 'a()'))}`],
  ['a story for a test', 'x.test.ts', `test('a', ${made(lines(80, 'a()'), 'async () =>')})`],
  ['a table for tests', 'x.ts', `test.each([])('a', ${made(lines(80, 'a()'), '() =>')})`],
])('a function with %s is accepted', (_, path, text) => {
  expect(findLong({ path, text })).toEqual([])
})
