import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listTapes, readTape } from '@pool/contract/lending/poolBook'
import { type PoolKeys, poolKeys, poolKeysSchema } from '@pool/contract/reports/poolKeys'
import { expect, test } from 'vitest'
import { keysOf } from '../../base/keys/keys.ts'
import { writeTape } from '../../lending/pool/tape.ts'
import { newSecret, type Product, startedAgain, startProduct } from '../../testing/product.ts'
import { httpOf } from '../../testing/request.ts'
import { signFile } from './publish.ts'

const GUIDE = join(import.meta.dirname, '../../../docs/verifying.md')

/** Runs the program of the guide in a folder with the file, as a stranger does. */
const checked = (name: string, file: Buffer | string, key: string, signature: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'pool-verifying-'))
  try {
    const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8')) ?? []
    writeFileSync(join(folder, 'check.mjs'), program)
    writeFileSync(join(folder, name), file)
    return execFileSync(process.execPath, ['check.mjs', name, key, signature], {
      cwd: folder,
      encoding: 'utf8',
    }).trim()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const keysBy = async ({ app }: Pick<Product, 'app'>): Promise<PoolKeys> => {
  const { path, ...sent } = httpOf(poolKeys)
  const response = await app.inject({ url: path, ...sent })
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json'])
  return poolKeysSchema.parse(response.json())
}

test('a stranger checks the file of loans', async () => {
  const product = await startProduct()
  try {
    await writeTape(product.context)
    const { body: tapes } = await product.call(listTapes)
    const [tape] = tapes
    const day = tape?.name.slice(6, 16) ?? ''
    const { body: file } = await product.call(readTape, { params: { day } })
    const { keys } = await keysBy(product)
    expect(keys).toMatchObject([
      { id: tape?.signed?.keyId, algorithm: 'Ed25519', to: null, leaked: false },
    ])
    const [{ publicKey = '' } = {}] = keys
    const signature = tape?.signed?.signature ?? ''
    const name = `loans-${day}.csv`
    expect(checked(name, file as Buffer, publicKey, signature)).toBe('genuine')
    expect(checked(name, `${file} `, publicKey, signature)).toBe('not genuine')
    expect(checked('loans-2020-01-01.csv', file as Buffer, publicKey, signature)).toBe(
      'not genuine',
    )
  } finally {
    await product.close()
  }
})

test('a key counts until the next one signs', async () => {
  const product = await startProduct()
  try {
    const [first, second, leaked] = [newSecret(), newSecret(), newSecret()]
    const mark = { position: 1n, hash: '0'.repeat(64) }
    const file = { name: 'a.json', digest: '0'.repeat(64) }
    for (const keys of [keysOf([first]), keysOf([second, first])]) {
      const context = { ...product.context, keys }
      await Promise.all([signFile(context, file), signFile(context, file)])
    }
    const again = await startedAgain(product, keysOf([second, { ...first, leaked: mark }]))
    // A row of the database has no key of the file, or another public key.
    const { publicKeys } = keysOf([leaked])
    await product.database.superuser.query(
      'INSERT INTO signing_keys (id, public_key) VALUES ($1, $2)',
      [leaked.id, publicKeys[0]?.publicKey],
    )
    const { keys } = await keysBy(again)
    expect(keys.map(({ id, leaked }) => [id, leaked])).toEqual([
      [second.id, false],
      [first.id, true],
    ])
    expect(keys[1]?.to).toBe(keys[0]?.from)
    const { rows } = await product.database.superuser.query(
      "SELECT subject_id FROM audit_entries WHERE action = 'signingKey.published' ORDER BY id",
    )
    expect(rows.map(({ subject_id }) => subject_id)).toEqual([first.id, second.id])
    await again.close()
  } finally {
    await product.close()
  }
})
