import { addNote, person as personCall } from '@pool/contract/accounts/people'
import { forgotPassword, login, register } from '@pool/contract/accounts/users'
import { cents } from '@pool/contract/base/money'
import { createWallet, deleteWallet } from '@pool/contract/chain/wallets'
import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { invest } from '@pool/contract/money/investments'
import { savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { closeAccount } from '@pool/contract/reports/ownData'
import { approve } from '@pool/contract/requests/decisions'
import { cancel, deposit, withdraw } from '@pool/contract/requests/requests'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { claimMail, settleMail } from '../../accounts/mail/outbox.ts'
import { carryOut } from '../../accounts/passwords/passwordWork.ts'
import { giveRole } from '../../accounts/users/roles.ts'
import { requestDeposit } from '../../requests/transactions/requestDeposit.ts'
import { newAddress } from '../../testing/addresses.ts'
import { addApp } from '../../testing/factors.ts'
import {
  investorWith,
  PASSWORD,
  type Person,
  type Product,
  person,
  startProduct,
  wallets,
} from '../../testing/product.ts'

// Spies only. All the work is really done.
vi.mock('../../accounts/passwords/passwordWork.ts', { spy: true })

let product: Product
let admin: Person
let superAdmin: Person
beforeAll(async () => {
  product = await startProduct()
  admin = await person(product, ['ADMIN'])
  superAdmin = await person(product, ['SUPER_ADMIN'])
})
afterAll(() => product.close())

const rows = async <Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> =>
  (await product.database.superuser.query<Row>(text, values)).rows
const close = ({ token }: Person, password = PASSWORD) =>
  product.call(closeAccount, { token, payload: { password } })
const codeOf = ({ body }: { body: unknown }) => (body as { code?: string } | null)?.code
const closedOf = async ({ id }: Person) =>
  (
    await rows<{ closed: boolean }>(
      'SELECT closed_at IS NOT NULL AS closed FROM users WHERE id = $1',
      id,
    )
  )[0]?.closed

const asked = async ({ id, token }: Person, amount = 20): Promise<string> => {
  const { body } = await product.call(deposit, { token, payload: { userId: id, amount } })
  return body.transactionId
}

/** An empty investor with a deposit address, and a row in every table that a closing empties. */
const livelyInvestor = async (): Promise<Person> => {
  const investor = await person(product)
  const { id, email, token } = investor
  await wallets(product, 1)
  const transactionId = await asked(investor)
  await product.call(cancel, { token, params: { id: transactionId }, payload: {} })
  const saved = { address: newAddress(), networkName: 'Bitcoin' }
  await product.call(savePayoutAddress, { token, payload: saved })
  await product.call(forgotPassword, { payload: { username: email } })
  await product.call(addNote, { token: admin.token, params: { id }, payload: { text: 'Called' } })
  await addApp(product, investor)
  return investor
}

test('money that is available, invested or held refuses', async () => {
  const investor = await investorWith(product, 100)
  const { id: userId, token } = investor
  expect(codeOf(await close(investor))).toBe('accountNotEmpty')
  await product.call(withdraw, { token, payload: { userId, amount: 100 } })
  expect(codeOf(await close(investor))).toBe('accountNotEmpty')
  const investing = await investorWith(product, 40)
  const payload = { userId: investing.id, amount: 40, durationDays: 1 }
  await product.call(invest, { token: investing.token, payload })
  expect(codeOf(await close(investing))).toBe('accountNotEmpty')
  expect([await closedOf(investor), await closedOf(investing)]).toEqual([false, false])
})

test('a withdrawal on its way holds a closing back', async () => {
  const investor = await investorWith(product, 60)
  const { id: userId, token } = investor
  const { body } = await product.call(withdraw, {
    token,
    payload: { userId, amount: 60, destinationAddress: newAddress() },
  })
  const { transactionId } = body
  const staff = { token: admin.token, params: { id: transactionId } }
  expect(codeOf(await close(investor))).toBe('accountNotEmpty')
  await product.call(approve, { token: admin.token, payload: { transactionId, userId } })
  expect(codeOf(await close(investor))).toBe('requestsOpen')
  const evidence = 'ab'.repeat(32)
  await product.call(markSent, { ...staff, payload: { networkName: 'Bitcoin', evidence } })
  expect(codeOf(await close(investor))).toBe('requestsOpen')
  await product.call(markCompleted, staff)
  expect(await close(investor)).toMatchObject({ status: 200, body: null })
  expect(await closedOf(investor)).toBe(true)
})

test('a pending deposit, a wrong password and a freeze refuse', async () => {
  const investor = await person(product)
  await wallets(product, 1)
  expect(codeOf(await close(investor, 'not it'))).toBe('wrongPassword')
  const id = await asked(investor)
  expect(codeOf(await close(investor))).toBe('requestsOpen')
  await product.call(cancel, { token: investor.token, params: { id }, payload: {} })
  await rows('UPDATE users SET frozen_at = now(), frozen_since = now() WHERE id = $1', investor.id)
  expect(codeOf(await close(investor))).toBe('accountFrozen')
  expect(await closedOf(investor)).toBe(false)
})

test('staff of any role are told to lose it first', async () => {
  for (const role of ['ADMIN', 'AUDITOR', 'SUPER_ADMIN'] as const)
    expect(await close(await person(product, [role]))).toMatchObject({
      status: 403,
      body: { code: 'staffCannotClose' },
    })
})

/** Every text of the database outside the tables that keep what happened. */
const allText = async (except: readonly string[]): Promise<string> => {
  const tables = await rows<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  )
  const texts = []
  for (const { name } of tables.filter((table) => !except.includes(table.name)))
    texts.push(JSON.stringify(await rows(`SELECT t::text FROM ${name} AS t`)))
  return texts.join('\n')
}

