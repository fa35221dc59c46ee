import { freezeAccount } from '@pool/contract/accounts/sessions'
import { succeeded } from '@pool/contract/base/messages'
import type { NetworkName } from '@pool/contract/base/networks'
import {
  archiveWallet,
  createWallet,
  createWallets,
  depositTerms,
  listWallets,
  restoreWallet,
  type Wallet,
  walletStock,
} from '@pool/contract/chain/wallets'
import { confirm } from '@pool/contract/requests/decisions'
import { deposit } from '@pool/contract/requests/requests'
import type { FastifyInstance } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Link, tokenOf } from '../../accounts/links/tokens.ts'
import { LOCKS, lockSql, shareSql } from '../../base/locks.ts'
import { checkLedger, findingOf } from '../../ledger/check/check.ts'
import { pause } from '../../money/brakes/pauses.ts'
import { newAddress } from '../../testing/addresses.ts'
import { expectWhole } from '../../testing/decisions.ts'
import {
  actAs,
  balanceOf,
  type Person,
  person,
  rewoundProduct,
  secondProcess,
} from '../../testing/product.ts'

/** An archived address takes no new deposits, and stays its investor's for good. */

const product = rewoundProduct()
let second: FastifyInstance
beforeAll(async () => {
  second = await secondProcess(product)
})
afterAll(() => second.close())
let admin: Person
let investor: Person
beforeEach(async () => {
  admin = await person(product, ['ADMIN'])
  investor = await person(product)
})
afterEach(async () => {
  await expectWhole(product)
  // The tallies are those of the rows.
  expect(findingOf(await checkLedger(product.context.db))).toBeUndefined()
})

const add = async (networkName: NetworkName, address = newAddress(networkName)) =>
  (await product.call(createWallet, { token: admin.token, payload: { address, networkName } })).body

const ask = async (
  { id, token }: Person,
  networkName?: string,
  app: FastifyInstance = product.app,
) => {
  const answer = await app.inject({
    method: 'POST',
    url: deposit.path,
    headers: { authorization: `Bearer ${token}` },
    payload: { userId: id, amount: 10, networkName },
  })
  return answer.json().body
}
const list = async (query: Record<string, string> = {}) => {
  const { body, page } = await product.call(listWallets, {
    token: admin.token,
    query: { limit: '50', ...query },
  })
  const rows = body
  expect(page?.total).toBe(rows.length)
  return rows
}
const found = async (address: string | undefined): Promise<Wallet> => {
  const rows = await list({ status: 'assigned,available,archived', search: address ?? '' })
  expect(rows).toHaveLength(1)
  return rows[0] as Wallet
}
const archive = (id: string) => product.call(archiveWallet, { token: admin.token, params: { id } })
const restore = (id: string) => product.call(restoreWallet, { token: admin.token, params: { id } })
const stock = async () => (await product.call(walletStock, { token: admin.token })).body

test('new deposits get another address, and waiting ones are confirmed', async () => {
  await add('Bitcoin')
  await add('Bitcoin')
  const waiting = await ask(investor, 'Bitcoin')
  const { id } = await found(waiting.address)
  expect(await archive(id)).toMatchObject({
    status: 200,
    narration: succeeded.walletArchived,
    body: { id, assigned: true, owner: investor.email },
  })

  const next = await ask(investor)
  expect(next).toMatchObject({ address: expect.any(String), networkName: 'Bitcoin' })
  expect(next.address).not.toBe(waiting.address)
  expect(await ask(investor, 'Bitcoin')).toMatchObject({ address: next.address })
  const { status } = await product.call(confirm, {
    token: admin.token,
    payload: { transactionId: waiting.transactionId },
  })
  expect([status, await balanceOf(product, investor)]).toEqual([200, 10])
})

test('the investor is mailed a link that freezes', async () => {
  await add('Bitcoin')
  const { address } = await ask(investor, 'Bitcoin')
  const { id } = await found(address)
  await archive(id)
  await archive(id)
  await restore(id)
  const { rows } = await product.database.pool.query<{
    recipient: string
    parameters: { address: string; archived: boolean; link: Link }
  }>("SELECT recipient, parameters FROM mails WHERE template = 'depositAddressChanged' ORDER BY id")
  expect(rows).toMatchObject(
    [true, false].map((archived) => ({
      recipient: investor.email,
      parameters: { address, archived },
    })),
  )
  const link = rows[0]?.parameters.link as Link
  const token = tokenOf(product.context.keys, link)
  expect((await product.call(freezeAccount, { payload: { token } })).status).toBe(200)
})

