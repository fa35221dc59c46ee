import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../sources.ts'
import { mutantsOf } from './mutants.ts'
import { mutatedRooms } from './rooms.ts'

const SOURCE = `type Sum<Left> = Left extends 0 ? 1 : 2
export const pay = (owed: number, paid: number): string => {
  if (paid > owed) throw new Error('too much')
  return owed - paid === 0 ? 'paid' : 'owes ' + owed
}
`

/** The source with each fault planted, as its changed line. */
const planted = mutantsOf('pay.ts', SOURCE).map(({ start, end, text, line }) => {
  const changed = SOURCE.slice(0, start) + text + SOURCE.slice(end)
  return changed.split('\n')[line - 1]?.trim()
})

test('operators are swapped and guards are removed', () => {
  expect(planted).toEqual([
    ';',
    "if (paid >= owed) throw new Error('too much')",
    "return owed - paid !== 0 ? 'paid' : 'owes ' + owed",
    "return owed + paid === 0 ? 'paid' : 'owes ' + owed",
  ])
})

test('every room names sources that exist', () => {
  const paths = mutatedRooms.flatMap(({ sources }) => sources)
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
