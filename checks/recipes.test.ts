/** The recipes of CONTRIBUTING.md, each held against the change that it names. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './sources.ts'

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const [, chapter = ''] = /^## Recipes\n([\s\S]*?)^## /m.exec(textOf('CONTRIBUTING.md')) ?? []

/** A recipe: the name of its example, if no other code has it, and the parts of its files. */
const recipes = chapter.split(/^(?=\*\*)/m).flatMap((text) => {
  const [, title, rest = ''] = /^\*\*(.*?)\*\*(.*)/.exec(text) ?? []
  if (title === undefined) return []
  const lines = text.matchAll(/^- `([^`]+)` has ((?:`[^`]+`(?:, | and )?)+)/gm)
  const parts = [...lines].flatMap(([, file = '', list = '']) =>
    [...list.matchAll(/`([^`]+)`/g)].map(([, part = '']) => ({ file, part })),
  )
  return [{ title, example: /`([^`]+)`/.exec(rest)?.[1], parts }]
})

/** Files of the product, without tests, that name the example as a whole word. */
const filesNaming = (example: string): string[] =>
  execFileSync(
    'git',
    ['grep', '-lwF', example, '--', 'contract', 'server', 'web', ':!*.test.ts', ':!server/testing'],
    { cwd: ROOT, encoding: 'utf8' },
  )
    .split('\n')
    .filter((path) => path !== '')

test('every ordinary change has its recipe', () => {
  expect(recipes.map(({ title }) => title)).toEqual([
    'A setting',
    'A movement of money',
    'An act of two people',
    'A filter of a list',
    'A page',
  ])
})

test.each(recipes)('$title is added as its recipe says', ({ example, parts }) => {
  expect(parts.length).toBeGreaterThan(3)
  expect(parts.filter(({ file, part }) => !textOf(file).includes(part))).toEqual([])
  const named = new Set(parts.map(({ file }) => file))
  if (example !== undefined)
    expect(filesNaming(example).filter((path) => !named.has(path))).toEqual([])
})
