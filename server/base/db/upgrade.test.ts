import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { invest } from '@pool/contract/money/investments'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { balanceOf, SETTINGS, signIn } from '../../testing/client.ts'
import { dataDirectory } from '../../testing/process.ts'
import { keptPool, releasedVersions, unpackPool } from '../../testing/releases.ts'
import { ask } from '../../testing/request.ts'

let directory: ReturnType<typeof dataDirectory>
beforeEach(() => {
  directory = dataDirectory(undefined, SETTINGS)
})
afterEach(() => directory.remove())

test.each(releasedVersions)('a pool of version %s is restored and goes on', async (version) => {
  const kept = keptPool(version)
  unpackPool(version, directory.directory)
  mkdirSync(directory.dataDir)
  cpSync(join(directory.directory, 'keys'), join(directory.dataDir, 'keys'), { recursive: true })

  expect(await directory.command('restore', join(directory.directory, 'pool'))).toMatchObject({
    code: 0,
    text: expect.stringMatching(/Restored, and whole/),
  })
  const product = await directory.start()
  for (const { balance, ...credentials } of kept.investors) {
    const investor = await signIn(product, credentials)
    expect(await balanceOf(product, investor)).toBe(balance)
    const { status } = await ask(product, invest, {
      token: investor.token,
      payload: { userId: investor.userId, amount: 100, durationDays: 12 },
    })
    expect(status).toBe(200)
    expect(await balanceOf(product, investor)).toBe(balance - 100)
  }
  expect(await product.end('SIGTERM')).toBe(0)
})