test('archived wallets are counted only under their status', async () => {
  for (let n = 0; n < 3; n += 1) await add('Bitcoin')
  const { address } = await ask(investor)
  const { id } = await found(address)
  expect(await stock()).toEqual([{ networkName: 'Bitcoin', available: 2, total: 3 }])
  await archive(id)
  expect((await list()).map(({ assigned }) => assigned)).toEqual([false, false])
  expect(await list({ status: 'assigned' })).toEqual([])
  expect(await list({ status: 'archived' })).toMatchObject([
    { id, owner: investor.email, dateArchived: expect.any(Array) },
  ])
  expect(await stock()).toEqual([{ networkName: 'Bitcoin', available: 2, total: 2 }])
  const terms = async () =>
    (await product.call(depositTerms, { token: investor.token })).body.networks
  expect(await terms()).toMatchObject([{ name: 'Bitcoin' }])
  for (const free of await list()) await ask(await person(product), free.networkName)
  expect([await terms(), await ask(investor)]).toMatchObject([[], { code: 'noWalletAvailable' }])
})

test('an archived address stays its owner’s for good', async () => {
  const address = newAddress('Ethereum')
  await add('Ethereum', address)
  await ask(investor)
  const { id } = await found(address)
  await archive(id)
  expect(await add('Ethereum', address.toLowerCase())).toMatchObject({ code: 'walletExists' })
  // On another network it is archived, too.
  expect(await add('Polygon', address)).toMatchObject({
    owner: investor.email,
    dateArchived: expect.any(Array),
  })
  expect(
    await product.call(createWallets, {
      token: admin.token,
      payload: { networkName: 'Binance Smart Chain', addresses: [address, newAddress('Ethereum')] },
    }),
  ).toMatchObject({ body: { added: 2, assigned: 1 } })
  expect(await ask(await person(product), 'Polygon')).toMatchObject({ code: 'noWalletOnNetwork' })
  expect(await ask(await person(product), 'Ethereum')).toMatchObject({ code: 'noWalletOnNetwork' })
  expect(await list({ status: 'archived' })).toHaveLength(3)
  for (const statement of [
    'UPDATE wallets SET owner_id = NULL, archived_at = NULL WHERE archived_at IS NOT NULL',
    'DELETE FROM wallets WHERE archived_at IS NOT NULL',
  ])
    await expect(product.database.pool.query(statement)).rejects.toThrow(/not allowed/)
})

test('an address is archived and restored on all its networks', async () => {
  const [first, other] = [newAddress('Ethereum'), newAddress('Ethereum')]
  for (const address of [first, other])
    for (const network of ['Ethereum', 'Polygon'] as const) await add(network, address)
  expect(await ask(investor, 'Polygon')).toMatchObject({ address: first })
  const [wallet] = await list({ status: 'assigned' })
  const id = wallet?.id ?? ''
  await archive(id)
  expect(await list({ status: 'archived' })).toHaveLength(2)
  expect(await restore(id)).toMatchObject({ status: 200, narration: succeeded.walletRestored })
  expect(await list({ status: 'assigned' })).toHaveLength(2)
  expect(await ask(investor)).toMatchObject({ address: first })

  // With another address in use it stays archived.
  await archive(id)
  expect(await ask(investor, 'Polygon')).toMatchObject({ address: other })
  expect(await restore(id)).toMatchObject({
    status: 409,
    narration: 'This address belongs to an investor who already has another address on Ethereum.',
  })
  expect(await list({ status: 'archived' })).toHaveLength(2)
})

test('only an assigned wallet is archived, and only once', async () => {
  const { id } = await add('Solana')
  expect(await archive(id)).toMatchObject({ status: 409, body: { code: 'walletNotAssigned' } })
  expect(await restore(crypto.randomUUID())).toMatchObject({ status: 404 })
  await ask(investor)
  expect(await restore(id)).toMatchObject({ status: 200 })
  const first = await archive(id)
  expect(await archive(id)).toEqual(first)
  await restore(id)
  const { rows } = await product.database.pool.query(
    "SELECT actor, action, owner_id, before, after FROM audit_entries WHERE subject_id = $1 AND action <> 'wallet.added' ORDER BY id",
    [id],
  )
  const is = (archived: boolean) => expect.objectContaining({ networkName: 'Solana', archived })
  const entry = { actor: admin.email, owner_id: investor.id }
  expect(rows).toEqual([
    { ...entry, action: 'wallet.archived', before: is(false), after: is(true) },
    { ...entry, action: 'wallet.restored', before: is(true), after: is(false) },
  ])
})