test('personal data goes, and the books and the trail stay', async () => {
  const investor = await livelyInvestor()
  const { id, email } = investor
  const before = await rows('SELECT id, status FROM transactions WHERE user_id = $1', id)
  const [wallet] = await rows<{ id: string; address: string }>(
    'SELECT id, address FROM wallets WHERE owner_id = $1',
    id,
  )
  expect((await close(investor)).status).toBe(200)

  // The last mail, until it is sent.
  expect(await rows('SELECT recipient, template FROM mails WHERE user_id = $1', id)).toEqual([
    { recipient: email, template: 'accountClosed' },
  ])
  const text = await allText(['audit_entries', 'mails'])
  expect(text).not.toContain(email)
  const { rows: left } = await product.database.superuser.query<{ name: string; count: number }>(
    `SELECT 'factors' AS name, count(*)::int FROM factors WHERE user_id = $1
     UNION ALL SELECT 'recovery_codes', count(*)::int FROM recovery_codes WHERE user_id = $1
     UNION ALL SELECT 'payout_addresses', count(*)::int FROM payout_addresses WHERE user_id = $1
     UNION ALL SELECT 'notes', count(*)::int FROM notes WHERE user_id = $1
     UNION ALL SELECT 'links', count(*)::int FROM links WHERE user_id = $1
     UNION ALL SELECT 'known_devices', count(*)::int FROM known_devices WHERE user_id = $1
     UNION ALL SELECT 'sessions', count(*)::int FROM sessions WHERE user_id = $1`,
    [id],
  )
  expect(left.filter(({ count }) => count > 0)).toEqual([])
  expect(await rows('SELECT * FROM users WHERE id = $1', id)).toMatchObject([
    {
      username: `closed-${id}`,
      first_name: 'Closed',
      last_name: 'account',
      country: '',
      password_hash: '',
    },
  ])

  expect(await rows('SELECT id, status FROM transactions WHERE user_id = $1', id)).toEqual(before)
  const trail = await rows<{ action: string }>(
    'SELECT action FROM audit_entries WHERE owner_id = $1 ORDER BY id',
    id,
  )
  expect(trail.at(-1)).toEqual({ action: 'account.closed' })
  expect(trail.length).toBeGreaterThan(3)

  // Its address stays its own.
  expect(
    await rows(
      'SELECT owner_id, archived_at IS NOT NULL AS archived FROM wallets WHERE id = $1',
      wallet?.id,
    ),
  ).toEqual([{ owner_id: id, archived: true }])
  const staff = { token: superAdmin.token }
  expect(
    (await product.call(deleteWallet, { ...staff, params: { id: wallet?.id ?? '' } })).status,
  ).toBe(409)
  const again = { address: wallet?.address, networkName: 'Bitcoin' }
  expect((await product.call(createWallet, { ...staff, payload: again })).status).toBe(409)

  expect(await product.call(personCall, { token: admin.token, params: { id } })).toMatchObject({
    status: 200,
    body: { closed: true, username: `closed-${id}` },
  })
})

test('the last mail forgets its recipient once it is sent', async () => {
  const mailing = await startProduct({
    SMTP_URL: 'smtp://localhost:2525',
    MAIL_FROM: 'pool@example.com',
    PUBLIC_URL: 'https://pool.example',
  })
  const investor = await person(mailing)
  const { db } = mailing.context
  expect(
    (await mailing.call(closeAccount, { ...investor, payload: { password: PASSWORD } })).status,
  ).toBe(200)
  const mail = await claimMail(db)
  if (!mail) throw new Error('no mail was written')
  expect(mail).toMatchObject({ template: 'accountClosed', recipient: investor.email })
  const deferred = { outcome: 'deferred', answer: 'later' } as const
  await settleMail(db, mail, deferred)
  const sent = () => db.selectFrom('mails').select(['recipient', 'status']).execute()
  expect(await sent()).toEqual([{ recipient: investor.email, status: 'WAITING' }])
  await settleMail(db, mail, { outcome: 'accepted', answer: 'ok' })
  expect(await sent()).toEqual([{ recipient: '', status: 'SENT' }])
  // A sender that held a removed mail goes on.
  await db.deleteFrom('mails').execute()
  await settleMail(db, mail, deferred)
  await mailing.close()
})

