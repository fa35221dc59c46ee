import { cents } from '@pool/contract/base/money'
import { accountKinds, poolAccounts } from '@pool/contract/money/ledger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openInvestment } from '../../money/investments/openInvestment.ts'
import { contributeCapital } from '../../money/reserve/contributeCapital.ts'
import { requestWithdrawal } from '../../requests/transactions/requestWithdrawal.ts'
import { fund, type Person, type Product, person, startProduct } from '../../testing/product.ts'
import { checkLedger } from '../check/check.ts'
import { openLedger } from './ledger.ts'
import { postGroup } from './postGroup.ts'

let product: Product
let investor: Person

beforeAll(async () => {
  product = await startProduct()
  investor = await person(product)
  await fund(product, investor, cents(1_000_00n))
})
afterAll(() => product.close())

const query = (text: string) => product.database.pool.query(text)

describe('group commit', () => {
  test('posts operations that arrive together in one call', async () => {
    const calls: number[] = []
    const all: Promise<unknown>[] = []
    const people = await Promise.all(Array.from({ length: 4 }, () => person(product)))
    for (const each of people) await fund(product, each, cents(1_00n))
    const ask = (askers: readonly Person[]) => {
      for (const { id } of askers)
        for (let each = 0; each < 10; each += 1)
          all.push(
            requestWithdrawal(
              { ...product.context, ledger },
              { by: { id, from: 'tests' }, amount: cents(1n) },
            ),
          )
    }
    const ledger = openLedger(product.database.pool, {
      post: (operations) => {
        calls.push(operations.length)
        if (calls.length === 1) ask(people.slice(1))
        return postGroup(product.database.pool, operations)
      },
    })
    ask(people.slice(0, 1))
    while (all.length > 0) await all.pop()
    expect(calls).toEqual([10, 30])
  })

  test('a repeat within a group gets the first answer', async () => {
    const other = await person(product)
    await fund(product, other, cents(10_00n))
    const groups: number[] = []
    const ledger = openLedger(product.database.pool, {
      observer: { group: (size) => groups.push(size), outcome: () => undefined },
    })
    const ask = ({ id }: Person, key: string, amount: bigint, requestHash = key) =>
      requestWithdrawal(
        { ...product.context, ledger },
        {
          by: { id, from: 'tests' },
          amount: cents(amount),
          idempotency: { actorId: id, key, requestHash },
        },
      ).then(
        ({ transactionId }) => transactionId,
        ({ code }) => code,
      )
    const before = await ledger.available(investor.id)
    const answers = await Promise.all([
      ask(investor, 'too much', 9_999_999_00n),
      ask(investor, 'too much', 9_999_999_00n),
      ask(investor, 'enough', 1_00n),
      ask(investor, 'enough', 1_00n),
      ask(investor, 'enough', 2_00n, 'another call'),
      ask(other, 'enough', 4_00n),
    ])
    expect(groups).toEqual([6])
    const ids = [answers[2], answers[5]]
    expect(answers).toEqual([
      'insufficientFunds',
      'insufficientFunds',
      ids[0],
      ids[0],
      'keyReused',
      ids[1],
    ])
    expect(new Set([...ids, 'insufficientFunds', 'keyReused']).size).toBe(4)
    expect(await ledger.available(investor.id)).toBe(before - 1_00n)
    expect(await ledger.available(other.id)).toBe(6_00n)
  })

  test('a poisonous operation sinks only itself', async () => {
    const before = await product.context.ledger.available(investor.id)
    const hold = (id: string) =>
      product.context.ledger.post({
        movement: 'withdrawal_held',
        fee: cents(0n),
        paidOn: undefined,
        by: { id: investor.id, from: 'tests' },
        id,
        amount: cents(1_00n),
        description: '',
        destinationAddress: '',
        destinationNetwork: '',
      })
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
    // No rule foresees a second transaction with one id, so the database refuses the whole group.
    const results = await Promise.allSettled([
      hold(first),
      hold(second),
      hold(first),
      hold(crypto.randomUUID()),
    ])
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(await product.context.ledger.available(investor.id)).toBe(before - 3_00n)
  })

  test('refuses at once when too many operations wait', async () => {
    const ledger = openLedger(product.database.pool, { waitingLimit: 3 })
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        requestWithdrawal(
          { ...product.context, ledger },
          { by: { id: investor.id, from: 'tests' }, amount: cents(1n) },
        ),
      ),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.length).toBeGreaterThanOrEqual(6)
    expect(refused.every(({ reason }) => reason.code === 'busy' && reason.status === 503)).toBe(
      true,
    )
  })

  test('reports an unknown outcome when the answer is lost', async () => {
    const ledger = openLedger(product.database.pool, {
      post: () => Promise.reject(new Error('Connection terminated unexpectedly')),
    })
    await expect(
      requestWithdrawal(
        { ...product.context, ledger },
        { by: { id: investor.id, from: 'tests' }, amount: cents(1n) },
      ),
    ).rejects.toMatchObject({
      code: 'outcomeUnknown',
      status: 503,
    })
  })

  test('drain waits for every posted operation', async () => {
    const posted = requestWithdrawal(product.context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(1n),
    })
    let answered = false
    void posted.then(() => {
      answered = true
    })
    await product.context.ledger.drain()
    await posted
    expect(answered).toBe(true)
  })
})

