import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  chownSync,
  existsSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { invest } from '@pool/contract/money/investments'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { readConfig } from '../../base/configuration/config.ts'
import { findKeys } from '../../base/keys/keyFile.ts'
import { balanceOf, newInvestor, SETTINGS, signIn } from '../../testing/client.ts'
import { atRest, CHANGED_BY_JOBS, everything } from '../../testing/contents.ts'
import { dataDirectory } from '../../testing/process.ts'
import { ask } from '../../testing/request.ts'

/**
 * Tests a database of the operator's own, with the installed PostgreSQL's programs. Debian keeps
 * them in a directory per version. The tests are skipped without them.
 */
const PROGRAMS = ['initdb', 'postgres', 'pg_dump', 'pg_restore']
const places = [
  ...globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed(),
  ...(process.env.PATH ?? '').split(delimiter),
]
const programs = places.find((place) =>
  PROGRAMS.every((program) => existsSync(join(place, program))),
)

/** PostgreSQL refuses to run as root. Its package makes a user for it. */
const identity = () => {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((option) =>
    Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' })),
  )
  return { uid, gid }
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

describe.skipIf(programs === undefined)('an operator’s own database', () => {
  let directory: string
  let server: ChildProcess
  let url: (database: string, role?: string) => string

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pool-external-'))
    const as = identity()
    if (as.uid !== undefined && as.gid !== undefined) chownSync(directory, as.uid, as.gid)
    const cluster = join(directory, 'cluster')
    const options = { cwd: directory, stdio: 'ignore', ...as } as const
    execFileSync(
      join(programs ?? '', 'initdb'),
      ['-D', cluster, '-U', 'pool', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
      options,
    )
    const port = await freePort()
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${port}`,
      'unix_socket_directories=',
      'fsync=off',
    ]
    server = spawn(
      join(programs ?? '', 'postgres'),
      ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])],
      options,
    )
    url = (database, role = 'pool') => `postgres://${role}@127.0.0.1:${port}/${database}`
    const asked = async () => {
      const client = new pg.Client({ connectionString: url('postgres') })
      await client.connect()
      // Two roles as in the runbook: one owns the tables, the other works with them.
      await client.query('CREATE ROLE keeper LOGIN; CREATE ROLE clerk LOGIN')
      for (const name of ['original', 'second', 'tampered', 'empty', 'counted'])
        await client.query(`CREATE DATABASE ${name} OWNER keeper`)
      await client.end()
    }
    await vi.waitFor(asked, { timeout: 30_000, interval: 100 })
  })
  afterAll(async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGQUIT')
    await ended
    rmSync(directory, { recursive: true, force: true })
  })

  const product = (database: string) =>
    dataDirectory(undefined, {
      DATABASE_URL: url(database, 'clerk'),
      DATABASE_OWNER_URL: url(database, 'keeper'),
      PATH: `${programs}${delimiter}${process.env.PATH}`,
    })

  const tamperings: Readonly<
    Record<string, { readonly tamper: (backup: string) => void; readonly named: RegExp }>
  > = {
    'is not as it was written': {
      tamper: (backup) => {
        const file = join(backup, 'database.dump')
        const content = readFileSync(file)
        content.writeUInt8(content.readUInt8(content.length - 1) ^ 1, content.length - 1)
        writeFileSync(file, content)
      },
      named: /database\.dump is not as it was written/,
    },
    'has a manifest made up for it': {
      tamper: (backup) => {
        const file = join(backup, 'manifest.json')
        const manifest = JSON.parse(readFileSync(file, 'utf8'))
        appendFileSync(join(backup, 'database.dump'), 'more')
        manifest.files['database.dump'] = contentOf(join(backup, 'database.dump'))
        writeFileSync(file, JSON.stringify(manifest))
      },
      named: /manifest\.json is not what was signed/,
    },
    'is a link': {
      tamper: (backup) => {
        renameSync(join(backup, 'database.dump'), `${backup}.elsewhere`)
        symlinkSync(`${backup}.elsewhere`, join(backup, 'database.dump'))
      },
      named: /database\.dump is a link/,
    },
    'has a file beside it': {
      tamper: (backup) => writeFileSync(join(backup, 'toc.dat'), ''),
      named: /does not name .*toc\.dat/,
    },
    'is gone': {
      tamper: (backup) => rmSync(join(backup, 'database.dump')),
      named: /database\.dump is missing/,
    },
  }
  const contentOf = (file: string) => {
    const content = readFileSync(file)
    return { size: content.length, sha256: createHash('sha256').update(content).digest('hex') }
  }

  test('refuses a dump that was tampered with', async () => {
    const [original, second] = [product('tampered'), product('empty')]
    try {
      const backups = join(original.directory, 'backups')
      const running = await original.start(SETTINGS)
      expect(await running.end('SIGTERM')).toBe(0)
      expect((await original.command('backup', backups)).code).toBe(0)
      second.takeKeysOf(original)
      const before = await everything({ connectionString: url('empty') })
      for (const [name, { tamper, named }] of Object.entries(tamperings)) {
        const backup = join(second.directory, name)
        execFileSync('cp', ['-a', join(backups, readdirSync(backups)[0] ?? ''), backup])
        tamper(backup)
        const { code, text } = await second.command('restore', backup)
        expect([name, code, text]).toEqual([name, 1, expect.stringMatching(named)])
      }
      expect((await everything({ connectionString: url('empty') })).tables).toEqual(before.tables)
    } finally {
      await Promise.all([original.remove(), second.remove()])
    }
  })

  test('a dump of an earlier version counts by its entries', async () => {
    const original = product('counted')
    try {
      const running = await original.start(SETTINGS)
      expect(await running.end('SIGTERM')).toBe(0)
      const backups = join(original.directory, 'backups')
      const taken = async (...options: string[]) => {
        expect((await original.command('backup', backups, ...options)).code).toBe(0)
        return readdirSync(backups)
      }
      const [first = ''] = await taken()
      const file = join(backups, first, 'manifest.json')
      const { mac: _, pool: __, number: ___, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
      const keys = findKeys(readConfig({ DATA_DIR: original.dataDir }))
      const mac = keys.sign('backup manifest', JSON.stringify(manifest))
      writeFileSync(file, JSON.stringify({ ...manifest, mac }))
      expect(await taken('--keep', '2')).toContain(first)
      const left = await taken('--keep', '2')
      expect(left).toHaveLength(2)
      expect(left).not.toContain(first)
    } finally {
      await original.remove()
    }
  })

  test('is dumped while serving and restored only when empty', async () => {
    const [original, second] = [product('original'), product('second')]
    try {
      const running = await original.start({ ...SETTINGS, DAY_SECONDS: '86400' })
      const investor = await newInvestor(running, 500)
      const invests = () =>
        ask(running, invest, {
          token: investor.token,
          payload: { userId: investor.userId, amount: 100, durationDays: 12 },
        })
      expect((await invests()).status).toBe(200)
      await atRest({ connectionString: url('original') })
      const wanted = await everything({ connectionString: url('original') })
      const backups = join(original.directory, 'backups')
      expect(await original.command('backup', backups)).toMatchObject({
        code: 0,
        text: expect.stringContaining('the database at the start of the dump'),
      })
      expect((await invests()).status).toBe(200)

      const [name = ''] = readdirSync(backups)
      second.takeKeysOf(original)
      const restored = await second.command('restore', join(backups, name))
      expect(restored.text).toMatch(/Restored, and whole: \d+ accounts equal their \d+ transfers/)
      expect(restored.code).toBe(0)
      expect((await everything({ connectionString: url('second') })).tables).toMatchObject({
        ...wanted.tables,
        ...CHANGED_BY_JOBS,
      })
      const again = await second.start({ ...SETTINGS, DAY_SECONDS: '86400' })
      const { email: username, password } = investor
      expect(await balanceOf(again, await signIn(again, { username, password }))).toBe(400)

      const before = await everything({ connectionString: url('original') })
      expect((await original.command('restore', join(backups, name))).code).toBe(1)
      expect((await everything({ connectionString: url('original') })).tables).toMatchObject({
        ...before.tables,
        ...CHANGED_BY_JOBS,
      })
    } finally {
      await Promise.all([original.remove(), second.remove()])
    }
  })
})
