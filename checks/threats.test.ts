/** The tests that docs/threats.md names. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './sources.ts'

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const onOneLine = (text: string): string => text.replace(/\s+/g, ' ')
const threats = textOf('docs/threats.md').split('\n\n').map(onOneLine)

/** A file, and the parentheses behind it, which quote names of its tests. */
const NAMED = /`([^` ]+\.tsx?)` ?\(([^)]*)\)/g

/** Names in the text that their file lacks. A `…` stands for a part that the file computes. */
const findUnknown = (text: string, read = textOf): string[] =>
  [...text.matchAll(NAMED)].flatMap(([, file = '', words = '']) =>
    [...words.matchAll(/'([^']+)'/g)]
      .map(([, name = '']) => name)
      .filter((name) => {
        const found = onOneLine(read(file))
        return !name.split('…').every((part) => found.includes(part))
      })
      .map((name) => `${file} has no test '${name}'`),
  )

test('each test that a threat names exists', () => {
  expect(threats.flatMap((text) => findUnknown(text))).toEqual([])
})

test('a name that its file lacks is found', () => {
  const read = () => "test('a true\n  name of one', () => {})"
  const text = "Shown: `a.test.ts` ('a true name', '… of one', 'a false one')."
  expect(findUnknown(text, read)).toEqual(["a.test.ts has no test 'a false one'"])
})

test('each threat says what shows its answer', () => {
  const since95 = threats.filter((text) => Number(/^\*\*T(\d+)\./.exec(text)?.[1]) >= 95)
  expect(since95.length).toBeGreaterThan(20)
  const unshown = since95.filter((text) => !/Shown[^`]*`[^`]+\.tsx?`/.test(text))
  expect(unshown.map((text) => text.slice(0, 40))).toEqual([])
})
