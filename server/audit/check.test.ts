import { cents } from '@pool/contract/money'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../db/connection.ts'
import { migrate } from '../db/migrate.ts'
import { openLog } from '../log.ts'
import { fund, type Product, person, startProduct, wallets } from '../testing/product.ts'
import { requestDeposit } from '../transactions/requestDeposit.ts'
import { checkAudit } from './check.ts'
import { record } from './record.ts'
import { auditHead, sealAudit, startSealing } from './seal.ts'

let product: Product
beforeEach(async () => {
  product = await startProduct()
})
afterEach(() => product.close())

const write = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, number) =>
      record(product.context.db, {
        by: { name: 'somebody', from: '203.0.113.7' },
        action: 'wallet.added',
        subject: { type: 'wallet', id: `wallet-${number}` },
        after: { number },
      }),
    ),
  )

/** As somebody with every right to the database, who switches its triggers off first. */
const tamper = async (...statements: readonly string[]) => {
  const client = await product.database.pool.connect()
  await client.query("SET session_replication_role = 'replica'")
  for (const statement of statements) await client.query(statement)
  await client.query('RESET session_replication_role')
  client.release()
}
const check = () => checkAudit(product.context.db)
const at = (position: number) => `(SELECT entry_id FROM audit_seals WHERE position = ${position})`
const REHASH = (position: number) =>
  `UPDATE audit_seals AS s SET hash = audit_hash((SELECT hash FROM audit_seals WHERE position = ${position - 1}), e)
   FROM audit_entries AS e WHERE e.id = s.entry_id AND s.position = ${position}`

describe('tampering is named:', () => {
  beforeEach(async () => {
    await write(20)
    await sealAudit(product.context.db)
    const { firstBreak, entries } = await check()
    expect([firstBreak, entries]).toEqual([undefined, 21n])
  })

  test.each([
    ['who did it', "actor = 'somebody else'"],
    ['when', "created_at = created_at + interval '1 microsecond'"],
    ['from where', "source = '198.51.100.1'"],
    ['what it was after', `after = '{"number": 99}'`],
    ['the reason', "reason = 'because'"],
    ['whom it concerns', 'owner_id = gen_random_uuid()'],
  ])('an entry that says otherwise %s', async (_, change) => {
    await tamper(`UPDATE audit_entries SET ${change} WHERE id = ${at(7)}`)
    const { rows } = await product.database.pool.query(`SELECT ${at(7)} AS id`)
    expect((await check()).firstBreak).toEqual({
      what: 'entryChanged',
      sentence: `Entry ${rows[0].id} was changed: it is not what was sealed at 7.`,
    })
  })

  test('an entry changed together with its seal', async () => {
    await tamper(`UPDATE audit_entries SET actor = 'x' WHERE id = ${at(7)}`, REHASH(7))
    expect((await check()).firstBreak).toMatchObject({ sentence: expect.stringContaining('at 8') })
  })

  test('an entry that was deleted, alone or with its seal', async () => {
    await tamper(`DELETE FROM audit_entries WHERE id = ${at(7)}`)
    expect((await check()).firstBreak).toMatchObject({ what: 'entryDeleted', sentence: expect.stringContaining('seal 7 is there') })
    await tamper('DELETE FROM audit_seals WHERE position = 7')
    expect((await check()).firstBreak).toMatchObject({ what: 'sealRemoved', sentence: expect.stringContaining('Seal 7 was removed') })
    await tamper('UPDATE audit_seals SET position = position - 1 WHERE position > 7')
    expect((await check()).firstBreak).toMatchObject({ sentence: expect.stringContaining('at 7') })
  })

  test('a seal that was changed', async () => {
    await tamper("UPDATE audit_seals SET hash = sha256('x') WHERE position = 7")
    expect((await check()).firstBreak).toMatchObject({ what: 'sealChanged', sentence: expect.stringContaining('Seal 7,') })
  })

  test('an entry inserted past the product, whatever its date', async () => {
    const insert = (date: string) =>
      `INSERT INTO audit_entries (created_at, actor, action, subject_type, subject_id, source) VALUES (${date}, 'x', 'role.granted', 'user', 'y', 'operator')`
    await tamper(insert("now() + interval '1 year'"))
    await sealAudit(product.context.db)
    expect((await check()).firstBreak).toMatchObject({ what: 'entryInserted' })
    await expect(product.database.pool.query(insert("now() - interval '1 day'"))).rejects.toThrow(/not allowed/)
  })

  test('an entry put between two others', async () => {
    await tamper(
      'UPDATE audit_seals SET position = position + 1000 WHERE position > 7',
      'UPDATE audit_seals SET position = position - 999 WHERE position > 1000',
      `INSERT INTO audit_entries (actor, action, subject_type, subject_id, source) VALUES ('x', 'role.granted', 'user', 'between', 'operator')`,
      "INSERT INTO audit_seals SELECT 8, id, 'x' FROM audit_entries WHERE subject_id = 'between'",
      REHASH(8),
    )
    expect((await check()).firstBreak).toMatchObject({ sentence: expect.stringContaining('at 9') })
  })

  test('an entry that waits for its seal for more than a minute', async () => {
    await write(1)
    expect((await check()).firstBreak).toBeUndefined()
    await tamper("UPDATE audit_entries SET created_at = now() - interval '61 seconds' WHERE id IN (SELECT entry_id FROM audit_unsealed)")
    expect((await check()).firstBreak).toMatchObject({ what: 'neverSealed' })
    await tamper('DELETE FROM audit_entries WHERE id IN (SELECT entry_id FROM audit_unsealed)')
    expect((await check()).firstBreak).toMatchObject({ what: 'entryDeleted' })
  })

  test('an end that was cut off, to whoever kept a head', async () => {
    const head = await auditHead(product.context.db)
    await tamper(`DELETE FROM audit_entries WHERE id IN ${at(21)}`, 'DELETE FROM audit_seals WHERE position = 21')
    expect((await check()).firstBreak).toBeUndefined()
    expect((await checkAudit(product.context.db, head)).firstBreak).toMatchObject({ what: 'cutOff' })
    await tamper('DELETE FROM audit_seals WHERE position = 20')
    expect((await check()).firstBreak).toMatchObject({ what: 'entryInserted' })
  })

  test('a decision without an entry', async () => {
    const investor = await person(product)
    await fund(product, investor, cents(50_00n))
    await sealAudit(product.context.db)
    const { transactionId } = await requestDeposit(product.context.ledger, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(40_00n),
    })
    expect((await check()).firstBreak).toBeUndefined()
    await tamper(`UPDATE transactions SET status = 'APPROVED', updated_at = now() WHERE id = '${transactionId}'`)
    expect((await check()).firstBreak).toMatchObject({ what: 'notOnRecord', sentence: expect.stringContaining(transactionId) })
    await tamper(`UPDATE transactions SET updated_at = '2020-01-01' WHERE id = '${transactionId}'`)
    expect((await check()).firstBreak).toMatchObject({ what: 'notOnRecord', sentence: expect.stringContaining(transactionId) })
  })
})

