/**
 * `npm run release:keep -- VERSION` keeps a small pool of this version with its keys, its
 * sources, and its use of the database (`server/testing/releases/README.md`).
 */
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { invest } from '@pool/contract/money/investments'
import { approve, rejectByPayload } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { ADMIN, balanceOf, newInvestor, SETTINGS, signIn } from './client.ts'
import { connectTo, dataDirectory } from './process.ts'
import { type Kept, RELEASES } from './releases.ts'
import { ask } from './request.ts'
import { usedDatabase } from './usedDatabase.ts'

const ROOT = join(import.meta.dirname, '../..')

const sourcesOfServer = (): string =>
  globSync('server/**/*.ts', { cwd: ROOT, exclude: ['**/*.test.ts', 'server/testing/**'] })
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .join('\n')

/** The best quality takes minutes and saves a twentieth. */
const PACKED = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 },
}

const [version] = process.argv.slice(2)
if (!version) throw new Error('Name the version.')

const directory = dataDirectory(undefined, SETTINGS)
try {
  const product = await directory.start()
  const reserve = await directory.command('reserve', 'add', '100000', '--note', 'The first capital')
  if (reserve.code !== 0) throw new Error(reserve.text)
  const investors = [await newInvestor(product, 1_000), await newInvestor(product, 2_500.5)]
  const admin = await signIn(product, ADMIN)
  const requestOf = async (
    endpoint: typeof deposit | typeof withdraw,
    at: number,
    amount: number,
  ) => {
    const { token = '', userId = '' } = investors[at] ?? {}
    const { body } = await ask(product, endpoint, {
      token,
      payload: { userId, amount },
    })
    return { transactionId: body.transactionId, userId }
  }
  for (const { token, userId } of investors)
    await ask(product, invest, { token, payload: { userId, amount: 200, durationDays: 1 } })
  await requestOf(deposit, 0, 40)
  await requestOf(withdraw, 0, 30)
  await ask(product, approve, { token: admin.token, payload: await requestOf(withdraw, 1, 20) })
  await ask(product, rejectByPayload, {
    token: admin.token,
    payload: { ...(await requestOf(withdraw, 1, 10)), reason: 'For the release' },
  })
  // Days last a second, so both investments have paid by now or are about to.
  const dollars = async () => Promise.all(investors.map((each) => balanceOf(product, each)))
  while ((await dollars())[1] !== 2_488.5) await new Promise((resolve) => setTimeout(resolve, 200))

  const kept: Kept = {
    version,
    investors: await Promise.all(
      investors.map(async ({ email, password, ...each }) => ({
        username: email,
        password,
        balance: await balanceOf(product, each),
      })),
    ),
  }
  const backup = join(directory.directory, 'backup')
  const taken = await directory.command('backup', backup)
  if (taken.code !== 0) throw new Error(taken.text)
  const database = connectTo(directory)
  const used = await usedDatabase(database.pool, sourcesOfServer())
  await database.close()
  await product.end('SIGTERM')
  const [name = ''] = readdirSync(backup)
  renameSync(join(backup, name), join(directory.directory, 'pool'))
  renameSync(join(directory.dataDir, 'keys'), join(directory.directory, 'keys'))
  const tar = execFileSync('tar', ['-C', directory.directory, '-c', 'pool', 'keys'], {
    maxBuffer: 1 << 30,
  })
  const sources = execFileSync(
    'tar',
    [
      '-C',
      ROOT,
      '-c',
      '--sort=name',
      '--mtime=@0',
      '--owner=0',
      '--group=0',
      '--exclude=*.test.ts',
      '--exclude=server/testing',
      '--exclude=node_modules',
      'package.json',
      'server',
      'contract',
    ],
    { maxBuffer: 1 << 30 },
  )
  mkdirSync(RELEASES, { recursive: true })
  writeFileSync(join(RELEASES, `${version}.tar.br`), brotliCompressSync(tar, PACKED))
  writeFileSync(join(RELEASES, `${version}.sources.tar.br`), brotliCompressSync(sources, PACKED))
  writeFileSync(join(RELEASES, `${version}.json`), `${JSON.stringify(kept, null, 2)}\n`)
  writeFileSync(join(RELEASES, `${version}.database.json`), `${JSON.stringify(used, null, 2)}\n`)
} finally {
  await directory.remove()
}
