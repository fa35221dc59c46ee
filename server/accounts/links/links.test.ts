import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../../base/db/migrate.ts'
import { readRoutines } from '../../base/db/routines.ts'
import { testDatabase } from '../../testing/database.ts'
import { person, testProduct } from '../../testing/product.ts'
import { addLink, endLinks, findLink, type LinkKind, useLink } from './links.ts'
import { tokenOf } from './tokens.ts'

const product = testProduct()

const added = async (kind: LinkKind, address = 'a@b.co') => {
  const { db, keys } = product.context
  const { id: userId } = await person(product)
  const { link } = await addLink(db, keys, { kind, userId, address })
  const found = await findLink(product.context, tokenOf(keys, link), kind)
  if (!found) throw new Error('the link was not found')
  return { ...found, userId, token: tokenOf(keys, link) }
}

test('a link is found by its kind and used once', async () => {
  const { db } = product.context
  const link = await added('RESET')
  expect(await findLink(product.context, link.token, 'CONFIRM', 'CHANGE')).toBeUndefined()
  expect([await useLink(db, link), await useLink(db, link)]).toEqual([true, false])
  expect(await findLink(product.context, link.token, 'RESET')).toBeUndefined()
})

test('a use ends links of its kind and address alone', async () => {
  const { db, keys } = product.context
  const link = await added('FREEZE')
  const more = async (kind: LinkKind, address: string) =>
    tokenOf(keys, (await addLink(db, keys, { kind, userId: link.userId, address })).link)
  const same = await more('FREEZE', 'a@b.co')
  const others = [
    await more('FREEZE', 'other@b.co'),
    await more('GIVE_BACK', 'a@b.co'),
    await more('RESET', 'a@b.co'),
    (await added('FREEZE')).token,
  ]
  expect(await useLink(db, link)).toBe(true)
  const isOpen = async (token: string) =>
    (await findLink(product.context, token, 'FREEZE', 'GIVE_BACK', 'RESET')) !== undefined
  expect(await isOpen(same)).toBe(false)
  expect(await Promise.all(others.map(isOpen))).toEqual(Array(4).fill(true))
  const ending = { userId: link.userId, kinds: ['FREEZE', 'GIVE_BACK'] } as const
  expect([await endLinks(db, ending), await endLinks(db, ending)]).toEqual([2, 0])
})

test('the database ends a link once, and prolongs none', async () => {
  const { db } = product.context
  const { superuser } = product.database
  const link = await added('CHANGE')
  const change = (set: string) =>
    superuser.query(`UPDATE links SET ${set} WHERE id = $1`, [link.id])
  for (const set of [
    "expires_at = expires_at + interval '1 second'",
    "address = 'thief@example.com'",
    "kind = 'RESET'",
    "token_digest = 'x'",
    'created_at = now()',
  ])
    await expect(change(set)).rejects.toThrow('not allowed')
  expect(await useLink(db, link)).toBe(true)
  await expect(change('ended_at = NULL')).rejects.toThrow('not allowed')
})

