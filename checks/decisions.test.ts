/** The decisions, their index, and the numbers by which code and documents name them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { districts } from './rooms.ts'
import { ROOT, trackedFiles } from './sources.ts'

const FOLDER = 'docs/decisions/'
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const files = trackedFiles()
const decisions = files.filter((path) => /^docs\/decisions\/\d{3}-/.test(path))
const index = textOf(`${FOLDER}README.md`)

test('the index lists each decision once', () => {
  const listed = [...index.matchAll(/^- \[(\d+)\]\(((\d{3})-[^)]+)\): \S/gm)]
  expect(listed.filter(([, shown, , number]) => Number(shown) !== Number(number))).toEqual([])
  expect(listed.map(([, , name]) => `${FOLDER}${name}`).sort()).toEqual(decisions)
  expect(index.match(/^- /gm)).toHaveLength(decisions.length)
})

test('the index groups decisions by district, lowest first', () => {
  const headings = [...index.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  const named = districts.map(({ path }) => path.replace('server/', ''))
  expect(headings).toEqual([...named, 'web', 'The repository'])
})

/** Reads `decision 5`, `decisions 11 and 16` and `docs/decisions/057, 071`, also over two lines. */
const NAMED = /\bdecisions?(?:\/|(?:\s|\*|\/\/|--)+)\[?(\d{1,3}\b(?:(?:,| and) \d{1,3}\b)*)/gi

test('each decision that a text names by number exists', () => {
  const kept = new Set(
    decisions.map((path) => Number(path.slice(FOLDER.length, FOLDER.length + 3))),
  )
  const missing = files
    .filter((path) => /\.(tsx?|mjs|sql|md)$/.test(path) && !path.startsWith(FOLDER))
    .flatMap((path) =>
      [...textOf(path).matchAll(NAMED)].flatMap(([, numbers = '']) =>
        (numbers.match(/\d+/g) ?? [])
          .filter((number) => !kept.has(Number(number)))
          .map((number) => `${path} names decision ${number}`),
      ),
    )
  expect(missing).toEqual([])
})
