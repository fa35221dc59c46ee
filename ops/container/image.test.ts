import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { ROOT } from '../../checks/sources.ts'
import { type TestDatabase, testDatabase } from '../../server/testing/database.ts'
import { readIgnored } from './dockerfile.ts'
import { contextFiles, openImage, stages } from './image.ts'

/** `CONTAINER=full` takes the steps that install and build, too. */
const FULL = process.env.CONTAINER === 'full'

let directory: string
let database: TestDatabase
let server: Server
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pool-image-'))
  chmodSync(directory, 0o755)
  database = await testDatabase()
  await database.superuser.query(
    'DROP SCHEMA public CASCADE; DROP SCHEMA graphile_worker CASCADE; CREATE SCHEMA public AUTHORIZATION pool_owner; GRANT USAGE ON SCHEMA public TO pool_app',
  )
  // The tests' PostgreSQL has a socket that an ordinary user cannot enter.
  const { host, port } = inject('postgres').app
  server = createServer((one) => {
    const other = connect(join(host, `.s.PGSQL.${port}`))
    one.on('error', () => other.destroy()).pipe(other)
    other.on('error', () => one.destroy()).pipe(one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await database.close()
  server.close()
  rmSync(directory, { recursive: true, force: true })
})

const urls = async () => {
  const { app, owner } = inject('postgres')
  const { rows } = await database.superuser.query('SELECT current_database() AS name')
  const at = server.address() as { port: number }
  const urlOf = ({ user, password }: typeof app) =>
    `postgres://${user}:${password}@127.0.0.1:${at.port}/${rows[0].name}`
  return { app: urlOf(app), owner: urlOf(owner) }
}

/** Links the packages of this checkout in place of the first stage's. */
const fromCheckout = (work: string) => (text: string) => {
  if (!text.startsWith('--from=')) return false
  const target = join(work, text.split(' ').at(-1) ?? '')
  if (text.endsWith(' node_modules')) {
    mkdirSync(join(target, '@pool'), { recursive: true })
    for (const name of readdirSync(join(ROOT, 'node_modules')))
      if (name !== '@pool') symlinkSync(join(ROOT, 'node_modules', name), join(target, name))
    for (const name of ['contract', 'server'])
      symlinkSync(join('../..', name), join(target, '@pool', name))
  } else expect(text).toMatch(/ web\/build\/client$/)
  return true
}

const untilExit = (child: ReturnType<ReturnType<typeof openImage>['begin']>) => {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part) => {
      output += part
    })
  const code = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, text: () => output }
}

test('the steps of the image end with a ready product', async () => {
  const [build, last, ...more] = stages
  if (!build || !last || more.length > 0) throw new Error('The Dockerfile has other stages.')
  const image = openImage(directory)
  if (FULL) image.take(build)
  const taken = image.take(
    last,
    FULL ? undefined : fromCheckout(join(image.folderOf(undefined), 'product')),
  )
  const { app, owner } = await urls()

  // As in ops/kubernetes: a job migrates, and the nodes never know the owner.
  const command = (name: string) => [
    'node_modules/.bin/node',
    `server/operator/commands/${name}.ts`,
  ]
  const migration = untilExit(
    image.begin(taken, command('migrate'), { DATABASE_URL: app, DATABASE_OWNER_URL: owner }),
  )
  expect([await migration.code, migration.text()]).toEqual([
    0,
    expect.stringMatching(/They hold no pool yet/),
  ])

  const environment = { DATABASE_URL: app, HOST: '127.0.0.1', PORT: '0', DRAIN_SECONDS: '0' }
  const child = image.begin(taken, taken.command, environment)
  const { code, text } = untilExit(child)
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [, found] = /is ready on (http:[^"\s]+)/.exec(text()) ?? []
      if (found) resolve(found)
    })
    child.once('exit', () => reject(new Error(text())))
  })
  expect((await fetch(`${url}/api/v1/health/ready`)).status).toBe(200)
  if (FULL) expect(await (await fetch(url)).text()).toMatch(/<html/)
  const add = image.begin(taken, [...command('reserve'), 'add', '10.00', '--note', 'First'], {
    DATABASE_URL: app,
  })
  const added = untilExit(add)
  expect([await added.code, added.text()]).toEqual([
    0,
    expect.stringContaining('$10.00 was added to the reserve.'),
  ])
  child.kill('SIGTERM')
  expect(await code).toBe(0)
  expect(existsSync(join(image.folderOf(undefined), 'data/keys/integrity'))).toBe(true)
})

test('the build gets sources and no tests, builds or secrets', () => {
  expect(contextFiles).toEqual(
    expect.arrayContaining(['package-lock.json', '.npmrc', 'server/main.ts']),
  )
  expect(
    contextFiles.filter((path) => /\.test\.|^docs\/|^server\/testing\/|\.data\//.test(path)),
  ).toEqual([])
})

test.each([
  ['secret.env', true],
  ['contract/base/money.ts', false],
  ['contract/base/money.test.ts', true],
  ['web/node_modules/one/index.js', true],
  ['web/app/root.tsx', false],
  ['web/build/client/index.html', true],
])('the list of ignored files decides about %s', (path, ignored) => {
  const rules = '*\n!contract\n!web\n**/node_modules\n**/*.test.ts\nweb/build'
  expect(readIgnored(rules)(path)).toBe(ignored)
})
