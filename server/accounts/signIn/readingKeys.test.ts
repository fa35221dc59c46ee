import * as contract from '@pool/contract/accounts/readingKeys'
import { endOtherSessions } from '@pool/contract/accounts/sessions'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { endpoints } from '@pool/contract/base/endpoints'
import { listInvestments } from '@pool/contract/money/investments'
import { closeAccount } from '@pool/contract/reports/ownData'
import { readStatement } from '@pool/contract/reports/statements'
import { transactionStory } from '@pool/contract/requests/stories'
import { balance, listTransactions } from '@pool/contract/requests/transactions'
import { beforeAll, expect, test } from 'vitest'
import { BATCH } from '../../base/lists/stream.ts'
import { openLog } from '../../base/process/log.ts'
import { buildApp } from '../../operator/app.ts'
import { digestOf } from '../../testing/contents.ts'
import {
  codeOf,
  investorWith,
  PASSWORD,
  type Person,
  person,
  secondProcess,
  testProduct,
} from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'

const product = testProduct({ RATE_LIMITS: 'on' })
let investor: Person
let other: Person
let admin: Person
beforeAll(async () => {
  investor = await investorWith(product, 500)
  other = await investorWith(product, 700)
  admin = await person(product, ['ADMIN'])
})

const make = ({ token }: Person, payload: object = { name: 'A script', days: 30 }) =>
  product.call(contract.makeReadingKey, { token, payload })
const made = async (who: Person): Promise<{ id: string; key: string }> => {
  const answer = await make(who)
  expect(answer.status).toBe(200)
  return answer.body
}
const list = async ({ token }: Person) =>
  (await product.call(contract.listReadingKeys, { token })).body
const end = ({ token }: Person, id: string) =>
  product.call(contract.endReadingKey, { token, params: { id } })
const read = (token: string) => product.call(listTransactions, { token })
/** The entries of the audit trail about ended keys of a person. */
const endsOnRecord = async ({ id }: Person) =>
  (
    await product.database.superuser.query(
      `SELECT actor, after->'names' AS names FROM audit_entries
       WHERE action = 'readingKey.ended' AND subject_id = $1::text ORDER BY id`,
      [id],
    )
  ).rows
/** A newcomer with a key, for whom the pace begins anew. */
const holder = async () => {
  const who = await investorWith(product, 100)
  return { who, ...(await made(who)) }
}

test('a key reads the own records and nothing else', async () => {
  const { key: token } = await made(investor)
  expect(token).toMatch(/^read_[\w-]{67}$/)
  const payload = { userId: investor.id }
  expect((await product.call(balance, { token, payload })).body).toBe(500)
  const [row, ...more] = (await read(token)).body
  expect([row?.userId, more.length]).toEqual([investor.id, 0])
  const story = (id: string) => product.call(transactionStory, { token, params: { id } })
  expect((await story(row?.id ?? '')).status).toBe(200)
  const params = { userId: investor.id }
  expect((await product.call(listInvestments, { token, params })).status).toBe(200)
  const period = String(new Date().getUTCFullYear())
  const statement = await product.call(readStatement, { token, params: { period, form: 'json' } })
  expect(statement.status).toBe(200)

  const [foreign] = (await read(other.token)).body
  expect((await story(foreign?.id ?? '')).status).toBe(404)
  const asked = await product.call(balance, { token, payload: { userId: other.id } })
  expect(asked.status).toBe(403)
  expect(await list(investor)).toMatchObject([{ name: 'A script', lastUsedAt: expect.anything() }])
})

test('each other call refuses a key and changes nothing', async () => {
  const { key } = await made(await person(product))
  // No use of a key is recorded meanwhile.
  await tamper(product.database, `UPDATE reading_keys SET last_used_at = now() + interval '1 hour'`)
  const before = await digestOf(product)
  // The limits of a minute would hide what a call answers.
  const config = { ...product.context.config, rateLimits: false }
  const app = await buildApp({ ...product.context, config }, openLog('silent'))
  const open: string[] = []
  let tried = 0
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    if (endpoint.access === 'public' || endpoint.forReadingKeys) continue
    tried += 1
    const answer = await app.inject({
      method: endpoint.method,
      url: endpoint.path.replace(/\{\w+\}/g, '00000000-0000-7000-8000-000000000000'),
      headers: { authorization: `Bearer ${key}` },
      ...(endpoint.method !== 'GET' && { payload: {} }),
    })
    if (answer.statusCode !== 403 || !answer.body.includes('"readingKeyOnly"'))
      open.push(`${name} ${answer.statusCode}`)
  }
  await app.close()
  expect(open).toEqual([])
  expect(tried).toBeGreaterThan(100)
  expect(await digestOf(product)).toEqual(before)
})

