import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { idOf, KEY_LENGTH, keysOf } from '../../base/keys/keys.ts'
import { contentOf, type Mark, makeBackup } from './manifest.ts'
import { deleteBackup, divideBackups, firstSegmentOf, nameOf, nextNumber } from './retention.ts'

const newKeys = () => {
  const bytes = randomBytes(KEY_LENGTH)
  return keysOf([{ id: idOf(bytes), bytes }])
}
const keys = newKeys()
const DAY = 86_400_000

let directory: string
let days: number
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pool-retention-'))
  days = 0
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

type Made = Mark & { readonly at?: Date; readonly cluster?: string; readonly by?: typeof keys }

/** Makes a backup that is a day younger than the last one, with the files that retention reads. */
const make = async ({ at, cluster = 'cluster1', by = keys, ...mark }: Made): Promise<string> => {
  days += 1
  const moment = at ?? new Date(Date.UTC(2026, 0, 1) + days * DAY)
  const target = join(directory, nameOf(moment))
  await makeBackup(target, by, async (draft) => {
    const control = 'postgres/global/pg_control'
    mkdirSync(join(draft, 'postgres/global'), { recursive: true })
    writeFileSync(join(draft, control), `${cluster} and more`)
    return {
      kind: 'cluster' as const,
      ...mark,
      startedAt: moment.toISOString(),
      finishedAt: moment.toISOString(),
      postgres: '18.0',
      firstSegment: `00000001000000000000000${days}`,
      lastSegment: `00000001000000000000000${days}`,
      files: { [control]: await contentOf(join(draft, control)) },
    }
  })
  return target
}
/** Makes the pool's next backup as the command does. */
const makeNext = async (more: Made = {}) =>
  make({ pool: 'ours', number: await nextNumber(directory, keys), ...more })

const divide = async (newest: string, keep: number) => {
  const divided = await divideBackups(directory, { newest, keep, keys })
  return {
    kept: divided.kept.map(({ path }) => path),
    older: divided.older.map(({ path }) => path),
    ignored: Object.fromEntries(divided.ignored.map(({ path, reason }) => [path, reason])),
    needed: firstSegmentOf(divided.kept),
  }
}

test('the newest are kept and older ones named', async () => {
  const [a, b, c] = [await makeNext(), await makeNext(), await makeNext()]
  expect(await divide(c, 2)).toEqual({
    kept: [c, b],
    older: [a],
    ignored: {},
    needed: '000000010000000000000002',
  })
  expect(await divide(c, 9)).toMatchObject({ kept: [c, b, a], older: [] })
})

test('folders that are no backup neither count nor go', async () => {
  const [a, b] = [await makeNext(), await makeNext()]
  const later = (hour: number) => join(directory, nameOf(new Date(Date.UTC(2099, 0, 1, hour))))
  mkdirSync(later(1))
  writeFileSync(later(2), '')
  symlinkSync(a, later(3))
  mkdirSync(later(4))
  writeFileSync(join(later(4), 'manifest.json'), '{"kind":"cluster","files":{},"number":99}')
  mkdirSync(join(directory, 'notes'))
  expect(await nextNumber(directory, keys)).toBe(3)
  const c = await makeNext()
  const { kept, older, ignored } = await divide(c, 2)
  expect([kept, older]).toEqual([[c, b], [a]])
  expect(ignored).toEqual({
    [later(1)]: expect.stringContaining('is not a backup'),
    [later(2)]: expect.stringContaining('is not a directory'),
    [later(3)]: expect.stringContaining('is not a directory'),
    [later(4)]: expect.stringContaining('was not signed with a key of this product'),
  })
})

test('a backup of another pool or product never counts', async () => {
  const a = await makeNext()
  const other = await makeNext({ pool: 'theirs' })
  const stranger = await makeNext({ by: newKeys() })
  const b = await makeNext()
  expect(await divide(b, 1)).toMatchObject({
    kept: [b],
    older: [a],
    ignored: {
      [other]: 'It is of another pool.',
      [stranger]: expect.stringContaining('was not signed with a key'),
    },
  })
})

test('a damaged backup does not take the place of another', async () => {
  const [a, b, c] = [await makeNext(), await makeNext(), await makeNext()]
  writeFileSync(join(c, 'postgres/global/pg_control'), 'cluster1 but damaged')
  const d = await makeNext()
  expect(await divide(d, 2)).toMatchObject({
    kept: [d, b],
    older: [a],
    ignored: { [c]: expect.stringContaining('is not as it was written') },
  })
})

test('nothing is named older when the newest is damaged', async () => {
  await makeNext()
  const b = await makeNext()
  rmSync(join(b, 'postgres/global/pg_control'))
  await expect(divide(b, 1)).rejects.toThrow(/pg_control is missing/)
})

test('a copy of a backup counts once', async () => {
  const [a, b] = [await makeNext(), await makeNext()]
  const copy = join(directory, nameOf(new Date(Date.UTC(2099, 0, 1))))
  cpSync(b, copy, { recursive: true })
  const c = await makeNext()
  const { kept, older, ignored } = await divide(c, 3)
  expect([kept.length, older]).toEqual([3, []])
  expect(kept).toContain(a)
  expect(Object.values(ignored)).toEqual(['It is a copy of another backup.'])
})

test('clocks that ran ahead do not order backups', async () => {
  const ahead = new Date(Date.UTC(2099, 0, 1))
  const a = await make({ at: new Date(Date.UTC(2098, 0, 1)), pool: 'ours' })
  const b = await makeNext({ at: ahead })
  const c = await makeNext()
  expect(await divide(c, 1)).toMatchObject({ kept: [c], older: [b, a] })
  const renamed = join(directory, nameOf(new Date(Date.UTC(2097, 0, 1))))
  renameSync(c, renamed)
  const d = await makeNext()
  expect(await divide(d, 2)).toMatchObject({ kept: [d, renamed], older: [b, a] })
})

test('backups without an identity count by their cluster', async () => {
  const [a, b] = [await make({}), await make({})]
  const other = await make({ cluster: 'cluster2' })
  const c = await makeNext()
  expect(await divide(c, 2)).toMatchObject({
    kept: [c, b],
    older: [a],
    ignored: { [other]: 'It is of another pool.' },
  })
})

test('an interrupted deletion is finished by the next', async () => {
  const [a, b] = [await makeNext(), await makeNext()]
  rmSync(join(a, 'postgres'), { recursive: true })
  expect(await divide(b, 1)).toMatchObject({ older: [a] })
  const { older } = await divideBackups(directory, { newest: b, keep: 1, keys })
  for (const backup of older) await deleteBackup(backup)
  expect(existsSync(a)).toBe(false)
  expect(readdirSync(directory)).toEqual([basename(b)])
})
