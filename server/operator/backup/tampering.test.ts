import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { readConfig } from '../../base/configuration/config.ts'
import { findKeys, openKeys } from '../../base/keys/keyFile.ts'
import { SETTINGS } from '../../testing/client.ts'
import { dataDirectory } from '../../testing/process.ts'
import { isData } from './baseBackup.ts'

/** An attacker with write access to a backup tries to change the data or run a command. */

type Directory = ReturnType<typeof dataDirectory>
type Manifest = { mac: string; files: Record<string, object>; firstSegment: string }

let original: Directory
let second: Directory
let stranger: Directory
let untouched: string
let head: string
beforeAll(async () => {
  original = dataDirectory(inject('preparedData'))
  const product = await original.start(SETTINGS)
  const backups = join(original.directory, 'backups')
  expect((await original.command('backup', backups)).code).toBe(0)
  untouched = join(backups, readdirSync(backups)[0] ?? '')
  expect(await product.end('SIGTERM')).toBe(0)
  head =
    /Head of the chain: (\d+ [0-9a-f]{64})/.exec(
      (await original.command('auditCheck')).text,
    )?.[1] ?? ''
})
afterAll(() => original.remove())

let backup: string
beforeEach(() => {
  second = dataDirectory()
  stranger = dataDirectory()
  backup = join(second.directory, 'backup')
  execFileSync('cp', ['-a', untouched, backup])
})
afterEach(() => Promise.all([second.remove(), stranger.remove()]))

const restore = (...options: string[]) => {
  second.takeKeysOf(original)
  return second.command('restore', backup, ...options)
}

const CANARY = 'was-run'
const canary = () => join(second.directory, CANARY)
const command = () =>
  `archive_mode = 'on'\narchive_library = ''\narchive_command = 'touch ${canary()}'\nssl_passphrase_command = 'touch ${canary()}'\nrestore_command = 'touch ${canary()}'\n`
const addSettings = (name = 'postgres/postgresql.auto.conf') => {
  appendFileSync(join(backup, name), command())
  const content = readFileSync(join(backup, name))
  return {
    [name]: { size: content.length, sha256: createHash('sha256').update(content).digest('hex') },
  }
}
const rewrite = (change: (manifest: Manifest) => object) => {
  const file = join(backup, 'manifest.json')
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')))))
}
const signed = ({ mac: _, ...manifest }: Manifest, dataDir: string) => ({
  ...manifest,
  mac: findKeys(readConfig({ DATA_DIR: dataDir })).sign(
    'backup manifest',
    JSON.stringify(manifest),
  ),
})
const aFile = 'postgres/global/pg_filenode.map'

const tamperings: Readonly<
  Record<string, { readonly tamper: () => unknown; readonly named: RegExp }>
> = {
  'settings that an unsigned manifest names': {
    tamper: () =>
      rewrite(({ files, ...rest }) => ({ ...rest, files: { ...files, ...addSettings() } })),
    named: /tampered with: .*manifest\.json is not what was signed/,
  },
  'settings that another key signed': {
    tamper: async () => {
      openKeys(readConfig({ DATA_DIR: stranger.dataDir }))
      rewrite(({ files, ...rest }) =>
        signed({ ...rest, files: { ...files, ...addSettings() } }, stranger.dataDir),
      )
    },
    named: /was not signed with a key of this product/,
  },
  'settings that the right key signed': {
    tamper: () =>
      rewrite(({ files, ...rest }) =>
        signed({ ...rest, files: { ...files, ...addSettings() } }, original.dataDir),
      ),
    named: /postgresql\.auto\.conf is not database data/,
  },
  'a manifest without a signature': {
    tamper: () => rewrite(({ mac: _, ...rest }) => rest),
    named: /was not signed with a key/,
  },
  'another beginning of the log': {
    tamper: () =>
      rewrite((manifest) => ({
        ...manifest,
        firstSegment: manifest.firstSegment.replace(/.$/, 'F'),
      })),
    named: /tampered with: .*manifest\.json is not what was signed/,
  },
  'settings beside the manifest': {
    tamper: () => addSettings(),
    named: /does not name .*postgresql\.auto\.conf/,
  },
  'a file that makes it a standby': {
    tamper: () => writeFileSync(join(backup, 'postgres/standby.signal'), ''),
    named: /does not name .*standby\.signal/,
  },
  'a file beside the cluster': {
    tamper: () => writeFileSync(join(backup, 'more'), ''),
    named: /does not name .*more/,
  },
  'a file less': {
    tamper: () => rmSync(join(backup, aFile)),
    named: /pg_filenode\.map is missing/,
  },
  'a file of the same size with another content': {
    tamper: () => {
      const file = join(backup, aFile)
      const content = readFileSync(file)
      content.writeUInt8(content.readUInt8(100) ^ 1, 100)
      writeFileSync(file, content)
    },
    named: /pg_filenode\.map is not as it was written/,
  },
  'a link for a file': {
    tamper: () => {
      renameSync(join(backup, aFile), join(second.directory, 'elsewhere'))
      symlinkSync(join(second.directory, 'elsewhere'), join(backup, aFile))
    },
    named: /pg_filenode\.map is a link/,
  },
  'a link for a directory': {
    tamper: () => {
      renameSync(join(backup, 'postgres/pg_xact'), join(second.directory, 'elsewhere'))
      symlinkSync(join(second.directory, 'elsewhere'), join(backup, 'postgres/pg_xact'))
    },
    named: /pg_xact is a link/,
  },
}