test('seven calls are open to a key', () => {
  const open = Object.entries<Endpoint>(endpoints).filter(
    ([, { forReadingKeys }]) => forReadingKeys,
  )
  expect(open.map(([name]) => name).sort()).toEqual([
    'balance',
    'investmentStory',
    'listInvestments',
    'listStatements',
    'listTransactions',
    'readStatement',
    'transactionStory',
  ])
})

test('the OpenAPI page names the calls of a key', async () => {
  const { body } = await product.app.inject({ url: '/api/docs/json' })
  const { paths, components } = JSON.parse(body)
  expect(components.securitySchemes.readingKey.description).toContain('curl')
  expect(paths[listTransactions.path].get.security).toContainEqual({ readingKey: [] })
  expect(paths[contract.makeReadingKey.path].post.security).toEqual([{ bearer: [] }])
})

test('a key counts in the header of authorization alone', async () => {
  const { key } = await made(await person(product))
  const url = listTransactions.path
  const ways: { url: string; headers?: Record<string, string> }[] = [
    ...['token', 'key', 'access_token', 'authorization'].map((name) => ({
      url: `${url}?${name}=${key}`,
    })),
    { url: `${url}/${key}` },
    { url, headers: { cookie: `token=${key}` } },
    { url, headers: { 'x-api-key': key } },
    { url, headers: { authorization: `Basic ${btoa(`${key}:`)}` } },
    { url, headers: { authorization: key } },
  ]
  for (const way of ways) {
    const { statusCode } = await product.app.inject(way)
    expect([way, statusCode]).toEqual([way, way.url.endsWith(`/${key}`) ? 404 : 401])
  }
  const headers = { authorization: `Bearer ${key}` }
  expect((await product.app.inject({ url, headers })).statusCode).toBe(200)
})

test('a key of staff reads as an investor does', async () => {
  const { key } = await made(admin)
  expect((await read(key)).body).toEqual([])
  expect((await read(admin.token)).body.length).toBeGreaterThan(1)
})

test('an ended key answers 401 on every node', async () => {
  const { who, id, key } = await holder()
  const elsewhere = await secondProcess(product)
  try {
    const there = () =>
      elsewhere.inject({
        url: listTransactions.path,
        headers: { authorization: `Bearer ${key}` },
      })
    expect((await there()).statusCode).toBe(200)
    expect(codeOf(await end(other, id))).toBe('readingKeyNotFound')
    expect((await end(who, id)).status).toBe(200)
    expect([(await read(key)).status, (await there()).statusCode]).toEqual([401, 401])
    expect(codeOf(await end(who, id))).toBe('readingKeyNotFound')
    expect(await list(who)).toEqual([])
  } finally {
    await elsewhere.close()
  }
})

test('ten keys at most work at once', async () => {
  const who = await person(product)
  const answers = await Promise.all(Array.from({ length: 14 }, () => make(who)))
  const codes = answers.filter(({ successful }) => !successful).map(codeOf)
  expect(codes).toEqual(Array(4).fill('tooManyReadingKeys'))
  expect(await list(who)).toHaveLength(10)
  for (const wrong of [
    { name: '', days: 1 },
    { name: 'x', days: 366 },
    { name: 'x', days: 0 },
  ])
    expect((await make(who, wrong)).status).toBe(400)
})

test('keys end with all sessions unless they are to stay', async () => {
  const { who, key } = await holder()
  const others = (payload?: object) =>
    product.call(endOtherSessions, { token: who.token, ...(payload && { payload }) })
  expect((await others({ readingKeys: false })).status).toBe(200)
  expect((await read(key)).status).toBe(200)
  expect(await endsOnRecord(who)).toEqual([])
  expect((await others()).status).toBe(200)
  expect((await read(key)).status).toBe(401)
  expect(await endsOnRecord(who)).toEqual([{ actor: who.email, names: ['A script'] }])
})

test('a mail about a new key can freeze the account', async () => {
  const { who } = await holder()
  const { rows } = await product.database.superuser.query(
    "SELECT template, parameters->'days' AS days, parameters ? 'link' AS brake FROM mails WHERE recipient = $1",
    [who.email],
  )
  expect(rows).toEqual([{ template: 'readingKeyMade', days: 30, brake: true }])
})