describe('the database itself', () => {
  test.each([
    [
      'UPDATE accounts SET balance = balance + 1 WHERE balance IS NOT NULL',
      'a balance without a transfer',
    ],
    ['UPDATE accounts SET balance = 0 WHERE balance IS NOT NULL', 'a balance set to zero'],
    ['DELETE FROM accounts', 'an account deleted'],
    ['TRUNCATE accounts', 'all accounts emptied'],
    [
      "INSERT INTO accounts (owner_id, kind, balance) VALUES (gen_random_uuid(), 'available', 5)",
      'an account opened with money in it',
    ],
    ['UPDATE movements SET amount = amount + 1', 'a movement changed'],
    ['DELETE FROM movements', 'a movement deleted'],
    ['TRUNCATE movements', 'all movements emptied'],
    ["UPDATE transactions SET amount = amount + 1 WHERE status = 'PENDING'", 'an amount changed'],
    [
      "UPDATE transactions SET id = gen_random_uuid() WHERE status = 'PENDING'",
      'a transaction exchanged for another',
    ],
    [
      "UPDATE transactions SET user_id = (SELECT id FROM users WHERE id <> user_id LIMIT 1) WHERE status = 'PENDING'",
      'an owner changed',
    ],
    [
      "UPDATE transactions SET type = 'deposit' WHERE type = 'withdrawal' AND status = 'PENDING'",
      'a withdrawal turned into a deposit',
    ],
    [
      "UPDATE transactions SET created_at = created_at - interval '1 day' WHERE status = 'PENDING'",
      'a request put back in time',
    ],
    [
      "UPDATE transactions SET destination_address = 'elsewhere' WHERE status = 'PENDING'",
      'a destination changed',
    ],
    [
      "UPDATE transactions SET destination_network = 'Solana' WHERE status = 'PENDING'",
      'the network of a destination changed',
    ],
    [
      "UPDATE transactions SET investment_id = gen_random_uuid() WHERE status = 'PENDING'",
      'an investment put in',
    ],
    [
      "UPDATE transactions SET status = 'PENDING' WHERE status = 'APPROVED'",
      'a decision taken back',
    ],
    ['DELETE FROM transactions', 'a transaction deleted'],
    ['TRUNCATE transactions CASCADE', 'all transactions emptied'],
    ['UPDATE contributions SET amount = amount + 1', 'a contribution changed'],
    ['DELETE FROM contributions', 'a contribution deleted'],
    ['TRUNCATE contributions', 'all contributions emptied'],
    ['DELETE FROM users', 'a user deleted'],
    ['TRUNCATE users CASCADE', 'all users emptied'],
    ['UPDATE users SET id = gen_random_uuid()', 'a user exchanged for another'],
  ])('refuses %s: %s', async (statement) => {
    await expect(product.database.superuser.query(statement)).rejects.toThrow(/not allowed/)
  })

  const investmentOf = (owner: string) =>
    `INSERT INTO transactions (id, user_id, type, status, amount, rate_basis_points, interest, duration_days, investment_status, matures_at, created_at, updated_at)
      VALUES (gen_random_uuid(), ${owner}, 'investment', 'COMPLETED', 1, 1, 0, 1, 'ACTIVE', now(), now(), now())`
  const transactionOf = (owner: string, investment: string) =>
    `INSERT INTO transactions (id, user_id, type, amount, status, investment_id, created_at, updated_at)
      VALUES (gen_random_uuid(), ${owner}, 'payout', 1, 'COMPLETED', ${investment}, now(), now())`
  const anInvestment = '(SELECT id FROM investments LIMIT 1)'
  test.each([
    ['an investment of nobody', investmentOf('gen_random_uuid()')],
    ['a transaction of nobody', transactionOf('gen_random_uuid()', anInvestment)],
    [
      'a transaction of no investment',
      transactionOf('(SELECT id FROM users LIMIT 1)', 'gen_random_uuid()'),
    ],
    [
      "a transaction of somebody else's investment",
      transactionOf(
        '(SELECT id FROM users WHERE id NOT IN (SELECT user_id FROM investments) LIMIT 1)',
        anInvestment,
      ),
    ],
  ])('refuses %s', async (_, statement) => {
    await openInvestment(product.context, {
      by: { id: investor.id, from: 'tests' },
      amount: cents(1_00n),
      durationDays: 1,
    })
    await person(product)
    await expect(query(statement)).rejects.toMatchObject({ code: '23503' })
  })

  test('refuses a transfer that would take an account below zero', async () => {
    await expect(
      query(`INSERT INTO movements (name, reference_id, from_account_id, to_account_id, amount)
        SELECT 'theft', gen_random_uuid(), a.id, c.id, a.balance + 1 FROM accounts a, accounts c WHERE a.kind = 'reserve' AND c.kind = 'custody'`),
    ).rejects.toThrow(/accounts_balance_not_negative/)
  })

  test('refuses to take more coins than are in custody', async () => {
    await expect(
      query(`INSERT INTO movements (name, reference_id, from_account_id, to_account_id, amount)
        SELECT 'theft', gen_random_uuid(), a.id, c.id, 1 - c.balance FROM accounts a, accounts c WHERE a.kind = 'claims' AND c.kind = 'custody'`),
    ).rejects.toThrow(/accounts_balance_not_negative/)
  })

  test('refuses capital without an agreement', async () => {
    await expect(
      query(`INSERT INTO contributions (id, amount, note, contributed_by, created_at, source, network_name, asset, units, decimals, evidence)
        VALUES (gen_random_uuid(), 100, 'Typed', 'me', now(), 'TYPED', 'Ethereum', 'USDC', 1, 6, '0x1')`),
    ).rejects.toThrow(/takes two people/)
  })

  test('refuses transfers of no amount and within one account', async () => {
    for (const [from, to, amount] of [
      ['custody', 'reserve', 0],
      ['custody', 'reserve', -5],
      ['custody', 'custody', 5],
    ]) {
      await expect(
        query(`INSERT INTO movements (name, reference_id, from_account_id, to_account_id, amount)
          SELECT 'odd', gen_random_uuid(), f.id, t.id, ${amount} FROM accounts f, accounts t WHERE f.kind = '${from}' AND t.kind = '${to}'`),
      ).rejects.toThrow(/violates check constraint/)
    }
  })
})

