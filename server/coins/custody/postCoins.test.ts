import { cents } from '@pool/contract/base/money'
import { setRate } from '@pool/contract/chain/rates'
import { markSent } from '@pool/contract/coins/sending'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { onSession } from '../../base/db/session.ts'
import { confirm } from '../../chain/nodes/payments.ts'
import { addWallet } from '../../chain/wallets/addWallet.ts'
import { custodyInCents } from '../../ledger/sums/custody.ts'
import { approveWithdrawal } from '../../requests/transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { newAddress } from '../../testing/addresses.ts'
import { settleSpending, writePayment, writeSpending } from '../../testing/coinFacts.ts'
import { expectWhole } from '../../testing/decisions.ts'
import { actAs, investorWith, person, testProduct } from '../../testing/product.ts'
import { rounds } from '../../testing/rounds.ts'
import { tamper } from '../../testing/tamper.ts'
import { checkCoins } from './checkCoins.ts'
import { postCoins } from './postCoins.ts'
import { postFees } from './postFees.ts'

const product = testProduct()
const db = () => product.context.db
const query = (text: string, ...values: unknown[]) =>
  product.database.superuser.query(text, values).then(({ rows }) => rows)

const post = () => postCoins(db(), product.context.config)

let deposit: string
let cold: string
beforeEach(async () => {
  await product.database.superuser.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     DELETE FROM network_fees; DELETE FROM movements WHERE name LIKE 'network_fee%'; DELETE FROM coin_movements;
     DELETE FROM spent_coins; DELETE FROM sent_coins; DELETE FROM spendings; DELETE FROM payments;
     DELETE FROM unseen_arrivals; DELETE FROM coin_facts_due;
     UPDATE accounts AS a SET balance = (SELECT coalesce(sum(CASE a.id WHEN to_account_id THEN amount ELSE -amount END), 0)
       FROM transfers WHERE a.id IN (from_account_id, to_account_id)) WHERE kind IN ('custody', 'reserve'); COMMIT`,
  )
  deposit = newAddress('Ethereum')
  cold = await ownAddress('COLD')
  await addWallet(
    product.context,
    { address: deposit, networkName: 'Ethereum' },
    { name: 'tests', from: 'tests' },
  )
})

/** Names an address of ours by SQL, as an approved proposal does. */
const ownAddress = async (kind: string, network = 'Ethereum') => {
  const [first, second] = [
    await person(product, ['SUPER_ADMIN']),
    await person(product, ['SUPER_ADMIN']),
  ]
  const address = newAddress(network as 'Ethereum')
  const payload = JSON.stringify({ networkName: network, address, class: kind })
  await product.database.superuser.query(
    `INSERT INTO proposals (id, kind, subject, payload, language, reason, asked_by, decided_by, status, decided_at, ended_at)
       VALUES (gen_random_uuid(), 'OWN_ADDRESS', '${address}', '${payload}', 'en', 'tests', '${first.id}', '${second.id}', 'DONE', now(), now());
     INSERT INTO own_addresses (id, network_name, address, class, proposal_id)
       SELECT gen_random_uuid(), '${network}', '${address}', '${kind}', id FROM proposals WHERE subject = '${address}'`,
  )
  return address
}

const pay = (fact: Omit<Parameters<typeof writePayment>[1], 'asset'>) =>
  writePayment(product.database.superuser, { asset: 'USDC', ...fact })
const spend = (fact: Parameters<typeof writeSpending>[1]) =>
  writeSpending(product.database.superuser, fact)

/** Each movement in words, in the order of posting. */
const story = async () =>
  (
    await query(
      'SELECT kind, from_account AS a, to_account AS b, units::text, takes_back IS NOT NULL AS back FROM coin_movements ORDER BY at, id',
    )
  ).map(({ kind, a, b, units, back }) => `${kind} ${a} to ${b}: ${units}${back ? ' back' : ''}`)

describe('a confirmed payment', () => {
  test('is booked once with its dollars', async () => {
    await pay({ transaction: 'a', address: deposit, units: 5_000_000n, state: 'SEEN' })
    expect(await post()).toBe(0)
    await pay({ transaction: 'a', address: deposit, units: 5_000_000n })
    expect(await post()).toBe(1)
    expect(await post()).toBe(0)
    expect(await story()).toEqual(['RECEIVED investors to deposit: 5000000'])
    expect(await query('SELECT cents::int, height::int FROM coin_movements')).toEqual([
      { cents: 500, height: 10 },
    ])
  })

  test('is taken back when its block leaves the chain', async () => {
    await pay({ transaction: 'a', address: deposit, units: 5n })
    await post()
    await pay({ transaction: 'a', address: deposit, units: 5n, state: 'SEEN', height: 0 })
    await post()
    await pay({ transaction: 'a', address: deposit, units: 7n, height: 12 })
    await post()
    expect(await story()).toEqual([
      'RECEIVED investors to deposit: 5',
      'RECEIVED deposit to investors: 5 back',
      'RECEIVED investors to deposit: 7',
    ])
    await pay({ transaction: 'a', address: deposit, units: 7n, state: 'REVERSED', height: 0 })
    await post()
    expect(await story()).toHaveLength(4)
    expect(await checkCoins(db())).toBeUndefined()
  })

  test('waits for the spending of its transaction', async () => {
    await spend({
      transaction: 'a',
      state: 'SEEN',
      spent: [{ address: deposit, asset: 'USDC', units: 5n }],
    })
    await pay({ transaction: 'a', address: cold, units: 5n })
    expect(await post()).toBe(0)
    await spend({
      transaction: 'a',
      fee: 2n,
      spent: [{ address: deposit, asset: 'USDC', units: 5n }],
      sent: [{ address: cold, asset: 'USDC', units: 5n }],
    })
    await post()
    expect(await story()).toEqual(['SWEPT deposit to cold: 5', 'GAS deposit to network: 2'])
    expect(await checkCoins(db())).toBeUndefined()
  })
})

describe('a spending', () => {
  const away = (units = 5n) => ({
    spent: [{ address: deposit, asset: 'USDC', units }],
    sent: [{ address: newAddress('Ethereum'), asset: 'USDC', units }],
  })

  test('is unexplained until two people settle it', async () => {
    const id = await spend({ transaction: 'b', ...away() })
    await post()
    expect(await story()).toEqual(['UNEXPLAINED deposit to unexplained: 5'])
    const [first, second] = [
      await person(product, ['SUPER_ADMIN']),
      await person(product, ['SUPER_ADMIN']),
    ]
    await settleSpending(product.database.superuser, id, [first.id, second.id])
    await post()
    expect((await story()).slice(1)).toEqual(['SETTLED unexplained to settled: 5'])
  })

  /** A withdrawal of $20 that staff mark as sent with this transaction, and its payee. */
  const marked = async (transaction: string) => {
    const [investor, payee] = [await investorWith(product, 100), newAddress('Ethereum')]
    const { transactionId: id } = await requestWithdrawal(product.context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(20_00n),
      destinationAddress: payee,
      networkName: 'Ethereum',
    })
    const admin = await person(product, ['ADMIN'])
    const by = actAs(admin)
    await approveWithdrawal(product.context, { transactionId: id, userId: investor.id, by })
    const mark = async () => {
      const payload = { networkName: 'Ethereum', evidence: transaction }
      const { status } = await product.call(markSent, {
        token: admin.token,
        params: { id },
        payload,
      })
      expect(status).toBe(200)
    }
    return { payee, mark }
  }
  const newHash = () => `0x${crypto.randomUUID()}${crypto.randomUUID()}`.replaceAll('-', '')
  const [twenty, forty] = [20_000_000n, 40_000_000_000n]

  test('of a withdrawal that staff marked by hand is explained', async () => {
    const evidence = newHash()
    const { payee, mark } = await marked(evidence)
    const usdc = { asset: 'USDC', units: twenty }
    await spend({
      transaction: evidence,
      spent: [{ address: deposit, ...usdc, units: twenty + 3n }],
      // A stranger's coins beside it stay unexplained.
      sent: [
        { address: payee, ...usdc },
        { address: newAddress('Ethereum'), ...usdc, units: 3n },
      ],
    })
    await post()
    await mark()
    await post()
    expect(await story()).toEqual([
      'UNEXPLAINED deposit to unexplained: 20000003',
      'UNEXPLAINED unexplained to deposit: 20000003 back',
      'SENT deposit to payouts: 20000000',
      'UNEXPLAINED deposit to unexplained: 3',
    ])
  })

  test.each([
    ['in one output', [forty], []],
    ['in a second output', [twenty, twenty], ['SENT deposit to payouts: 20000000']],
    ['in a coin without a rate', [twenty], []],
  ])('above the worth of its mark is unexplained, %s', async (how, outputs, explained) => {
    const asset = how.includes('rate') ? 'ETH' : 'USDC'
    const evidence = newHash()
    const { payee, mark } = await marked(evidence)
    await mark()
    const sum = outputs.reduce((all, units) => all + units, 0n)
    await spend({
      transaction: evidence,
      spent: [{ address: deposit, asset, units: sum }],
      sent: outputs.map((units) => ({ address: payee, asset, units })),
    })
    await post()
    const left = sum - BigInt(explained.length) * twenty
    expect(await story()).toEqual([...explained, `UNEXPLAINED deposit to unexplained: ${left}`])
  })

  test('moves nothing twice by two processes at once', async () => {
    for (let made = 0; made < 30; made += 1) {
      await pay({ transaction: `p${made}`, address: deposit, units: 5n })
      await spend({ transaction: `s${made}`, fee: 1n, ...away() })
    }
    const posted = await Promise.all(Array.from({ length: 4 }, post))
    expect(posted.reduce((sum, each) => sum + each, 0)).toBe(30 + 60)
    expect(await checkCoins(db())).toBeUndefined()
  })
})

test('coins that arrived unseen are booked once', async () => {
  await query(
    `INSERT INTO unseen_arrivals (id, network_name, address, asset, units, decimals, above, height)
     VALUES (gen_random_uuid(), 'Ethereum', $1, 'ETH', 9, 18, 1, 4)`,
    deposit,
  )
  await Promise.all([post(), post()])
  await post()
  expect(await story()).toEqual(['UNSEEN unseen to deposit: 9'])
})

test('movements are final, and only an opposite takes one back', async () => {
  await pay({ transaction: 'a', address: deposit, units: 5n })
  await post()
  for (const statement of [
    'UPDATE coin_movements SET units = 4',
    'DELETE FROM coin_movements',
    'TRUNCATE coin_movements CASCADE',
  ])
    await expect(query(statement)).rejects.toThrow(/not allowed/)
  const copy = (units: string, position: number) =>
    query(`INSERT INTO coin_movements (id, network_name, transaction_id, asset, decimals, kind, from_account, to_account, units, cause, cause_id, position, takes_back, height)
      SELECT gen_random_uuid(), network_name, transaction_id, asset, decimals, kind, to_account, from_account, ${units}, cause, cause_id, ${position}, id, height
      FROM coin_movements WHERE takes_back IS NULL`)
  await expect(copy('units + 1', 1)).rejects.toThrow(/not the opposite/)
  await copy('units', 1)
  await expect(copy('units', 2)).rejects.toThrow(/taken_back_once/)
})

describe('fees of networks', () => {
  const fees = () => query('SELECT amount::int, status FROM network_fees ORDER BY created_at, id')
  const burnt = () => ({
    transaction: 'f',
    spent: [{ address: deposit, asset: 'USDC', units: 5n }],
  })

  test('wait for a rate and are paid once, rounded up', async () => {
    await spend({ ...burnt(), fee: 10n ** 15n + 1n })
    await post()
    expect(await postFees(product.context)).toBe(0)
    const { token } = await person(product, ['ADMIN'])
    await product.call(setRate, { token, payload: { coin: 'ETH', dollars: '2000' } })
    expect(
      (await Promise.all([postFees(product.context), postFees(product.context)])).sort(),
    ).toEqual([0, 1])
    expect(await postFees(product.context)).toBe(0)
    expect(await fees()).toEqual([{ amount: 201, status: 'PAID' }])
    const [custody] = await query(
      `SELECT -sum(CASE WHEN t.to_account_id = a.id THEN amount ELSE -amount END)::int AS cents
       FROM transfers AS t JOIN accounts AS a ON a.kind = 'custody' AND a.id IN (from_account_id, to_account_id)`,
    )
    expect(Number(await custodyInCents(db()))).toBe(custody.cents)
    await expectWhole(product)
  })

  test('without a rate hold up none that has one', async () => {
    await tamper(
      product.database,
      `INSERT INTO coin_movements (id, network_name, transaction_id, asset, decimals, kind, from_account, to_account, units, cause, cause_id, position, height)
       SELECT new_id(), 'Bitcoin', 'old' || n, 'BTC', 8, 'FEE', 'deposit', 'network', 1000, 'SPENDING', new_id(), 0, 1
       FROM generate_series(1, 2000) AS n`,
    )
    const { token } = await person(product, ['ADMIN'])
    await product.call(setRate, { token, payload: { coin: 'ETH', dollars: '2000' } })
    await spend({ ...burnt(), fee: 10n ** 15n })
    await post()
    expect(await postFees(product.context)).toBe(1)
  })

  test('are returned with a block that left the chain', async () => {
    await spend({ ...burnt(), fee: 10n ** 15n })
    await post()
    await postFees(product.context)
    await spend({ ...burnt(), state: 'SEEN', height: 0, fee: 10n ** 15n })
    await post()
    expect(await postFees(product.context)).toBe(1)
    await spend({ ...burnt(), height: 20, fee: 10n ** 15n })
    await post()
    expect(await postFees(product.context)).toBe(1)
    expect(await postFees(product.context)).toBe(0)
    expect((await fees()).map(({ status }) => status)).toEqual(['RETURNED', 'PAID'])
    expect(
      (
        await query(`SELECT name FROM movements WHERE name LIKE 'network_fee%' ORDER BY created_at`)
      ).map(({ name }) => name),
    ).toEqual(['network_fee_paid', 'network_fee_returned', 'network_fee_paid'])
    await expectWhole(product)
  })
})

test('any order of facts leaves books that equal them', async () => {
  const step = fc.record({
    transaction: fc.constantFrom('t1', 't2', 't3'),
    state: fc.constantFrom('SEEN' as const, 'CONFIRMED' as const, 'REVERSED' as const),
    height: fc.constantFrom(10, 11),
    units: fc.bigInt({ min: 1n, max: 50n }),
    what: fc.constantFrom('payment', 'sweep', 'theft', 'post', 'postTwice'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      for (const { what, transaction, state, height, units } of steps) {
        const ofUs = [{ address: deposit, asset: 'USDC', units }]
        if (what === 'payment')
          await pay({ transaction, address: deposit, units, state, height, output: 3 })
        else if (what === 'sweep')
          await spend({
            transaction,
            state,
            height,
            fee: 1n,
            spent: ofUs,
            sent: [{ address: cold, asset: 'USDC', units }],
          })
        else if (what === 'theft') await spend({ transaction, state, height, fee: 2n, spent: ofUs })
        else await Promise.all(what === 'post' ? [post()] : [post(), post()])
      }
      await post()
      expect(await checkCoins(db())).toBeUndefined()
      const sums = await query(`
        SELECT asset, sum(units * sign)::int AS units FROM coin_movements
        CROSS JOIN LATERAL (VALUES (to_account, 1), (from_account, -1)) AS side (account, sign) GROUP BY asset HAVING sum(units * sign) <> 0`)
      expect(sums).toEqual([])
    }),
    { numRuns: rounds({ full: 200, short: 12 }), seed: 845598755, endOnFailure: true, verbose: 2 },
  )
})

test('ten thousand payments are confirmed by one statement', async () => {
  const client = await product.database.locks.connect()
  const followed = onSession(client)
  const confirmAll = () => confirm(followed, 'Bitcoin', { upTo: 1, coinbaseUpTo: 1 })
  try {
    // A session plans its triggers by the few rows of their first calls.
    for (let looks = 0; looks < 6; looks += 1) await confirmAll()
    await query(
      `INSERT INTO payments (id, network_name, transaction_id, output, address, asset, units, decimals, state, height, block_hash)
       SELECT gen_random_uuid(), 'Bitcoin', 'many ' || n, 0, 'a' || n % 200, 'BTC', 1000, 8, 'SEEN', 1, 'one'
       FROM generate_series(1, 10000) AS n`,
    )
    await confirmAll()
  } finally {
    client.release()
  }
  expect(await query(`SELECT state, count(*)::int FROM payments GROUP BY state`)).toEqual([
    { state: 'CONFIRMED', count: 10_000 },
  ])
})
