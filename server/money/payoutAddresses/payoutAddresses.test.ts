import { invalidAddress, succeeded } from '@pool/contract/base/messages'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { payoutAddress, savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { reject } from '@pool/contract/requests/decisions'
import { DEFAULT_DESTINATION } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import { listTransactions } from '@pool/contract/requests/transactions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAddress } from '../../testing/addresses.ts'
import {
  adminOf,
  ask,
  decide,
  idOf,
  letTimePass,
  read,
  save,
  startBothModes,
} from '../../testing/bothModes.ts'
import { investorWith, type Product, person } from '../../testing/product.ts'
import { savePayoutAddress as savePayoutAddressOf } from './payoutAddress.ts'

const TEST_ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'

let sandbox: Product
let live: Product
let close: () => Promise<void>
beforeAll(async () => {
  ;({ sandbox, live, close } = await startBothModes())
})
afterAll(() => close())

describe('the payout address', () => {
  test('is read and changed by its owner only', async () => {
    const [one, other] = [await person(sandbox), await person(sandbox)]
    const address = newAddress('Solana')
    const saved = await save(sandbox, one, address, 'solana')
    expect(saved).toMatchObject({
      status: 200,
      narration: succeeded.payoutAddressSaved,
      body: { current: { address, networkName: 'Solana' }, next: null },
    })
    expect((await sandbox.call(payoutAddress, { token: one.token })).body).toEqual(saved.body)
    expect((await sandbox.call(payoutAddress, { token: other.token })).body).toEqual({
      current: null,
      next: null,
    })
  })

  test('must fit its network and is kept', async () => {
    const investor = await person(sandbox)
    expect(await save(sandbox, investor, newAddress('Ethereum'), 'Bitcoin')).toMatchObject({
      status: 400,
      narration: invalidAddress('Bitcoin'),
    })
    expect(await save(live, await person(live), TEST_ADDRESS)).toMatchObject({ status: 400 })
    await save(sandbox, investor, newAddress())
    for (const statement of [
      'DELETE FROM payout_addresses',
      "UPDATE payout_addresses SET address = 'elsewhere'",
      'TRUNCATE payout_addresses',
    ])
      await expect(sandbox.database.superuser.query(statement)).rejects.toThrow(/not allowed/)
  })

  test('carries the label of its owner', async () => {
    const investor = await person(sandbox)
    const [first, second] = [newAddress(), newAddress()]
    const label = 'Hardware wallet'
    const named = (payload: { address: string; label: string }) =>
      sandbox.call(savePayoutAddress, {
        token: investor.token,
        payload: { networkName: 'Bitcoin', ...payload },
      })
    expect((await named({ address: first, label: ` ${label} ` })).body.current).toMatchObject({
      address: first,
      label,
    })
    expect((await named({ address: second, label: ' ' })).body.current?.label).toBeNull()
    expect((await named({ address: first, label: 'x'.repeat(41) })).status).toBe(400)
  })

  test('waits 24 hours in live mode behind the old one', async () => {
    const investor = await investorWith(live, 50)
    const [first, second] = [newAddress(), newAddress('Polygon')]
    expect((await save(live, investor, first)).body).toMatchObject({
      current: null,
      next: { address: first },
    })
    await letTimePass(live, 23)
    expect((await live.call(payoutAddress, { token: investor.token })).body).toMatchObject({
      current: null,
      next: { address: first },
    })
    await letTimePass(live, 1)
    expect((await save(live, investor, second, 'Polygon')).body).toMatchObject({
      current: { address: first },
      next: { address: second },
    })

    const transactionId = idOf(await ask(live, investor))
    expect(await read(live, transactionId)).toMatchObject({
      destinationAddress: DEFAULT_DESTINATION,
      payee: { address: first, networkName: 'Bitcoin' },
    })
    expect((await decide(live, investor, transactionId)).status).toBe(200)
    await letTimePass(live, 24)
    const later = idOf(await ask(live, investor))
    expect((await read(live, later)).payee).toMatchObject({
      address: second,
      networkName: 'Polygon',
    })
    const { body } = await live.call(listTransactions, {
      token: adminOf(live),
      query: { search: later },
    })
    expect(body).toMatchObject([
      { id: later, payee: { address: second, since: expect.any(Array) } },
    ])
  })

  test('of a decided withdrawal never changes', async () => {
    const investor = await investorWith(sandbox, 50)
    const [first, second] = [newAddress(), newAddress()]
    await save(sandbox, investor, first)
    const transactionId = idOf(await ask(sandbox, investor))
    await decide(sandbox, investor, transactionId)
    await save(sandbox, investor, second)
    expect((await read(sandbox, transactionId)).payee?.address).toBe(first)
    expect((await read(sandbox, idOf(await ask(sandbox, investor)))).payee?.address).toBe(second)
  })
})

describe('in live mode a new address', () => {
  const polygon = (destinationAddress: string) => ({ destinationAddress, networkName: 'Polygon' })
  const upper = (address: string) => `0x${address.slice(2).toUpperCase()}`
  const held = { status: 409, body: { code: 'payeeTooNew' } }
  const transfers = async () =>
    (await live.database.pool.query('SELECT count(*) FROM transfers')).rows

  test('waits 24 hours when named in a withdrawal', async () => {
    const investor = await investorWith(live, 10)
    const transactionId = idOf(await ask(live, investor, polygon(newAddress('Polygon'))))
    const before = await transfers()
    for (const hours of [0, 23]) {
      await letTimePass(live, hours)
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => decide(live, investor, transactionId)),
      )
      for (const answer of answers) expect(answer).toMatchObject(held)
      expect(answers[0]?.narration).toMatch(
        /^The investor first named this address less than 24 hours ago\. The withdrawal can be approved from 20\d\d-\d\d-\d\d \d\d:\d\d UTC\.$/,
      )
    }
    expect([await transfers(), (await read(live, transactionId)).status]).toEqual([
      before,
      'PENDING',
    ])
    await letTimePass(live, 1)
    expect((await decide(live, investor, transactionId)).status).toBe(200)
  })

  test('shows owner and staff the end of its wait', async () => {
    const investor = await investorWith(live, 20)
    const address = newAddress('Polygon')
    await ask(live, investor, polygon(address))
    await letTimePass(live, 5)
    const transactionId = idOf(await ask(live, investor, polygon(address)))
    const { rows } = await live.database.pool.query(
      'SELECT min(created_at) AS first FROM transactions WHERE destination_address = $1',
      [address],
    )
    const first: Date = rows[0].first
    const waiting = {
      firstNamed: timestampFromDate(first),
      usableFrom: timestampFromDate(new Date(first.getTime() + 24 * 3_600_000)),
    }
    expect((await read(live, transactionId)).payee).toMatchObject(waiting)
    const { body } = await live.call(transactionStory, {
      token: investor.token,
      params: { id: transactionId },
    })
    expect(body.transaction.payee).toMatchObject(waiting)
    const listed = await live.call(listTransactions, {
      token: adminOf(live),
      query: { search: transactionId },
    })
    expect(listed.body).toMatchObject([{ payee: waiting }])
  })

  test('blocks even the first approval of a large withdrawal', async () => {
    const investor = await investorWith(live, 20_000)
    const transactionId = idOf(
      await ask(live, investor, { ...polygon(newAddress('Polygon')), amount: 20_000 }),
    )
    expect(await decide(live, investor, transactionId)).toMatchObject(held)
    expect((await read(live, transactionId)).approvals).toBeFalsy()
  })

  test('is the same in any case of hexadecimal', async () => {
    const investor = await investorWith(live, 30)
    const known = newAddress('Polygon').toLowerCase()
    await ask(live, investor, polygon(known))
    await letTimePass(live, 24)
    const similar = known.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const again = idOf(await ask(live, investor, polygon(upper(known))))
    const other = idOf(await ask(live, investor, polygon(similar)))
    expect([
      (await decide(live, investor, again)).status,
      (await decide(live, investor, other)).status,
    ]).toEqual([200, 409])
  })

  test('is also named by a rejected withdrawal or a save', async () => {
    const investor = await investorWith(live, 20)
    const [rejected, saved] = [newAddress('Polygon'), newAddress()]
    const id = idOf(await ask(live, investor, polygon(rejected)))
    await live.call(reject, { token: adminOf(live), params: { id }, payload: {} })
    await save(live, investor, saved)
    await letTimePass(live, 24)
    for (const request of [polygon(rejected), { destinationAddress: saved }])
      expect((await decide(live, investor, idOf(await ask(live, investor, request)))).status).toBe(
        200,
      )
  })

  test('waits even if another investor named it', async () => {
    const [one, other] = [await investorWith(live, 10), await investorWith(live, 10)]
    const address = newAddress()
    await save(live, other, address)
    await ask(live, other, { destinationAddress: address })
    await letTimePass(live, 24)
    expect(
      await decide(live, one, idOf(await ask(live, one, { destinationAddress: address }))),
    ).toMatchObject(held)
  })

  test('is used as soon as saved if already known', async () => {
    const investor = await investorWith(live, 20)
    const address = newAddress('Polygon')
    await ask(live, investor, polygon(address))
    await letTimePass(live, 23)
    expect((await save(live, investor, address, 'Polygon')).body).toMatchObject({
      current: null,
      next: { address },
    })
    await letTimePass(live, 1)
    expect((await save(live, investor, upper(address), 'Polygon')).body).toMatchObject({
      current: { address: upper(address) },
      next: null,
    })
    expect((await decide(live, investor, idOf(await ask(live, investor)))).status).toBe(200)
  })

  test('keeps the moment of its first naming', async () => {
    const investor = await investorWith(live, 10)
    await ask(live, investor, polygon(newAddress('Polygon')))
    for (const change of [
      "destination_address = 'elsewhere'",
      "destination_network = 'Solana'",
      "created_at = created_at - interval '24 hours'",
    ])
      await expect(
        live.database.superuser.query(
          `UPDATE transactions SET ${change} WHERE user_id = $1 AND status = 'PENDING'`,
          [investor.id],
        ),
      ).rejects.toThrow(/not allowed/)
  })

  test('waits even if a sandbox accepted it at once', async () => {
    const investor = await investorWith(live, 10)
    const by = { id: investor.id, name: investor.email, from: 'tests' }
    const saved = { userId: investor.id, address: newAddress(), networkName: 'Bitcoin', by }
    await savePayoutAddressOf({ ...live.context, config: sandbox.context.config }, saved)
    const transactionId = idOf(await ask(live, investor))
    expect(await decide(live, investor, transactionId)).toMatchObject(held)
    await letTimePass(live, 24)
    expect((await decide(live, investor, transactionId)).status).toBe(200)
  })
})

test('a sandbox pays to a new address at once', async () => {
  const investor = await investorWith(sandbox, 10)
  const transactionId = idOf(await ask(sandbox, investor, { destinationAddress: newAddress() }))
  const { payee } = await read(sandbox, transactionId)
  expect(payee?.usableFrom).toEqual(payee?.firstNamed)
  expect((await decide(sandbox, investor, transactionId)).status).toBe(200)
})
