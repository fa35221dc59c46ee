import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readConfig } from '../../base/configuration/config.ts'
import { openDatabase } from '../../base/db/connection.ts'
import { openKeys } from '../../base/keys/keyFile.ts'
import { openLog } from '../../base/process/log.ts'
import { dataDirectory } from '../../testing/process.ts'
import { operator } from './command.ts'
import { placeOf } from './pool.ts'

const named = vi.hoisted(() => ({ name: 'ada' as string | undefined }))
vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  userInfo: () => {
    if (named.name === undefined) throw new Error('uv_os_get_passwd returned ENOENT')
    return { username: named.name }
  },
}))

test('an operator without a name has a number', () => {
  expect(operator().name).toBe('operator ada')
  named.name = undefined
  expect(operator()).toEqual({ name: `operator user ${process.getuid?.()}`, from: 'operator' })
})

test('an embedded database needs a user with a name', async () => {
  named.name = undefined
  const directory = dataDirectory()
  try {
    const opening = openDatabase(readConfig({ DATA_DIR: directory.dataDir }), {
      log: openLog('silent'),
      role: 'server',
    })
    await expect(opening).rejects.toThrow(/needs a user with a name, and the id \d+ has none/)
    expect(readdirSync(directory.dataDir)).not.toContain('postgres')
  } finally {
    await directory.remove()
  }
})

test('a place is named without its password', () => {
  const placeAt = (DATABASE_URL?: string) =>
    placeOf(readConfig({ DATA_DIR: '/srv/pool', DATABASE_URL }))
  expect(placeAt()).toBe('/srv/pool')
  expect(placeAt('postgres://app:secret@db:5432/pool?sslmode=verify-full')).toBe('db:5432/pool')
  expect(placeAt('postgres://app:secret@a:1,b:2/pool')).toBe('a:1,b:2/pool')
  expect(placeAt('postgres://app@localhost/pool?password=secret&host=%2Frun%2Fpg')).toBe(
    '/run/pg/pool',
  )
})

test('a command ends quietly when its reader has gone', async () => {
  const directory = dataDirectory()
  try {
    openKeys(readConfig({ DATA_DIR: directory.dataDir }))
    const child = spawn(process.execPath, [join(import.meta.dirname, 'keys.ts'), 'show'], {
      env: { ...process.env, DATA_DIR: directory.dataDir },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    let errors = ''
    child.stderr.on('data', (part: Buffer) => {
      errors += part.toString()
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect([code, errors]).toEqual([0, expect.stringMatching(/^Key file: \S+\n$/)])
  } finally {
    await directory.remove()
  }
})
