/** The drawing in ARCHITECTURE.md and the READMEs of the districts, held against the imports. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allRoomsOf } from './room.ts'
import { districts } from './rooms.ts'
import { ROOT, readSources } from './sources.ts'

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const nameOf = (path: string): string => /^server\/(\w+)\//.exec(path)?.[1] ?? ''
const names = districts.map(({ path }) => nameOf(`${path}/`))

/** The districts that the files of each import. Tests may import any. */
const imports = new Map(names.map((name) => [name, new Set<string>()]))
for (const { path, files } of readSources())
  if (!path.endsWith('.test.ts'))
    for (const file of files)
      if (names.includes(nameOf(file)) && nameOf(file) !== nameOf(path))
        imports.get(nameOf(path))?.add(nameOf(file))

/** True where one import leads to another one, over any number of districts. */
const leadsTo = (from: string, to: string): boolean =>
  [...(imports.get(from) ?? [])].some((each) => each === to || leadsTo(each, to))

test('ARCHITECTURE.md draws the imports of districts', () => {
  const drawn = [...textOf('ARCHITECTURE.md').matchAll(/^ {2}(\w+) --> (\w+)$/gm)]
  const arrows = [...imports].flatMap(([from, all]) =>
    [...all]
      .filter((to) => ![...all].some((each) => leadsTo(each, to)))
      .map((to) => `${from} → ${to}`),
  )
  expect(drawn.map(([, from, to]) => `${from} → ${to}`).sort()).toEqual(arrows.sort())
})

test.each(districts)('the README of $path names its rooms and imports', (district) => {
  const { path } = district
  const readme = textOf(`${path}/README.md`)
  const missing = allRoomsOf(district)
    .map((room) => room.slice(`${path}/`.length))
    .filter((room) => !new RegExp(`^- .*\`${room}\`.*:`, 'm').test(readme))
  expect(missing).toEqual([])
  const all = [...(imports.get(nameOf(`${path}/`)) ?? [])]
  const sentence = /^It may import [^.]*\./m.exec(readme)?.[0] ?? ''
  const named = sentence.match(/(?<=`)\w+(?=`)/g) ?? []
  expect(sentence.includes('every other district') ? all.sort() : [...named].sort()).toEqual(
    all.sort(),
  )
})
