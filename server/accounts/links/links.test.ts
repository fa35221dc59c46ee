import { expect, test } from 'vitest'
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
