import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const note = readFileSync(join(root, 'docs', 'scaling.md'), 'utf8')
const section = (number: number): string =>
  note.slice(note.indexOf(`\n## ${number}.`), note.indexOf(`\n## ${number + 1}.`))

test('docs/scaling.md gives every table one place', () => {
  const schema = readFileSync(join(root, 'server', 'base', 'migrations', 'schema.sql'), 'utf8')
  const tables = [...schema.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = '']) => name)
  const rows = note
    .slice(note.indexOf('\n## 7.'))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|')[2] ?? '')
  const placed = [...rows.join(' ').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
  const columns = ['owner_id', 'user_id']
  expect(placed.filter((name) => !columns.includes(name)).sort()).toEqual(tables.sort())
})

test('docs/scaling.md judges every invariant', () => {
  const promises = section(6)
    .split('\n')
    .filter((line) => line.startsWith('| I'))
    .flatMap((line) => (line.split('|')[1] ?? '').match(/I\d+/g) ?? [])
  expect(promises).toEqual(Array.from({ length: 13 }, (_, index) => `I${index + 1}`))
})