test('deposits at the moment of archiving get one address each', async () => {
  for (let n = 0; n < 6; n += 1) await add('Bitcoin')
  for (let round = 0; round < 4; round += 1) {
    const before = await ask(investor)
    const { id } = await found(before.address)
    const [archived, ...answers] = await Promise.all([
      archive(id),
      ...[0, 1, 2, 3].map((n) => ask(investor, 'Bitcoin', n % 2 ? product.app : second)),
    ])
    expect(archived.status).toBe(200)
    const after = await ask(investor)
    expect(after.address).not.toBe(before.address)
    for (const { address } of answers) expect([before.address, after.address]).toContain(address)
    // No deposit was recorded for the address after it was archived.
    const { rows } = await product.database.pool.query(
      'SELECT count(*)::int AS late FROM transactions AS t JOIN wallets AS w ON w.id = t.wallet_id WHERE t.created_at > w.archived_at',
    )
    expect(rows).toEqual([{ late: 0 }])
    const { rows: inUse } = await product.database.pool.query(
      'SELECT count(*)::int AS wallets FROM wallets WHERE owner_id = $1 AND archived_at IS NULL',
      [investor.id],
    )
    expect(inUse).toEqual([{ wallets: 1 }])
    for (const { transactionId } of [before, ...answers, after])
      await product.call(confirm, { token: admin.token, payload: { transactionId } })
  }
})

test('archiving and restoring at once are recorded in turn', async () => {
  const { id } = await add('Bitcoin')
  await ask(investor)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => (n % 2 ? restore(id) : archive(id))),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  const { rows } = await product.database.pool.query<{ action: string }>(
    "SELECT action FROM audit_entries WHERE subject_id = $1 AND action <> 'wallet.added' ORDER BY id",
    [id],
  )
  for (const [n, { action }] of rows.entries())
    expect(action).toBe(n % 2 ? 'wallet.restored' : 'wallet.archived')
})

/** Resolves once `count` statements wait. */
const waiting = (count: number) =>
  vi.waitFor(
    async () => {
      const { rows } = await product.database.superuser.query(
        "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
      )
      expect(rows).toHaveLength(count)
    },
    { timeout: 30_000 },
  )

test('archiving and a deposit wait for each other', async () => {
  await add('Bitcoin')
  await add('Bitcoin')
  const { address } = await ask(investor)
  const { id } = await found(address)
  const other = await product.database.pool.connect()
  try {
    // A deposit is being recorded.
    await other.query('BEGIN')
    await other.query(`SELECT pg_advisory_xact_lock(${LOCKS.deposits}, hashtext($1))`, [
      investor.id,
    ])
    const archiving = archive(id)
    await waiting(1)
    await other.query('COMMIT')
    expect((await archiving).status).toBe(200)
    await restore(id)

    // The address is being archived.
    await other.query('BEGIN')
    await other.query('SELECT hold_deposits($1)', [investor.id])
    await other.query('UPDATE wallets SET archived_at = now() WHERE id = $1', [id])
    const asking = ask(investor)
    await waiting(1)
    await other.query('COMMIT')
    expect((await asking).address).not.toBe(address)
  } finally {
    other.release()
  }
})

test.each([
  ['archiving', async () => archive((await list({ status: 'assigned' }))[0]?.id ?? '')],
  ['adding', async () => add('Bitcoin')],
])('%s waits in line with a group and a pause', async (_, act) => {
  await add('Bitcoin')
  await ask(investor)
  // A group that goes on to give the investor a wallet.
  const group = await product.database.pool.connect()
  try {
    await group.query(`BEGIN; ${shareSql('groups')}`)
    const pausing = pause(product.context, {
      name: 'investing',
      by: actAs(admin),
      reason: 'A drill',
    })
    await waiting(1)
    const acting = act()
    await waiting(2)
    await group.query("SET LOCAL lock_timeout = '500ms'")
    await group.query(`SELECT pg_advisory_xact_lock(${LOCKS.deposits}, hashtext($1))`, [
      investor.id,
    ])
    await group.query(lockSql('owners'))
    await group.query('COMMIT')
    await pausing
    expect(await acting).not.toMatchObject({ status: 500 })
  } finally {
    group.release()
  }
})
