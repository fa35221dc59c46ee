import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { dataDirectory } from '../../testing/process.ts'
import { readConfig } from '../configuration/config.ts'
import { identityOf, SERVER_USER } from '../process/systemUser.ts'
import { findKeys, keysBefore, markLeaked, openKeys, rotateKeys } from './keyFile.ts'

let directory: ReturnType<typeof dataDirectory>
let file: string
beforeEach(() => {
  directory = dataDirectory()
  file = join(directory.dataDir, 'keys', 'integrity')
})
afterEach(() => directory.remove())

const config = (more = {}) => readConfig({ DATA_DIR: directory.dataDir, ...more })

test('a key is made once for its owner only', () => {
  const { ids } = openKeys(config())
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{8}$/)])
  expect(openKeys(config()).ids).toEqual(ids)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(directory.dataDir, 'keys')).mode & 0o777).toBe(0o700)
})

test('a MAC fits only its content, purpose and key', () => {
  const keys = openKeys(config())
  const mac = keys.sign('backup manifest', 'content')
  expect(keys.verify('backup manifest', 'content', mac)).toBe('valid')
  expect(keys.verify('backup manifest', 'Content', mac)).toBe('wrong')
  expect(keys.verify('backup manifest', 'content', `${mac}0`)).toBe('wrong')
  expect(keys.verify('backup manifest', 'content', mac.replace(/^.{8}/, '00000000'))).toBe(
    'unknownKey',
  )
  expect(keys.verify('backup manifest', 'content', '')).toBe('unknownKey')
})

test('a rotated key signs and earlier signatures stay valid', async () => {
  const before = openKeys(config())
  const old = before.sign('backup manifest', 'content')
  expect(await directory.command('keys', 'rotate')).toMatchObject({
    code: 0,
    text: expect.stringMatching(/is the newest of 2 in/),
  })
  const after = findKeys(config())
  expect(after.ids).toHaveLength(2)
  expect(after.ids[1]).toBe(before.ids[0])
  expect(after.verify('backup manifest', 'content', old)).toBe('valid')
  const next = after.sign('backup manifest', 'content')
  expect([
    next.startsWith(after.ids[0] ?? ''),
    before.verify('backup manifest', 'content', next),
  ]).toEqual([true, 'unknownKey'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a leaked key is named, and its mark is kept', () => {
  const { ids } = openKeys(config())
  const [old = ''] = ids
  const mac = openKeys(config()).sign('session', 'content')
  const mark = { position: 12n, hash: 'a'.repeat(64) }
  rotateKeys(config())
  markLeaked(config(), old, mark)
  rotateKeys(config())
  const keys = findKeys(config())
  expect([...keys.leaked]).toEqual([[old, mark]])
  expect(keys.verify('session', 'content', mac)).toBe('leaked')
  expect(keys.verify('session', 'Content', mac)).toBe('wrong')
  expect(keysBefore(config(), old).verify('session', 'content', mac)).toBe('valid')
  expect(() => markLeaked(config(), '00000000', mark)).toThrow(/There is no key 00000000 in/)
})

test('a newest key that leaked signs nothing', () => {
  const [newest = ''] = openKeys(config()).ids
  markLeaked(config(), newest, { position: 1n, hash: 'a'.repeat(64) })
  expect(() => openKeys(config())).toThrow(/is marked as leaked, so nothing can be signed/)
  expect(rotateKeys(config()).ids).toHaveLength(2)
  expect(findKeys(config()).ids[0]).not.toBe(newest)
})

test('the command shows ids and public keys alone', async () => {
  const [{ id = '', publicKey = '' } = {}] = openKeys(config()).publicKeys
  const { code, text } = await directory.command('keys', 'show')
  expect([code, text.trim().split('\n').sort()]).toEqual([
    0,
    [`${id} ${publicKey}`, `Key file: ${file}`].sort(),
  ])
})

test('a missing file that the operator named is never created', () => {
  const named = join(directory.directory, 'elsewhere')
  expect(() => openKeys(config({ INTEGRITY_KEY_FILE: named }))).toThrow(
    /There is no key file at .*elsewhere, which INTEGRITY_KEY_FILE names/,
  )
})

test('a rotation makes a file only where one is named', () => {
  expect(() => rotateKeys(config())).toThrow(/There is no key file at .* Nothing was changed/)
  expect(existsSync(directory.dataDir)).toBe(false)
  const named = config({ INTEGRITY_KEY_FILE: join(directory.directory, 'elsewhere') })
  expect(rotateKeys(named).ids).toEqual(findKeys(named).ids)
})

test.each([
  ['changed', (text: string) => text.replace(/.(?=\n)/, (last) => (last === 'A' ? 'E' : 'A'))],
  ['cut off', (text: string) => text.slice(0, -3)],
  ['empty', () => ''],
  ['marked without a hash', (text: string) => text.replace('\n', ' leaked 12\n')],
])('a key file that is %s is refused', (_, change) => {
  openKeys(config())
  writeFileSync(file, change(readFileSync(file, 'utf8')))
  expect(() => openKeys(config())).toThrow(/is damaged: each line/)
})

test.skipIf(process.platform === 'win32')('a world-readable key file is refused', () => {
  openKeys(config())
  chmodSync(file, 0o644)
  expect(() => openKeys(config())).toThrow(/Every user of this machine can read the key file/)
})

test('a first start makes the key outside the cluster', async () => {
  const prepared = dataDirectory(inject('preparedData'))
  rmSync(join(prepared.dataDir, 'keys'), { recursive: true, force: true })
  await prepared.start()
  const made = join(prepared.dataDir, 'keys', 'integrity')
  const { uid, mode } = statSync(made)
  const server = process.getuid?.() === 0 ? identityOf(SERVER_USER)?.uid : process.getuid?.()
  expect([uid, mode & 0o777]).toEqual([server, 0o600])
  await prepared.remove()
})
