import { changePassword, currentUser } from '@pool/contract/accounts/users'
import { beforeEach, describe, expect, test } from 'vitest'
import { addApp, letFactorAge } from '../../testing/factors.ts'
import { codeOf, PASSWORD, type Person, person, testProduct } from '../../testing/product.ts'
import { endSession, hashOf, noteFactor, startSession } from './sessions.ts'
import { newToken } from './tokens.ts'

const product = testProduct()
let someone: Person
/** A token with a right mark and no session. */
let chosen: string
beforeEach(async () => {
  chosen = newToken(product.context.keys)
  someone = await person(product)
})

/** Acts as the product's role. */
const sql = (statement: string, ...values: unknown[]) =>
  product.database.pool.query(statement, values)
const statusOf = async ({ email }: Person, token: string) =>
  (await product.call(currentUser, { token, query: { username: email } })).status
const INSERT = 'INSERT INTO sessions (token_hash, user_id, mac)'

describe('a session by SQL is none:', () => {
  test('one that is inserted without a signature', async () => {
    await sql(
      "INSERT INTO sessions (token_hash, user_id, mac) VALUES (sha256($1), $2, '')",
      chosen,
      someone.id,
    )
    expect(await statusOf(someone, chosen)).toBe(401)
  })

  test('one with the signature of another session', async () => {
    await sql(
      `${INSERT} SELECT sha256($1), user_id, mac FROM sessions WHERE user_id = $2`,
      chosen,
      someone.id,
    )
    expect(await statusOf(someone, chosen)).toBe(401)
    expect(await statusOf(someone, someone.token)).toBe(200)
  })

  test('the own one, given to another user', async () => {
    const victim = await person(product, ['SUPER_ADMIN'])
    const hash = hashOf(someone.token)
    const { rows } = await sql(
      "DELETE FROM sessions WHERE token_hash = decode($1, 'hex') RETURNING mac",
      hash,
    )
    await sql(`${INSERT} VALUES (decode($1, 'hex'), $2, $3)`, hash, victim.id, rows[0].mac)
    expect(await statusOf(victim, someone.token)).toBe(401)
  })

  test('an ended one that is brought back', async () => {
    const hash = hashOf(someone.token)
    const { rows } = await sql(
      "SELECT mac FROM sessions WHERE token_hash = decode($1, 'hex')",
      hash,
    )
    await endSession(product.context.db, hash)
    await sql(`${INSERT} VALUES (decode($1, 'hex'), $2, $3)`, hash, someone.id, rows[0].mac)
    expect(await statusOf(someone, someone.token)).toBe(401)
  })
})

describe('a proof by SQL is none:', () => {
  beforeEach(async () => {
    await addApp(product, someone)
    await letFactorAge(product, someone, '6 minutes')
  })
  const change = (token: string) =>
    product.call(changePassword, {
      token,
      payload: { password: PASSWORD, newPassword: 'a new battery horse' },
    })

  test('one whose moment is moved', async () => {
    expect(codeOf(await change(someone.token))).toBe('factorNeeded')
    await sql('UPDATE sessions SET factor_at = now() WHERE user_id = $1', someone.id)
    expect(codeOf(await change(someone.token))).toBe('factorNeeded')
    expect(await statusOf(someone, someone.token)).toBe(200)
  })

  test('one that is copied from another session', async () => {
    const token = await startSession(product.context, someone.id)
    await noteFactor(product.context, { hash: hashOf(someone.token), userId: someone.id })
    await sql(
      `UPDATE sessions SET (factor_at, factor_mac) = (
         SELECT factor_at, factor_mac FROM sessions WHERE token_hash = sha256($1)) WHERE token_hash = sha256($2)`,
      someone.token,
      token,
    )
    expect(codeOf(await change(token))).toBe('factorNeeded')
    expect((await change(someone.token)).status).toBe(200)
  })

  test('one of a row that is swapped meanwhile', async () => {
    const victim = await person(product, ['SUPER_ADMIN'])
    const own = { hash: hashOf(someone.token), userId: someone.id }
    await sql("DELETE FROM sessions WHERE token_hash = decode($1, 'hex')", own.hash)
    await sql(
      `INSERT INTO sessions (token_hash, user_id, mac) VALUES (decode($1, 'hex'), $2, '')`,
      own.hash,
      victim.id,
    )
    await noteFactor(product.context, own)
    expect(await statusOf(victim, someone.token)).toBe(401)
  })
})

test('a changed password carries no proof by SQL over', async () => {
  const token = await startSession(product.context, someone.id)
  await sql('UPDATE sessions SET factor_at = now() WHERE user_id = $1', someone.id)
  const changed = await product.call(changePassword, {
    token,
    payload: { password: PASSWORD, newPassword: 'a new battery horse' },
  })
  expect(changed).toMatchObject({ status: 200 })
  const { rows } = await sql('SELECT factor_at FROM sessions WHERE user_id = $1', someone.id)
  expect(rows).toEqual([{ factor_at: null }])
})