test('links of four tables are carried over', async () => {
  const database = await testDatabase('owner')
  const { pool } = database
  await pool.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  const directory = mkdtempSync(join(tmpdir(), 'links-'))
  cpSync(join(import.meta.dirname, '../../base/migrations'), join(directory, 'migrations'), {
    recursive: true,
    filter: (path) => !/(schema\.sql|grants\.sql|00(3[3-9]|[4-9]\d)-.*)$/.test(path),
  })
  const before = { directory: join(directory, 'migrations'), routines: readRoutines(directory) }
  await migrate(database, before)
  rmSync(directory, { recursive: true })
  const id = (n: number) => `${n}0000000-0000-7000-8000-000000000000`
  await pool.query(`
    INSERT INTO users (id, username, password_hash, first_name, last_name, country)
    VALUES ('${id(1)}', 'a@b.co', '', '', '', 'US');
    INSERT INTO password_resets (id, user_id, token_digest, expires_at, used_at)
    VALUES ('${id(2)}', '${id(1)}', 'r', now() + interval '30 minutes', now());
    INSERT INTO email_links (id, user_id, kind, email, token_digest, expires_at)
    VALUES ('${id(3)}', '${id(1)}', 'CHANGE', 'new@b.co', 'c', now() + interval '24 hours');
    INSERT INTO freeze_links (id, user_id, email, token_digest, expires_at)
    VALUES ('${id(4)}', '${id(1)}', NULL, 'f', now() + interval '7 days'),
      ('${id(5)}', '${id(1)}', 'old@b.co', 'g', now() + interval '7 days');
    INSERT INTO proposals (id, kind, subject, payload, language, reason, asked_by, status, alone, decided_at, ended_at)
    VALUES ('${id(6)}', 'INVITE', 'i@b.co', '{"role": "ADMIN"}', 'en', 'why', '${id(1)}', 'DONE', true, now(), now());
    INSERT INTO invites (id, email, token_digest, expires_at)
    VALUES ('${id(6)}', 'i@b.co', 'i', now() + interval '72 hours')`)
  expect(await migrate(database)).toContain('0033-links.sql')
  const { rows } = await pool.query(
    `SELECT kind, user_id IS NULL AS "isInvite", address, encode(token_digest, 'escape') AS digest, ended_at IS NULL AS open,
       extract(epoch FROM expires_at - created_at)::int / 60 AS minutes FROM links ORDER BY id`,
  )
  const open = { isInvite: false, open: true }
  expect(rows).toEqual([
    { ...open, kind: 'RESET', address: 'a@b.co', digest: 'r', open: false, minutes: 30 },
    { ...open, kind: 'CHANGE', address: 'new@b.co', digest: 'c', minutes: 1_440 },
    { ...open, kind: 'FREEZE', address: 'a@b.co', digest: 'f', minutes: 10_080 },
    { ...open, kind: 'GIVE_BACK', address: 'old@b.co', digest: 'g', minutes: 10_080 },
    { ...open, kind: 'INVITE', isInvite: true, address: 'i@b.co', digest: 'i', minutes: 4_320 },
  ])
  await database.close()
})

test('nodes of 1.0.0 write links by their old names', async () => {
  const { id } = await person(product)
  const { pool } = product.database
  const insert = (table: string, columns: string, values: string) =>
    pool.query(
      `INSERT INTO ${table} (id, user_id, token_digest, expires_at${columns})
       VALUES (gen_random_uuid(), $1, uuid_send(gen_random_uuid()), now() + interval '1 hour'${values}) RETURNING expires_at`,
      [id],
    )
  await insert('password_resets', '', '')
  await insert('email_links', ', kind, email', ", 'CONFIRM', 'c@b.co'")
  await insert('freeze_links', '', '')
  const { rows: returned } = await insert('freeze_links', ', email', ", 'g@b.co'")
  expect(returned).toEqual([{ expires_at: expect.any(Date) }])
  const used = await pool.query(
    'UPDATE password_resets SET used_at = now() WHERE user_id = $1 AND used_at IS NULL RETURNING token_digest',
    [id],
  )
  expect(used.rowCount).toBe(1)
  const { rows } = await pool.query(
    'SELECT kind, address IN (SELECT username FROM users) AS own, ended_at IS NULL AS open FROM links WHERE user_id = $1 ORDER BY kind',
    [id],
  )
  expect(rows).toEqual([
    { kind: 'CONFIRM', own: false, open: true },
    { kind: 'FREEZE', own: true, open: true },
    { kind: 'GIVE_BACK', own: false, open: true },
    { kind: 'RESET', own: true, open: false },
  ])
  expect(
    (await pool.query('SELECT email FROM freeze_links WHERE user_id = $1', [id])).rows,
  ).toHaveLength(2)
})

test('links of a leaked key and by SQL are none', async () => {
  const { db, keys } = product.context
  const link = await added('RESET')
  const mark = { position: 1n, hash: '' }
  const leaked = { ...keys, leaked: new Map([[keys.ids[0] ?? '', mark]]) }
  expect(await findLink({ db, keys: leaked }, link.token, 'RESET')).toBeUndefined()
  await product.database.pool.query(
    `INSERT INTO links (id, kind, user_id, address, token_digest, expires_at)
     VALUES (gen_random_uuid(), 'RESET', $1, 'a@b.co', sha256('chosen'), now() + interval '30 minutes')`,
    [link.userId],
  )
  expect(await findLink({ db, keys }, 'chosen', 'RESET')).toBeUndefined()
})