describe('a restore refuses, and runs nothing, for', () => {
  test.each(Object.entries(tamperings))('%s', async (_, { tamper, named }) => {
    await tamper()
    const { code, text } = await restore()
    expect(text).toMatch(named)
    expect(code).toBe(1)
    expect(readdirSync(second.dataDir).filter((name) => name.startsWith('postgres'))).toEqual([])
    expect(existsSync(canary())).toBe(false)
  })
})

test('a restore without the key is refused', async () => {
  const { code, text } = await second.command('restore', backup)
  expect([code, text]).toEqual([
    1,
    expect.stringMatching(
      /There is no key file at .*keys\/integrity\. .* a backup is verified with those of its pool/,
    ),
  ])
})

test.each([
  ['2026-02-30T12:00:00Z', '--archive', 'somewhere', '--until', '2026-02-30T12:00:00Z'],
  ['a moment without a zone', '--archive', 'somewhere', '--until', '2026-01-31T12:00:00'],
  ['an option that is misspelt', '--archive', 'somewhere', '--untill', '2026-01-31T12:00:00Z'],
  ['an option without its text', '--archive', 'somewhere', '--until'],
])('a restore to %s is refused before it begins', async (_, ...options) => {
  const { code, text } = await restore(...options)
  expect([code, text]).toEqual([2, expect.stringContaining('Usage:')])
  expect(readdirSync(second.dataDir)).toEqual(['keys'])
})

test('a restored cluster has default settings and the known head', async () => {
  const restored = await restore('--head', ...head.split(' '))
  expect(restored.text).toMatch(/Restored, and whole/)
  expect(restored.text).toMatch(/The audit chain contains the given head at \d+/)
  expect(restored.code).toBe(0)
  for (const name of ['postgresql.conf', 'pg_hba.conf', 'pg_ident.conf', 'postgresql.auto.conf'])
    expect(readFileSync(join(second.dataDir, 'postgres', name), 'utf8')).toBe(
      readFileSync(join(original.dataDir, 'postgres', name), 'utf8'),
    )
})

test('a restore reports an audit chain without the known head', async () => {
  const [position = ''] = head.split(' ')
  const { code, text } = await restore('--head', position, 'f'.repeat(64))
  expect([code, text]).toEqual([
    1,
    expect.stringMatching(
      /The restored database is not whole: The chain does not have the known hash/,
    ),
  ])
})

test('an invalid head is refused before the restore', async () => {
  expect((await restore('--head', '12')).code).toBe(2)
  expect(existsSync(join(second.dataDir, 'postgres'))).toBe(false)
})

test('a backup leaves out settings and the server’s own files', () => {
  const notBackedUp = readdirSync(join(original.dataDir, 'postgres')).filter(
    (name) => !isData(name),
  )
  expect(notBackedUp.sort()).toEqual([
    'pg_dynshmem',
    'pg_hba.conf',
    'pg_ident.conf',
    'pg_notify',
    'pg_replslot',
    'pg_serial',
    'pg_snapshots',
    'pg_stat_tmp',
    'pg_subtrans',
    'postgresql.auto.conf',
    'postgresql.conf',
    'postmaster.opts',
  ])
})