test.each([
  'UPDATE audit_entries SET actor = actor',
  'DELETE FROM audit_entries',
  'TRUNCATE audit_entries',
  'DELETE FROM audit_seals',
  "UPDATE audit_seals SET hash = ''",
  'TRUNCATE audit_seals',
])('the database refuses %s', async (statement) => {
  await sealAudit(product.context.db)
  await expect(product.database.pool.query(statement)).rejects.toThrow(/not allowed/)
})

test('the owner of the database has no right to change entries or seals, and the product works all the same', async () => {
  const name = `owner_${crypto.randomUUID().replaceAll('-', '')}`
  const { pool } = product.database
  const { options } = pool as unknown as { options: { host: string; port: number; user: string } }
  await pool.query(`CREATE ROLE ${name} LOGIN SUPERUSER PASSWORD 'none'`)
  await pool.query(`CREATE SCHEMA ${name} AUTHORIZATION ${name}`)
  await pool.query(`ALTER ROLE ${name} NOSUPERUSER`)
  await pool.query(`ALTER ROLE ${name} SET search_path = ${name}`)
  const owned = connect({ ...options, user: name, password: 'none' }, 3, openLog('silent'))
  try {
    await migrate(owned.pool)
    await record(owned.db, { by: { name: 'x', from: 'tests' }, action: 'wallet.added', subject: { type: 'wallet', id: 'y' } })
    expect(await sealAudit(owned.db)).toBe(1)
    expect((await checkAudit(owned.db)).firstBreak).toBeUndefined()
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

test('many nodes that seal at once make one chain, in which every entry is once', async () => {
  const nodes = Array.from({ length: 4 }, () => startSealing(product.context.db, openLog('silent')))
  for (let wave = 0; wave < 10; wave += 1) {
    await Promise.all([write(30), sealAudit(product.context.db), sealAudit(product.context.db), wallets(product, 3)])
  }
  await Promise.all(nodes.map(({ stop }) => stop()))
  const { firstBreak, entries, head } = await check()
  expect([firstBreak, entries, head?.position]).toEqual([undefined, 331n, 331n])
})
