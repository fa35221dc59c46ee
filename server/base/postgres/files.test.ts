import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { holdsCluster, preparePostgresFiles } from './files.ts'

/** Socket directory of a data directory with a long path. Any user can compute this name. */
const inTemporaryFolder = (dataDir: string) =>
  join(tmpdir(), `pool-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`)

let directory: string
let target: string
let made: string[]
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pool-files-'))
  chmodSync(directory, 0o755)
  target = join(directory, 'target')
  mkdirSync(target)
  chmodSync(target, 0o751)
  made = [directory]
})
afterEach(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true })
})

const prepare = (dataDir: string) => {
  const files = preparePostgresFiles(dataDir, () => undefined)
  made.push(files.socket)
  return files
}
const look = ({ mode, uid, gid }: { mode: number; uid: number; gid: number }) => ({
  mode: mode & 0o777,
  uid,
  gid,
})

describe.skipIf(process.platform === 'win32')('a link in place of the socket directory', () => {
  test('in the temporary folder keeps its target untouched', () => {
    const dataDir = join(directory, 'd'.repeat(120))
    const link = inTemporaryFolder(dataDir)
    made.push(link)
    symlinkSync(target, link)
    const before = look(statSync(target))
    const socket = () => prepare(dataDir).socket
    // Root uses its own place. Other users have only this one.
    if (process.getuid?.() === 0) expect(socket()).not.toBe(link)
    else expect(socket).toThrow(/is a link or belongs to another user/)
    expect(look(statSync(target))).toEqual(before)
  })

  test('in the data directory keeps its target untouched', () => {
    const dataDir = join(directory, 'data')
    mkdirSync(dataDir)
    symlinkSync(target, join(dataDir, 'socket'))
    const before = look(statSync(target))
    expect(() => prepare(dataDir)).toThrow(/is a link or belongs to another user/)
    expect(look(statSync(target))).toEqual(before)
  })
})

test('a long data directory gets a short, private socket path', () => {
  const { socket } = prepare(join(directory, 'd'.repeat(120)))
  expect(socket.length).toBeLessThan(90)
  expect(existsSync(socket)).toBe(true)
  if (process.platform !== 'win32')
    expect(lstatSync(socket).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o710 : 0o700)
})

describe.runIf(process.getuid?.() === 0)('the data of another user', () => {
  const dataOf = (mode: number): string => {
    const data = join(directory, 'data')
    mkdirSync(join(data, 'postgres'), { recursive: true })
    for (const path of [data, join(data, 'postgres')]) chownSync(path, 54_321, 54_321)
    chmodSync(data, mode)
    return data
  }

  test.each([0o700, 0o755])('is no database of a command at mode %i', (mode) => {
    expect(() => holdsCluster(dataOf(mode))).toThrow(/belongs to another user/)
  })

  test('is not hidden by new data', () => {
    expect(() => prepare(dataOf(0o700))).toThrow(/belongs to another user/)
  })
})