test('a key ends with its account', async () => {
  const who = await person(product)
  const { key } = await made(who)
  expect((await read(key)).status).toBe(200)
  const payload = { password: PASSWORD }
  expect((await product.call(closeAccount, { token: who.token, payload })).status).toBe(200)
  expect((await read(key)).status).toBe(401)
  const { rows } = await product.database.pool.query(
    'SELECT FROM reading_keys WHERE user_id = $1',
    [who.id],
  )
  expect(rows).toEqual([])
})

test('no key works while its account is frozen or suspended', async () => {
  const { who, key } = await holder()
  for (const columns of [['frozen_at', 'frozen_since'], ['suspended_at']]) {
    const set = (value: string) =>
      tamper(
        product.database,
        `UPDATE users SET ${columns.map((name) => `${name} = ${value}`).join()} WHERE id = '${who.id}'`,
      )
    await set('now()')
    expect((await read(key)).status).toBe(401)
    await set('NULL')
    expect((await read(key)).status).toBe(200)
  }
})

test('SQL alone makes no key and prolongs none', async () => {
  const { who, id, key } = await holder()
  const { pool } = product.database
  await expect(
    pool.query(`UPDATE reading_keys SET ends_at = now() + interval '300 days'`),
  ).rejects.toThrow(/permission denied/)
  const set = (what: string) =>
    tamper(product.database, `UPDATE reading_keys SET ${what} WHERE id = '${id}'`)
  await set(`ends_at = ends_at + interval '1 day'`)
  expect((await read(key)).status).toBe(401)
  await set(`ends_at = ends_at - interval '1 day'`)
  expect((await read(key)).status).toBe(200)
  await set(`user_id = '${other.id}'`)
  expect((await read(key)).status).toBe(401)
  await pool.query(
    `INSERT INTO reading_keys (id, user_id, name, token_hash, ends_at, mac)
     SELECT gen_random_uuid(), $1, 'forged', sha256('read_forged'), now() + interval '1 day', mac FROM reading_keys WHERE id = $2`,
    [who.id, id],
  )
  expect((await read('read_forged')).status).toBe(401)
  const { rows } = await pool.query('SELECT * FROM reading_keys')
  expect(JSON.stringify(rows)).not.toContain(key)
})

test('SQL brings no ended key back', async () => {
  const { who, id, key } = await holder()
  const { pool } = product.database
  const { rows } = await pool.query(
    'SELECT row_to_json(kept) AS kept FROM reading_keys AS kept WHERE id = $1',
    [id],
  )
  expect((await end(who, id)).status).toBe(200)
  const insert = (columns: string) =>
    pool.query(
      `INSERT INTO reading_keys (${columns}) SELECT ${columns} FROM json_populate_record(NULL::reading_keys, $1)`,
      [rows[0].kept],
    )
  const columns = 'id, user_id, name, token_hash, ends_at, mac'
  await expect(insert(`${columns}, made_at`)).rejects.toThrow(/permission denied/)
  await insert(columns)
  expect((await read(key)).status).toBe(401)
})

test('a key has a pace of its own', async () => {
  const { who, key } = await holder()
  const answers = []
  for (let call = 0; call < 90; call += 1) answers.push(await read(key))
  expect(answers.slice(0, 60).every(({ status }) => status === 200)).toBe(true)
  expect(answers.map(codeOf)).toContain('tooManyReadingCalls')
  expect((await read(who.token)).status).toBe(200)
})

test('calls that a key may not make are paced, too', async () => {
  const { key: token } = await holder()
  const answers = []
  for (let call = 0; call < 90; call += 1)
    answers.push(await product.call(contract.listReadingKeys, { token }))
  expect(answers.slice(0, 60).map(codeOf)).toEqual(Array(60).fill('readingKeyOnly'))
  expect(answers.map(codeOf)).toContain('tooManyReadingCalls')
  expect(codeOf(await read(token))).toBe('tooManyReadingCalls')
})

test('the portions of a long list count as one call', async () => {
  const { who, key } = await holder()
  for (let call = 0; call < 50; call += 1) await read(key)
  await product.database.pool.query(
    `INSERT INTO transactions (id, user_id, type, status, amount, rate_basis_points, interest, duration_days, investment_status, matures_at, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'investment', 'COMPLETED', 500, 500, 25, 5, 'ACTIVE', now(), now() - n * interval '1 second', now()
     FROM generate_series(1, 12 * ${BATCH}) AS n`,
    [who.id],
  )
  const { status, body } = await read(key)
  expect(status).toBe(200)
  expect(body.length).toBeGreaterThan(12 * BATCH)
})
