import { expect, test } from 'vitest'
import { documentFaults, findAllFaults, sourceFaults } from './prose.ts'

test('the prose of the repository holds the rules', () => {
  expect(findAllFaults()).toEqual([])
})

const lines = (count: number, start: string): string =>
  Array.from({ length: count }, () => `${start} A fact.`).join('\n')

test.each([
  ['a long block', 'x.ts', `/**\n${lines(3, ' *')}\n */`, 'x.ts:2 is a comment of 3 lines'],
  ['many single lines', 'x.ts', lines(3, '//'), 'x.ts:1 is a comment of 3 lines'],
  ['many lines of SQL', 'x.sql', `SELECT 1;\n${lines(3, '--')}`, 'x.sql:2 is a comment of 3'],
  ['a question', 'x.ts', '/** Fine. What it is. */', "x.ts:1 begins a sentence with 'What'"],
  ['a question over two lines', 'x.mjs', '// Fine.\n// How\n// it is.', "sentence with 'How'"],
  ['a vague subject', 'x.tsx', 'const a = <p>{/* Nobody. */}</p>', "x.tsx:1 says 'Nobody'"],
  ['history', 'x.sql', '-- It is no longer so.', "x.sql:1 says 'no longer'"],
  ['a retired word', 'x.ts', '// Gathers look-ups.', "x.ts:1 says 'Gathers' for 'batch'"],
])('a comment with %s is found', (_, path, text, fault) => {
  expect(sourceFaults({ path, text }).join('\n')).toContain(fault)
})

test.each([
  ['two lines', 'x.ts', `/**\n${lines(2, ' *')}\n */`],
  ['code between', 'x.ts', `${lines(2, '//')}\nf()\n${lines(2, '//')}`],
  ['text in code', 'x.ts', "const a = 'What nobody knows'"],
  ['a word in backquotes', 'x.ts', '/** Reads `whoever`. */'],
])('a comment with %s is accepted', (_, path, text) => {
  expect(sourceFaults({ path, text })).toEqual([])
})

test.each([
  ["test('too short', f)", "'too short', which has 2 words"],
  ["test.each([])('%s one two three four five six seven eight nine ten', f)", '11 words'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a source
  ['test(`${path} a b c d e f g h i j`, f)', '11 words'],
  ["test.skip('gone', f)", "'gone', which has 1 words"],
])('the test name in %s is found', (text, fault) => {
  expect(sourceFaults({ path: 'x.test.ts', text }).join('\n')).toContain(fault)
})

test.each([
  "test('a name of five words', f)",
  "test.each([])('%s passes', f)",
  "test.step('sign in', f)",
  "regex.test('short')",
])('the names in %s are accepted', (text) => {
  expect(sourceFaults({ path: 'x.test.ts', text })).toEqual([])
})

test.each([
  ['a paragraph', 'A fact.\nWhoever reads\nthis.', 'Whoever'],
  ['a list item', '- **How.** A fact.', 'How'],
  ['a second sentence', '1. One. Where two.', 'Where'],
])('%s that begins vaguely is found', (_, text, opening) => {
  expect(documentFaults({ path: 'x.md', text }).join('\n')).toContain(
    `x.md begins a sentence with '${opening}'`,
  )
})

test.each([
  ['a row over two lines', '| a | b |\n| - | - |\n| one\n| two |'],
  ['a row without an end', '- A list:\n\n  | a | b |\n  | - | - |\n  | one | two'],
  ['no line below the heading', '| a | b |\n| one | two |'],
])('a table with %s is found', (_, text) => {
  expect(documentFaults({ path: 'x.md', text })).toEqual(['x.md has a broken table: | a | b |'])
})

test('a whole table may have any width', () => {
  const text = `| a |\n| :-: |\n| \`x \\| y\` ${'wide '.repeat(50)}|\n\nText.\n\n| b | c |\n| - | - |\n`
  expect(documentFaults({ path: 'x.md', text })).toEqual([])
})

test('tables, headings, code and link targets are no prose', () => {
  const text = '# What\n\n| How |\n| --- |\n\n```sh\n# Who\n```\n\nSee [it](nobody.md).\n'
  expect(documentFaults({ path: 'x.md', text })).toEqual([])
})
