import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { SETTINGS } from '../server/testing/client.ts'
import { connectTo, dataDirectory } from '../server/testing/process.ts'
import { rounds } from '../server/testing/rounds.ts'
import type { Operation } from './plan.ts'
import { type Directory, LIMIT, moment, openNode, times, underLoad } from './run.ts'
import { contradictions, readOperations } from './verify.ts'

/** A backup is made while money moves, and changed before it is restored. */

let directory: Directory
let second: Directory
beforeEach(() => {
  directory = dataDirectory(inject('preparedData'))
  second = dataDirectory()
})
afterEach(() => Promise.all([directory.remove(), second.remove()]))

/** Changes one bit in the middle of a file. */
const changeBit = (file: string): void => {
  const content = readFileSync(file)
  const middle = Math.floor(content.length / 2)
  content.writeUInt8(content.readUInt8(middle) ^ 1, middle)
  writeFileSync(file, content)
}

/** Changes a digit of the first hash in a manifest. */
const changeHash = (file: string): void =>
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(/(?<="sha256":\s*")./, (digit) =>
      digit === '0' ? '1' : '0',
    ),
  )

/** The largest file of a backup's tables, which holds rows of the pool. */
const largestTable = (backup: string): string => {
  const { files } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as {
    files: Record<string, { size: number }>
  }
  const tables = Object.entries(files).filter(([name]) => name.startsWith('postgres/base/'))
  return tables.reduce((largest, each) => (each[1].size > largest[1].size ? each : largest))[0]
}

/**
 * The client's knowledge of a backup begun at a moment: operations acknowledged by then are in it,
 * the rest is unknown.
 */
const knownAt =
  (began: number) =>
  (operation: Operation): Operation =>
    operation.outcome === 'acknowledged' && operation.at > began
      ? { ...operation, outcome: 'unknown' }
      : operation

test('a backup under load restores, but not once changed', LIMIT, async () => {
  const node = await openNode(directory)
  const backups = join(directory.directory, 'backups')
  const made = (): readonly string[] => (existsSync(backups) ? readdirSync(backups) : [])
  let began = 0
  await underLoad({ nodes: [node], directory, kind: 'nuisance' }, ({ strike }) =>
    times(rounds({ full: 5, short: 1 }), async () => {
      await moment(800)
      const before = made().length
      began = Date.now()
      await strike({
        inject: async () =>
          expect((await directory.command('backup', backups)).text).toContain(
            'complete with the log up to',
          ),
        isSeen: () => made().length > before,
      })
    }),
  )
  const untouched = join(backups, made().toSorted().at(-1) ?? '')
  const restoring = (backup: string) => {
    second.takeKeysOf(directory)
    return second.command('restore', backup)
  }

  const tamperings = { [largestTable(untouched)]: changeBit, 'manifest.json': changeHash }
  for (const [name, tamper] of Object.entries(tamperings)) {
    const changed = join(second.directory, name.replaceAll('/', '-'))
    cpSync(untouched, changed, { recursive: true })
    tamper(join(changed, name))
    const { code, text } = await restoring(changed)
    expect([code, text]).toEqual([1, expect.stringContaining(join(changed, name))])
    expect(readdirSync(second.dataDir).filter((each) => each.startsWith('postgres'))).toEqual([])
  }

  expect(await restoring(untouched)).toMatchObject({
    code: 0,
    text: expect.stringMatching(/Restored, and whole/),
  })
  await second.start(SETTINGS)
  const database = connectTo(second)
  try {
    const operations = readOperations(join(directory.directory, 'operations')).map(knownAt(began))
    expect(operations.filter(({ outcome }) => outcome === 'acknowledged').length).toBeGreaterThan(0)
    expect(await contradictions(operations, database)).toEqual([])
  } finally {
    await database.close()
  }
})
