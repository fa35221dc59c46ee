import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from '../root.mjs'
import { openGuard } from './guarded.mjs'

let directory: string
let record: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pool-guarded-'))
  record = join(directory, 'record.test.ts')
  write('part.ts', 'a part')
  write('suite.test.ts', 'a suite')
})
afterEach(() => rmSync(directory, { recursive: true }))

const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
const guard = () => {
  const own = relative(ROOT, directory)
  const suite = { name: 'Own', tests: [join(own, 'suite.test.ts')], guards: [own] }
  const { leftOut, remember } = openGuard({ suites: [suite], record })
  const finish = (...statuses: readonly string[]) =>
    remember(statuses.map((status) => ({ file: suite.tests[0], status })))
  return { leftOut: leftOut.map(({ name }) => name), finish }
}

test('a passed suite is left out until its part changes', () => {
  const first = guard()
  expect(first.leftOut).toEqual([])
  first.finish('passed', 'skipped')
  expect(guard().leftOut).toEqual(['Own'])
  // Tests beside a part guard it and are none of it.
  write('other.test.ts', 'another suite')
  expect(guard().leftOut).toEqual(['Own'])
  write('part.ts', 'another part')
  expect(guard().leftOut).toEqual([])
  guard().finish('passed')
  write('suite.test.ts', 'a new suite')
  expect(guard().leftOut).toEqual([])
})

test.each([
  ['fails', ['passed', 'failed']],
  ['is skipped', ['skipped']],
  ['does not run', []],
])('a suite that %s runs again', (_, statuses) => {
  guard().finish(...statuses)
  expect(guard().leftOut).toEqual([])
})