test('a closed account signs in as an unknown one', async () => {
  const investor = await person(product)
  const work = async (username: string) => {
    vi.mocked(carryOut).mockClear()
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const { status, narration, body } = await product.call(login, {
      payload: { username, password: PASSWORD },
    })
    const statements = query.mock.calls
      .map(([one]) => (typeof one === 'string' ? one : (one as { text: string }).text))
      .filter((text) => !/audit_(un)?seal/.test(text))
    query.mockRestore()
    return { status, narration, body, statements, hashes: vi.mocked(carryOut).mock.calls.length }
  }
  expect((await close(investor)).status).toBe(200)
  await work('nobody@example.com')
  const unknown = await work('nobody@example.com')
  expect(unknown).toMatchObject({ status: 401, hashes: 1 })
  expect(await work(investor.email)).toEqual(unknown)
  expect((await work(`closed-${investor.id}`)).status).toBe(400)
})

test('its address registers again as a new account', async () => {
  const investor = await livelyInvestor()
  const { email } = investor
  expect((await close(investor)).status).toBe(200)
  const payload = {
    username: email,
    password: 'a quiet password',
    detail: { firstName: 'A', lastName: 'B', email },
  }
  const { status, body } = await product.call(register, { payload })
  expect(status).toBe(200)
  expect(body.userId).not.toBe(investor.id)
  const signedIn = await product.call(login, {
    payload: { username: email, password: 'a quiet password' },
  })
  expect(signedIn.status).toBe(200)
})

describe('the database refuses', () => {
  let closed: Person
  beforeAll(async () => {
    closed = await livelyInvestor()
    expect((await close(closed)).status).toBe(200)
  })
  const fails = (text: string, ...values: unknown[]) =>
    expect(product.database.pool.query(text, values)).rejects

  test('money, requests and sessions of a closed account', async () => {
    const [account] = await rows<{ id: string }>(
      "SELECT id FROM accounts WHERE owner_id = $1 AND kind = 'available'",
      closed.id,
    )
    const [custody] = await rows<{ id: string }>("SELECT id FROM accounts WHERE kind = 'custody'")
    await fails(
      "INSERT INTO movements (reference_id, name, from_account_id, to_account_id, amount) VALUES (gen_random_uuid(), 'deposit_confirmed', $1, $2, 1)",
      custody?.id,
      account?.id,
    ).toThrow('accounts_closed_are_empty')
    const [wallet] = await rows<{ id: string }>(
      'SELECT id FROM wallets WHERE owner_id = $1',
      closed.id,
    )
    await fails(
      "INSERT INTO transactions (id, user_id, type, amount, status, wallet_id, created_at, updated_at) VALUES (gen_random_uuid(), $1, 'deposit', 1, 'PENDING', $2, now(), now())",
      closed.id,
      wallet?.id,
    ).toThrow('closed the account')
    await fails(
      "INSERT INTO sessions (token_hash, user_id, mac) VALUES (sha256($2), $1, '')",
      closed.id,
      'x',
    ).toThrow('the account is closed')
    await fails("INSERT INTO user_roles (user_id, role) VALUES ($1, 'ADMIN')", closed.id).toThrow(
      'the account is closed',
    )
    await expect(
      requestDeposit(product.context.ledger, {
        by: { id: closed.id, from: 'tests' },
        amount: cents(10_00n),
      }),
    ).rejects.toMatchObject({ code: 'accountClosed' })
    expect(
      await rows(
        "SELECT id FROM transactions WHERE user_id = $1 AND status = 'PENDING'",
        closed.id,
      ),
    ).toEqual([])
  })

  test('a closed account that opens again', async () => {
    await fails('UPDATE users SET closed_at = NULL WHERE id = $1', closed.id).toThrow('not allowed')
    await fails("UPDATE users SET username = 'a@b.co' WHERE id = $1", closed.id).toThrow(
      'not allowed',
    )
    await fails('UPDATE accounts SET closed_at = NULL WHERE owner_id = $1', closed.id).toThrow(
      'not allowed',
    )
    await expect(
      product.context.db.transaction().execute((transaction) =>
        giveRole(transaction, product.context.keys, {
          userId: closed.id,
          role: 'SUPER_ADMIN',
          by: { name: 'tests', from: 'tests' },
        } as never),
      ),
    ).rejects.toThrow()
    const noted = { token: admin.token, params: { id: closed.id }, payload: { text: 'x' } }
    expect(codeOf(await product.call(addNote, noted))).toBe('accountClosed')
  })

  test('a closing with money or requests, and lost notes', async () => {
    const rich = await investorWith(product, 10)
    const waiting = await person(product)
    await wallets(product, 1)
    await asked(waiting)
    await fails('UPDATE users SET closed_at = now() WHERE id = $1', rich.id).toThrow(
      'accounts_closed_are_empty',
    )
    await fails('UPDATE users SET closed_at = now() WHERE id = $1', waiting.id).toThrow(
      'no open requests',
    )
    await product.call(addNote, {
      token: admin.token,
      params: { id: rich.id },
      payload: { text: 'x' },
    })
    await fails('DELETE FROM notes WHERE user_id = $1', rich.id).toThrow('not allowed')
  })
})
