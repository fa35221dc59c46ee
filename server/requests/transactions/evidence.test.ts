import { cents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { confirm, rejectDeposit } from '@pool/contract/requests/decisions'
import { deposit } from '@pool/contract/requests/requests'
import { transactionStory } from '@pool/contract/requests/stories'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { canonicalEvidence } from '../../base/chains/networks.ts'
import { addWallet } from '../../chain/wallets/addWallet.ts'
import { openLedger } from '../../ledger/engine/ledger.ts'
import { evidenceText } from '../../ledger/families/decisions.ts'
import { newAddress } from '../../testing/addresses.ts'
import { LIVE } from '../../testing/live.ts'
import {
  actAs,
  balanceOf,
  type Person,
  person,
  startProduct,
  testProduct,
  wallets,
} from '../../testing/product.ts'
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

const pending = async (networkName: NetworkName = 'Bitcoin', on = product, of?: Person) => {
  const investor = of ?? (await person(on))
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
/** Another deposit to the address of this one. */
const again = ({ investor }: { readonly investor: Person }, on = product) =>
  pending('Bitcoin', on, investor)
const confirmWith = (transactionId: string, evidence?: string, by = admin) =>
  product.call(confirm, {
    token: by.token,
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
  ['Bitcoin', ` ${HASH.toUpperCase()}:0 `, `${HASH}:0`],
  ['Polygon', `${HASH}:117`, `0x${HASH}:117`],
  ['Solana', `${SIGNATURE}:2`, `${SIGNATURE}:2`],
  ['Bitcoin', `${HASH}:01`, undefined],
  ['Polygon', `${HASH}:-12`, `0x${HASH}:-12`],
  ['Polygon', `${HASH}:-1`, undefined],
  ['Polygon', `${HASH}:-0`, undefined],
  ['Bitcoin', `${HASH}:-1`, undefined],
  ['Bitcoin', `${HASH}:-2`, undefined],
  ['Bitcoin', `${HASH}:`, undefined],
  ['Bitcoin', `${HASH}:1:2`, undefined],
  ['Bitcoin', ':1', undefined],
])('on %s the id %s is written %s', (network, text, written) => {
  const payment = canonicalEvidence(network, text)
  expect(payment && evidenceText(payment)).toBe(written)
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
    const first = await pending()
    const { transactionId, investor } = await again(first)
    expect(await confirmWith(transactionId, 'my receipt')).toMatchObject({
      status: 400,
      body: { code: 'evidenceInvalid' },
    })
    expect((await confirmWith(first.transactionId, used)).status).toBe(200)
    expect(await confirmWith(transactionId, ` 0x${used.toUpperCase()}`)).toMatchObject({
      status: 409,
      narration: expect.stringContaining('add the output, such as ID:1'),
      body: { code: 'evidenceUsed' },
    })
    expect(await balanceOf(product, investor)).toBe(40)
    expect((await confirmWith(transactionId, newHash())).status).toBe(200)
  })

  test('rests on an output that no other deposit has', async () => {
    const first = await pending()
    const [second, stranger] = [await again(first), await pending()]
    const paid = newHash()
    expect((await confirmWith(first.transactionId, `${paid}:0`)).status).toBe(200)
    for (const { transactionId } of [second, stranger])
      expect(await confirmWith(transactionId, `${paid}:0`)).toMatchObject({
        status: 409,
        body: { code: 'evidenceOutputUsed' },
      })
    expect(await confirmWith(second.transactionId, paid)).toMatchObject({
      body: { code: 'evidenceUsed' },
    })
    expect((await confirmWith(second.transactionId, `${paid}:3`)).status).toBe(200)
    const { body } = await product.call(transactionStory, {
      token: second.investor.token,
      params: { id: second.transactionId },
    })
    expect(body.transaction.evidence).toBe(`${paid}:3`)
    const { rows } = await product.database.pool.query(
      "SELECT after ->> 'evidence' AS evidence FROM audit_entries WHERE subject_id = $1",
      [second.transactionId],
    )
    expect(rows).toEqual([{ evidence: `${paid}:3` }])
  })

  test('needs two people beside an unnamed output', async () => {
    const first = await pending()
    const { transactionId, investor } = await again(first)
    const paid = newHash()
    expect((await confirmWith(first.transactionId, paid)).status).toBe(200)
    const other = await person(product, ['ADMIN'])
    const statuses: string[] = []
    for (const by of [admin, other])
      statuses.push((await confirmWith(transactionId, `${paid}:1`, by)).body.status)
    expect(statuses).toEqual(['PENDING', 'APPROVED'])
    expect(await balanceOf(product, investor)).toBe(80)
  })

  test('that was rejected leaves its evidence to another', async () => {
    const careful = await startProduct({ SECOND_APPROVAL_ABOVE: '10' })
    const [one, other] = [await person(careful, ['ADMIN']), await person(careful, ['ADMIN'])]
    const wrong = await pending('Bitcoin', careful)
    const right = await again(wrong, careful)
    const evidence = newHash()
    const give = (transactionId: string, { token }: Person) =>
      careful.call(confirm, { token, payload: { transactionId, evidence } })
    expect((await give(wrong.transactionId, one)).status).toBe(200)
    expect(await give(right.transactionId, other)).toMatchObject({ body: { code: 'evidenceUsed' } })
    const { status } = await careful.call(rejectDeposit, {
      token: other.token,
      params: { id: wrong.transactionId },
      payload: { reason: 'another amount' },
    })
    expect(status).toBe(200)
    expect((await give(right.transactionId, one)).status).toBe(200)
    expect((await give(right.transactionId, other)).body).toMatchObject({ status: 'APPROVED' })
    await careful.close()
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

describe('through five processes at once', () => {
  /** Confirms each deposit with one evidence. Returns the codes of refusals. */
  const confirmAll = async (deposits: readonly { transactionId: string }[], evidence: string) => {
    const doors = Array.from({ length: 5 }, () => ({
      ...product.context,
      ledger: openLedger(product.database.pool),
    }))
    const results = await Promise.allSettled(
      deposits.map(({ transactionId }, place) =>
        confirmDeposit(doors[place % 5] as (typeof doors)[0], {
          transactionId,
          by: actAs(admin),
          evidence,
        }),
      ),
    )
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
  }
  const balancesOf = (deposits: readonly { readonly investor: Person }[]) =>
    Promise.all(deposits.map(({ investor }) => balanceOf(product, investor)))

  test('one of twenty deposits to an address is credited', async () => {
    for (let round = 0; round < 3; round += 1) {
      const first = await pending()
      const others = await Promise.all(Array.from({ length: 19 }, () => again(first)))
      const refused = await confirmAll([first, ...others], newHash())
      expect(refused).toEqual(Array.from({ length: 19 }, () => 'evidenceUsed'))
      expect(await balanceOf(product, first.investor)).toBe(40)
    }
  })

  test('one of twenty deposits with one output is credited', async () => {
    for (let round = 0; round < 3; round += 1) {
      const deposits = await Promise.all(Array.from({ length: 20 }, () => pending()))
      const refused = await confirmAll(deposits, `${newHash()}:${round}`)
      expect(refused).toEqual(Array.from({ length: 19 }, () => 'evidenceOutputUsed'))
      expect((await balancesOf(deposits)).filter((balance) => balance === 40)).toHaveLength(1)
    }
  })

  test('all investors that one transaction paid are credited', async () => {
    const deposits = await Promise.all(Array.from({ length: 20 }, () => pending()))
    expect(await confirmAll(deposits, newHash())).toEqual([])
    expect(await balancesOf(deposits)).toEqual(Array.from({ length: 20 }, () => 40))
  })
})

test('both approvals in one group keep the evidence', async () => {
  const careful = await startProduct({ SECOND_APPROVAL_ABOVE: '10' })
  const { transactionId, investor } = await pending('Bitcoin', careful)
  const approvers = [await person(careful, ['ADMIN']), await person(careful, ['ADMIN'])]
  const known = {
    id: transactionId,
    ownerId: investor.id,
    amount: cents(40_00n),
    fee: cents(0n),
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
  const first = await pending()
  const [used, { transactionId }] = [first.transactionId, await again(first)]
  const evidence = newHash()
  const other = await product.database.superuser.connect()
  try {
    await other.query('BEGIN; SET LOCAL session_replication_role = replica')
    await other.query(
      "UPDATE transactions SET status = 'APPROVED', ending = 'decided', evidence_network = 'Bitcoin', evidence = $1 WHERE id = $2",
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
  const [first, stranger] = [await pending(), await pending()]
  const { transactionId } = await again(first)
  const [used, numbered] = [newHash(), newHash()]
  await confirmWith(first.transactionId, used)
  await confirmWith((await pending()).transactionId, `${numbered}:7`)
  for (const [id, evidence, output] of [
    [transactionId, used, null],
    [stranger.transactionId, numbered, 7],
  ])
    await expect(
      product.database.pool.query(
        "UPDATE transactions SET status = 'APPROVED', ending = 'decided', evidence_network = 'Bitcoin', evidence = $1, evidence_output = $2 WHERE id = $3",
        [evidence, output, id],
      ),
    ).rejects.toThrow(/transactions_evidence_once/)
})
