import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect } from '../../base/db/connection.ts'
import { migrate } from '../../base/db/migrate.ts'
import { openLog } from '../../base/process/log.ts'
import { type Product, startProduct, wallets } from '../../testing/product.ts'
import { checkAudit } from './check.ts'
import { record } from './record.ts'
import { sealAudit, startSealing } from './seal.ts'

let product: Product
beforeEach(async () => {
  product = await startProduct()
})
afterEach(() => product.close())

const write = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, number) =>
      record(product.context.db, product.context.keys, {
        by: { name: 'somebody', from: '203.0.113.7' },
        action: 'wallet.added',
        subject: { type: 'wallet', id: `wallet-${number}` },
        after: { number },
      }),
    ),
  )

test('the owner of the database cannot change entries or seals', async () => {
  const name = `owner_${crypto.randomUUID().replaceAll('-', '')}`
  const { superuser: pool } = product.database
  const { keys } = product.context
  const { options } = pool as unknown as { options: { host: string; port: number; user: string } }
  await pool.query(`CREATE ROLE ${name} LOGIN SUPERUSER PASSWORD 'none'`)
  await pool.query(`CREATE SCHEMA ${name} AUTHORIZATION ${name}`)
  await pool.query(
    `ALTER ROLE ${name} NOSUPERUSER; GRANT CONNECT ON DATABASE ${pool.options.database} TO ${name}`,
  )
  await pool.query(`ALTER ROLE ${name} SET search_path = ${name}`)
  const owned = connect({ ...options, user: name, password: 'none' }, 3, openLog('silent'))
  try {
    await migrate(owned)
    await record(owned.db, keys, {
      by: { name: 'x', from: 'tests' },
      action: 'wallet.added',
      subject: { type: 'wallet', id: 'y' },
    })
    expect(await sealAudit({ db: owned.db, keys })).toEqual({ sealed: 1, unsigned: [] })
    expect((await checkAudit({ db: owned.db, keys })).firstBreak).toBeUndefined()
    for (const statement of [
      'UPDATE audit_entries SET actor = actor',
      'DELETE FROM audit_entries',
      'TRUNCATE audit_seals',
      'DELETE FROM audit_seals',
    ])
      await expect(owned.pool.query(statement)).rejects.toThrow(/permission denied/)
  } finally {
    await owned.close()
    await pool.query(`DROP OWNED BY ${name} CASCADE; DROP ROLE ${name}`)
  }
})

test('many nodes that seal at once make one chain', async () => {
  const nodes = Array.from({ length: 4 }, () => startSealing(product.context, openLog('silent')))
  for (let wave = 0; wave < 10; wave += 1) {
    await Promise.all([
      write(30),
      sealAudit(product.context),
      sealAudit(product.context),
      wallets(product, 3),
    ])
  }
  await Promise.all(nodes.map(({ stop }) => stop()))
  const { firstBreak, entries, head } = await checkAudit(product.context)
  expect([firstBreak, entries, head?.position]).toEqual([undefined, 331n, 331n])
})
