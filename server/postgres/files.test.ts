import { createHash } from 'node:crypto'
import {
  chmodSync,
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
import { preparePostgresFiles } from './files.ts'

/**
 * Where the socket of a data directory went whose path is too long: a name that anybody on the
 * machine can compute.
 */
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

describe.skipIf(process.platform === 'win32')('a link where the socket would go', () => {
  test('in the temporary folder has its target left alone', () => {
    const dataDir = join(directory, 'd'.repeat(120))
    const link = inTemporaryFolder(dataDir)
    made.push(link)
    symlinkSync(target, link)
    const before = look(statSync(target))
    const socket = () => prepare(dataDir).socket
    // Root uses a place of its own; everybody else has only this one.
    if (process.getuid?.() === 0) expect(socket()).not.toBe(link)
    else expect(socket).toThrow(/is a link or belongs to somebody else/)
    expect(look(statSync(target))).toEqual(before)
  })

  test('in the data directory has its target left alone', () => {
    const dataDir = join(directory, 'data')
    mkdirSync(dataDir)
    symlinkSync(target, join(dataDir, 'socket'))
    const before = look(statSync(target))
    expect(() => prepare(dataDir)).toThrow(/is a link or belongs to somebody else/)
    expect(look(statSync(target))).toEqual(before)
  })
})

test('a long data directory has its socket in a short place that nobody else can enter', () => {
  const { socket } = prepare(join(directory, 'd'.repeat(120)))
  expect(socket.length).toBeLessThan(90)
  expect(existsSync(socket)).toBe(true)
  if (process.platform !== 'win32')
    expect(lstatSync(socket).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o710 : 0o700)
})
