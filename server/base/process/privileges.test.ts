import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { health } from '@pool/contract/base/health'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { newInvestor, SETTINGS } from '../../testing/client.ts'
import { dataDirectory, type RunningProduct } from '../../testing/process.ts'
import { ask } from '../../testing/request.ts'
import { readConfig } from '../configuration/config.ts'
import { openKeys } from '../keys/keyFile.ts'
import { DATABASE_USER, type Identity, identityOf, SERVER_USER } from './systemUser.ts'

let directory: ReturnType<typeof dataDirectory>
beforeEach(() => {
  directory = dataDirectory(inject('preparedData'))
})
afterEach(() => directory.remove())

/** System users of the processes that listen, as the kernel reports them. */
const usersThatServe = ({ output }: RunningProduct): Set<number> => {
  const processes = [...output().matchAll(/"pid":(\d+),[^\n]*"msg":"Server listening/g)].map(
    ([, id]) => id,
  )
  return new Set(
    processes.map((id) =>
      Number(/^Uid:\s+(\d+)\s+\1\s+\1/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]),
    ),
  )
}

const canRead = (path: string, { uid, gid }: Identity): boolean =>
  spawnSync('cat', [path], { uid, gid, stdio: 'ignore' }).status === 0

describe.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
  'a product started by root',
  () => {
    test.each(['1', '2'])('serves as its own user with %s processes', async (WORKERS) => {
      const product = await directory.start({ ...SETTINGS, WORKERS })
      await newInvestor(product, 20)
      expect(usersThatServe(product)).toEqual(new Set([identityOf(SERVER_USER)?.uid]))
      expect(product.output()).not.toMatch(/runs as root/)
      expect(await product.end('SIGTERM')).toBe(0)
    })

    test('separates the keys from the database and its passwords', async () => {
      const product = await directory.start(SETTINGS)
      const [server, database] = [identityOf(SERVER_USER), identityOf(DATABASE_USER)]
      if (!server || !database) throw new Error('The system users do not exist.')
      const [keys, password] = [
        join(directory.dataDir, 'keys', 'integrity'),
        join(directory.dataDir, 'postgres.password'),
      ]
      expect([canRead(keys, server), canRead(keys, database)]).toEqual([true, false])
      expect([canRead(password, server), canRead(password, database)]).toEqual([false, false])
      expect(canRead(join(directory.dataDir, 'postgres', 'PG_VERSION'), server)).toBe(false)
      expect(await directory.command('keys', 'rotate')).toMatchObject({ code: 0 })
      expect(canRead(keys, server)).toBe(true)
      expect(await product.end('SIGTERM')).toBe(0)
    })

    test('logs the reason when it must serve as root', async () => {
      const keys = join(directory.directory, 'integrity')
      openKeys(readConfig({ DATA_DIR: directory.dataDir }))
      copyFileSync(join(directory.dataDir, 'keys', 'integrity'), keys)
      expect(statSync(keys).uid).toBe(0)
      const product = await directory.start({ ...SETTINGS, INTEGRITY_KEY_FILE: keys })
      expect((await ask(product, health)).status).toBe(200)
      expect(usersThatServe(product)).toEqual(new Set([0]))
      expect(product.output()).toMatch(
        /"reason":"EACCES: permission denied, open '[^']*integrity'","msg":"the server runs as root/,
      )
    })
  },
)
