import { confirm } from '@pool/contract/decisions'
import { cents } from '@pool/contract/money'
import type { NetworkName } from '@pool/contract/networks'
import { deposit } from '@pool/contract/requests'
import { transactionStory } from '@pool/contract/stories'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { canonicalEvidence } from '../chains/networks.ts'
import { openLedger } from '../ledger/ledger.ts'
import { newAddress } from '../testing/addresses.ts'
import { LIVE } from '../testing/live.ts'
import {
  actAs,
  balanceOf,
  type Person,
  person,
  startProduct,
  testProduct,
  wallets,
} from '../testing/product.ts'
import { addWallet } from '../wallets/addWallet.ts'
import { confirmDeposit } from './confirmDeposit.ts'
import { postDecision } from './decision.ts'
import { requestDeposit } from './requestDeposit.ts'

const product = testProduct()
let admin: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
})

const HASH = 'ab'.repeat(32)
const newHash = () => `${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')
const SIGNATURE =
  '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW'

const pending = async (networkName: NetworkName = 'Bitcoin', on = product) => {
  const investor = await person(on)
  await addWallet(
    on.context,
    { address: newAddress(networkName), networkName },
    { name: 'tests', from: 'tests' },
  )
  const { transactionId } = await requestDeposit(on.context.ledger, {
    by: { id: investor.id, from: 'tests' },
    amount: cents(40_00n),
  })
  return { investor, transactionId }
}
const confirmWith = (transactionId: string, evidence?: string) =>
  product.call(confirm, {
    token: admin.token,
    payload: { transactionId, ...(evidence !== undefined && { evidence }) },
  })

test.each([
  ['Bitcoin', HASH.toUpperCase(), HASH],
  ['Bitcoin', ` 0x${HASH} `, HASH],
  ['Bitcoin', HASH.slice(1), undefined],
  ['Ethereum', HASH, `0x${HASH}`],
  ['Binance Smart Chain', `0X${HASH.toUpperCase()}`, `0x${HASH}`],
  ['Polygon', 'a receipt', undefined],
  ['Solana', SIGNATURE, SIGNATURE],
  ['Solana', SIGNATURE.toLowerCase(), undefined],
  ['Solana', '1'.repeat(64), '1'.repeat(64)],
  ['Solana', '1'.repeat(65), undefined],
  ['Solana', HASH, undefined],
  ['Nowhere', HASH, undefined],
])('on %s the id %s is written %s', (network, text, written) => {
  expect(canonicalEvidence(network, text)).toBe(written)
})

describe('a deposit', () => {
  test('is confirmed with an id that its story shows', async () => {
    const { transactionId, investor } = await pending()
    expect((await confirmWith(transactionId, HASH.toUpperCase())).status).toBe(200)
    const { body } = await product.call(transactionStory, {
      token: investor.token,
      params: { id: transactionId },
    })
    expect(body.transaction).toMatchObject({
      status: 'APPROVED',
      evidence: HASH,
    })
    const { rows } = await product.database.pool.query(
      'SELECT after FROM audit_entries WHERE subject_id = $1',
      [transactionId],
    )
    expect(rows).toEqual([{ after: { status: 'APPROVED', amount: 40, evidence: HASH } }])
  })

  test('is not confirmed with an invalid or used id', async () => {
    const used = newHash()
    const { transactionId, investor } = await pending()
    expect(await confirmWith(transactionId, 'my receipt')).toMatchObject({
      status: 400,
      body: { code: 'evidenceInvalid' },
    })
    expect((await confirmWith((await pending()).transactionId, used)).status).toBe(200)
    expect(await confirmWith(transactionId, ` 0x${used.toUpperCase()}`)).toMatchObject({
      status: 409,
      body: { code: 'evidenceUsed' },
    })
    expect(await balanceOf(product, investor)).toBe(0)
    expect((await confirmWith(transactionId, newHash())).status).toBe(200)
  })

  test('may have the id of one on another network', async () => {
    const shared = newHash()
    for (const network of ['Ethereum', 'Polygon'] as const)
      expect((await confirmWith((await pending(network)).transactionId, shared)).status).toBe(200)
  })

  test('needs an id in live mode only', async () => {
    expect((await confirmWith((await pending()).transactionId)).status).toBe(200)
    const live = await startProduct(LIVE)
    const boss = await person(live, ['ADMIN'])
    const { id, token } = await person(live)
    await wallets(live, 1)
    const { body } = await live.call(deposit, { token, payload: { userId: id, amount: 40 } })
    const payload = { transactionId: body.transactionId }
    for (const evidence of [undefined, '', ' '])
      expect(
        await live.call(confirm, { token: boss.token, payload: { ...payload, evidence } }),
      ).toMatchObject({
        status: 409,
        body: { code: 'evidenceRequired' },
      })
    const { rows } = await live.database.pool.query(
      "SELECT count(*)::int AS count FROM transfers WHERE movement = 'deposit_confirmed'",
    )
    expect(rows[0].count).toBe(0)
    expect(
      (
        await live.call(confirm, {
          token: boss.token,
          payload: { ...payload, evidence: newHash() },
        })
      ).status,
    ).toBe(200)
    await live.close()
  })
})

test('one of fifty deposits with one id is credited', async () => {
  for (let round = 0; round < 3; round += 1) {
    const doors = Array.from({ length: 5 }, () => ({
      ...product.context,
      ledger: openLedger(product.database.pool),
    }))
    const deposits = await Promise.all(Array.from({ length: 50 }, () => pending()))
    const evidence = newHash()
    const results = await Promise.allSettled(
      deposits.map(({ transactionId }, place) =>
        confirmDeposit(doors[place % 5] as (typeof doors)[0], {
          transactionId,
          by: actAs(admin),
          evidence,
        }),
      ),
    )
    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason.code] : [],
    )
    expect(refused).toEqual(Array.from({ length: 49 }, () => 'evidenceUsed'))
    const balances = await Promise.all(deposits.map(({ investor }) => balanceOf(product, investor)))
    expect(balances.filter((balance) => balance === 40)).toHaveLength(1)
  }
})

test('both approvals in one group keep the evidence', async () => {
  const careful = await startProduct({ SECOND_APPROVAL_ABOVE: '10' })
  const { transactionId, investor } = await pending('Bitcoin', careful)
  const approvers = [await person(careful, ['ADMIN']), await person(careful, ['ADMIN'])]
  const known = {
    id: transactionId,
    ownerId: investor.id,
    amount: cents(40_00n),
    evidence: null,
    networkName: 'Bitcoin',
    destinationAddress: '',
  }
  const evidence = { network: 'Bitcoin', id: newHash() }
  const posted = await Promise.all(
    approvers.map((approver, n) =>
      postDecision(careful.context, { transactionId, by: actAs(approver) }, known, {
        movement: 'deposit_confirmed',
        ...(n === 0 && { evidence }),
      }),
    ),
  )
  expect(posted.map(({ missing }) => missing)).toEqual([1, undefined])
  const { rows } = await careful.database.pool.query(
    'SELECT status, evidence FROM transactions WHERE id = $1',
    [transactionId],
  )
  expect(rows).toEqual([{ status: 'APPROVED', evidence: evidence.id }])
  await careful.close()
})

test('an id that another process is using is refused', async () => {
  const [{ transactionId: used }, { transactionId }] = [await pending(), await pending()]
  const evidence = newHash()
  const other = await product.database.superuser.connect()
  try {
    await other.query('BEGIN; SET LOCAL session_replication_role = replica')
    await other.query(
      "UPDATE transactions SET status = 'APPROVED', evidence_network = 'Bitcoin', evidence = $1 WHERE id = $2",
      [evidence, used],
    )
    const confirming = confirmWith(transactionId, evidence)
    await vi.waitFor(
      async () => {
        const { rowCount } = await product.database.pool.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        expect(rowCount).toBe(1)
      },
      { timeout: 30_000 },
    )
    await other.query('COMMIT')
    expect(await confirming).toMatchObject({ status: 409, body: { code: 'evidenceUsed' } })
  } finally {
    other.release()
  }
})

test('the database itself refuses a second use', async () => {
  const used = newHash()
  await confirmWith((await pending()).transactionId, used)
  const { transactionId } = await pending()
  await expect(
    product.database.pool.query(
      "UPDATE transactions SET status = 'APPROVED', evidence_network = 'Bitcoin', evidence = $1 WHERE id = $2",
      [used, transactionId],
    ),
  ).rejects.toThrow(/transactions_evidence_once/)
})