describe('the ledger check', () => {
  test('finds no fault in a ledger of the product', async () => {
    expect(await checkLedger(product.context.db)).not.toHaveProperty('firstDifference')
    expect(await checkLedger(product.context.db)).not.toHaveProperty('firstMismatch')
  })

  test('names the first account that differs from its transfers', async () => {
    const tampered = await startProduct()
    await tampered.database.superuser.query(
      'ALTER TABLE accounts DISABLE TRIGGER accounts_change_by_movement',
    )
    await tampered.database.pool.query(
      "UPDATE accounts SET balance = balance + 1 WHERE kind = 'reserve'",
    )
    const { firstDifference } = await checkLedger(tampered.context.db)
    expect(firstDifference).toMatchObject({
      kind: 'reserve',
      balance: 100_000_01n,
      transfers: 100_000_00n,
    })
    await tampered.close()
  })

  test('names the first row that its transfers contradict', async () => {
    const tampered = await startProduct()
    const someone = await person(tampered)
    await fund(tampered, someone, cents(50_00n))
    const { transactionId } = await requestWithdrawal(tampered.context, {
      by: { id: someone.id, from: 'tests' },
      amount: cents(20_00n),
    })
    const { id: decider } = await person(tampered, ['ADMIN'])
    const approve =
      "UPDATE transactions SET status = 'APPROVED', ending = 'decided', decided_by = $2, updated_at = now() WHERE id = $1"
    await tampered.database.pool.query(approve, [transactionId, decider])
    expect((await checkLedger(tampered.context.db)).firstMismatch).toMatchObject({
      noun: 'transaction',
      id: transactionId,
      status: 'APPROVED',
    })
    await tampered.close()
  })
})

test('capital under one key is contributed once', async () => {
  const ledgers = [openLedger(product.database.pool), openLedger(product.database.pool)]
  const before = await reserve()
  const contribution = {
    amount: cents(7_00n),
    note: 'once',
    contributedBy: 'tests',
    key: 'only once',
  }
  await Promise.all(
    [...ledgers, ...ledgers].map((ledger) =>
      contributeCapital({ ledger, keys: product.context.keys }, contribution),
    ),
  )
  expect(await reserve()).toBe(before + 7_00n)
})

const reserve = async () =>
  (await query("SELECT balance FROM accounts WHERE kind = 'reserve'")).rows[0].balance as bigint

test('the database knows the kinds of accounts of the contract', async () => {
  const { rows } = await query(
    "SELECT conname AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE conrelid = 'accounts'::regclass",
  )
  const kindsIn = (name: string): string[] =>
    [...rows.find((row) => row.name === name).text.matchAll(/'(\w+)'::text/g)].map(
      ([, kind]) => kind,
    )
  expect(kindsIn('accounts_kind_check')).toEqual(accountKinds)
  expect(kindsIn('accounts_of_the_pool')).toEqual(poolAccounts)
})
