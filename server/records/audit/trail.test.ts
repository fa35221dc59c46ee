import { login, register } from '@pool/contract/accounts/users'
import { archiveWallet, createWallet, deleteWallet } from '@pool/contract/chain/wallets'
import { savePayoutAddress } from '@pool/contract/money/payoutAddresses'
import { type AuditEntry, listAudit } from '@pool/contract/reports/audit'
import { approve, confirm, reject } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { grantRole, resumeUser, revokeRole, suspendUser } from '../../accounts/users/roles.ts'
import { expireDeposits } from '../../requests/transactions/expireDeposits.ts'
import { newAddress } from '../../testing/addresses.ts'
import {
  investorWith,
  PASSWORD,
  type Person,
  person,
  startProduct,
  testProduct,
  wallets,
} from '../../testing/product.ts'
import { checkAudit } from './check.ts'
import { sealAudit } from './seal.ts'

const OPERATOR = { name: 'operator root', from: 'operator' }
/** The source of the tests' requests. */
const HERE = '127.0.0.1'

const product = testProduct()
let admin: Person
let superAdmin: Person
beforeAll(async () => {
  admin = await person(product, ['ADMIN'])
  superAdmin = await person(product, ['SUPER_ADMIN'])
})
afterEach(async () => {
  await sealAudit(product.context)
  expect((await checkAudit(product.context)).firstBreak).toBeUndefined()
})

/** The entries written by an act, oldest first. */
const recorded = async (work: () => Promise<unknown>): Promise<AuditEntry[]> => {
  const last = (await listed({ limit: '1' }))[0]?.id ?? 0
  await work()
  return (await listed({ order: 'asc' })).filter(({ id }) => id > last)
}
const listed = async (query: Record<string, string>) =>
  (await product.call(listAudit, { token: superAdmin.token, query })).body

const registration = (email: string) => ({
  username: email,
  password: PASSWORD,
  country: 'US',
  detail: { firstName: 'Ada', lastName: 'L', email },
})
const newEmail = () => `${crypto.randomUUID()}@example.com`
const idOf = ({ body }: { body: unknown }) => (body as { transactionId: string }).transactionId
const askToDeposit = async ({ id, token }: Person) =>
  idOf(await product.call(deposit, { token, payload: { userId: id, amount: 40 } }))
const askToWithdraw = async ({ id, token }: Person) =>
  idOf(
    await product.call(withdraw, {
      token,
      payload: { userId: id, amount: 15.5, destinationAddress: 'bc1-there' },
    }),
  )

describe('the trail records, with actor, source and states,', () => {
  test('a decision about money', async () => {
    const investor = await investorWith(product, 100)
    const [deposited, paid, refused] = [
      await askToDeposit(investor),
      await askToWithdraw(investor),
      await askToWithdraw(investor),
    ]
    const { token } = admin
    const entries = await recorded(async () => {
      await product.call(confirm, { token, payload: { transactionId: deposited } })
      await product.call(approve, { token, payload: { transactionId: paid, userId: investor.id } })
      await product.call(reject, {
        token,
        params: { id: refused },
        payload: { reason: 'Unknown address' },
      })
    })
    const by = {
      actorId: admin.id,
      actor: admin.email,
      source: HERE,
      subjectType: 'transaction',
      ownerId: investor.id,
    }
    const before = { status: 'PENDING' }
    expect(entries).toMatchObject([
      {
        ...by,
        action: 'deposit.confirmed',
        subjectId: deposited,
        before,
        after: { status: 'APPROVED', amount: 40 },
        reason: null,
      },
      {
        ...by,
        action: 'withdrawal.approved',
        subjectId: paid,
        before,
        after: { status: 'APPROVED', amount: 15.5, destinationAddress: 'bc1-there' },
      },
      {
        ...by,
        action: 'withdrawal.rejected',
        subjectId: refused,
        before,
        after: { status: 'REJECTED' },
        reason: 'Unknown address',
      },
    ])
  })

  test('an expired deposit, and contributed capital', async () => {
    const investor = await investorWith(product, 1)
    const id = await askToDeposit(investor)
    const entries = await recorded(() => expireDeposits(product.context, 0))
    expect(entries.find(({ subjectId }) => subjectId === id)).toMatchObject({
      action: 'deposit.expired',
      actorId: null,
      actor: 'system',
      source: 'job',
      ownerId: investor.id,
      after: { status: 'EXPIRED', amount: 40 },
    })
    const [capital] = await listed({ action: 'capital.contributed' })
    expect(capital).toMatchObject({
      actor: 'tests',
      source: 'operator',
      after: { amount: 100_000 },
      reason: 'for tests',
    })
  })

  test('registrations and sign-ins, also refused ones, without passwords', async () => {
    const email = newEmail()
    const entries = await recorded(async () => {
      await product.call(register, { payload: registration(email) })
      await product.call(login, { payload: { username: email, password: PASSWORD } })
      await product.call(login, { payload: { username: email, password: 'not my password' } })
      await product.call(login, {
        payload: { username: 'nobody@example.com', password: 'not my password' },
      })
    })
    const { subjectId: id } = entries[0] ?? { subjectId: '' }
    const own = {
      actorId: id,
      actor: email,
      source: HERE,
      subjectType: 'user',
      subjectId: id,
      ownerId: id,
    }
    const reason = 'invalidCredentials'
    expect(entries).toMatchObject([
      { ...own, action: 'user.registered', after: { roles: ['USER'] } },
      { ...own, action: 'session.started' },
      { ...own, action: 'session.refused', actorId: null, reason },
      {
        action: 'session.refused',
        actorId: null,
        actor: 'nobody@example.com',
        subjectId: '',
        ownerId: null,
        source: HERE,
        reason,
      },
    ])
    expect(JSON.stringify(await listed({}))).not.toMatch(/password|argon2/)
  })

  test('grants and revocations of roles, suspensions and their ends', async () => {
    const { email, id } = await person(product)
    const entries = await recorded(async () => {
      await grantRole(product.context, { email, role: 'ADMIN', by: OPERATOR })
      await revokeRole(product.context, { email, role: 'ADMIN', by: OPERATOR })
      await suspendUser(product.context, { email, by: OPERATOR })
      await resumeUser(product.context, { email, by: OPERATOR })
    })
    const by = {
      actorId: null,
      actor: 'operator root',
      source: 'operator',
      subjectId: id,
      ownerId: id,
    }
    expect(entries).toMatchObject([
      {
        ...by,
        action: 'role.granted',
        before: { roles: ['USER'] },
        after: { roles: ['ADMIN', 'USER'] },
      },
      {
        ...by,
        action: 'role.revoked',
        before: { roles: ['ADMIN', 'USER'] },
        after: { roles: ['USER'] },
      },
      { ...by, action: 'user.suspended', before: { suspended: false }, after: { suspended: true } },
      { ...by, action: 'user.resumed', before: { suspended: true }, after: { suspended: false } },
    ])
  })

  test('a saved payout address', async () => {
    const { id, email, token } = await person(product)
    const payload = { address: newAddress(), networkName: 'Bitcoin' }
    const entries = await recorded(() => product.call(savePayoutAddress, { token, payload }))
    expect(entries).toMatchObject([
      { action: 'payout.saved', actor: email, source: HERE, ownerId: id, after: payload },
    ])
  })

  test('an added and a deleted wallet', async () => {
    const address = newAddress('Polygon')
    const { token } = admin
    const entries = await recorded(async () => {
      const { body } = await product.call(createWallet, {
        token,
        payload: { address, networkName: 'polygon' },
      })
      await product.call(deleteWallet, { token, params: { id: body.id } })
    })
    const wallet = { address, networkName: 'Polygon' }
    expect(entries).toMatchObject([
      { action: 'wallet.added', actor: admin.email, source: HERE, before: null, after: wallet },
      { action: 'wallet.deleted', actor: admin.email, source: HERE, before: wallet, after: null },
    ])
  })
})

test('an act without effect is not recorded', async () => {
  const investor = await investorWith(product, 100)
  const [id, own] = [await askToWithdraw(investor), await askToDeposit(investor)]
  const { token } = admin
  const { rows } = await product.database.pool.query(
    'SELECT id, address FROM wallets WHERE owner_id = $1',
    [investor.id],
  )
  await product.call(approve, { token, payload: { transactionId: id, userId: investor.id } })
  const entries = await recorded(async () => {
    await product.call(approve, { token, payload: { transactionId: id, userId: investor.id } })
    await product.call(reject, { token, params: { id }, payload: {} })
    await product.call(confirm, { token: investor.token, payload: { transactionId: own } })
    await product.call(register, { payload: registration(investor.email) })
    await product.call(createWallet, {
      token,
      payload: { address: rows[0].address, networkName: 'Bitcoin' },
    })
    await product.call(deleteWallet, { token, params: { id: rows[0].id } })
    await grantRole(product.context, { email: admin.email, role: 'ADMIN', by: OPERATOR })
    await revokeRole(product.context, { email: investor.email, role: 'ADMIN', by: OPERATOR })
    await resumeUser(product.context, { email: investor.email, by: OPERATOR })
    expect(await expireDeposits(product.context, 3_000)).toBe(0)
  })
  expect(entries).toEqual([])
})

test('an act that cannot be recorded is not done', async () => {
  const broken = await startProduct()
  const boss = await person(broken, ['ADMIN'])
  const investor = await investorWith(broken, 100)
  await wallets(broken, 1)
  const { rows: free } = await broken.database.pool.query(
    'SELECT id FROM wallets WHERE owner_id IS NULL',
  )
  const { rows: taken } = await broken.database.pool.query(
    'SELECT id FROM wallets WHERE owner_id IS NOT NULL',
  )
  const ask = async (endpoint: typeof deposit | typeof withdraw, amount: number) =>
    idOf(
      await broken.call(endpoint, {
        token: investor.token,
        payload: { userId: investor.id, amount },
      }),
    )
  const [deposited, wished, unwished] = [
    await ask(deposit, 40),
    await ask(withdraw, 15),
    await ask(withdraw, 15),
  ]
  const contents = async () => {
    const tables = [
      'users',
      'user_roles',
      'wallets',
      'transactions',
      'accounts',
      'transfers',
      'approvals',
      'audit_entries',
    ]
    const texts = tables.map((table) =>
      broken.database.pool.query(`SELECT t::text FROM ${table} AS t ORDER BY 1`),
    )
    return (await Promise.all(texts)).map(({ rows }) => rows)
  }
  const before = await contents()
  await broken.database.superuser.query(
    'CREATE TRIGGER nothing_more BEFORE INSERT ON audit_entries EXECUTE FUNCTION refuse_change()',
  )

  const { token } = boss
  const answers = [
    await broken.call(confirm, { token, payload: { transactionId: deposited } }),
    await broken.call(approve, { token, payload: { transactionId: wished, userId: investor.id } }),
    await broken.call(reject, { token, params: { id: unwished }, payload: {} }),
    await broken.call(createWallet, {
      token,
      payload: { address: newAddress(), networkName: 'Bitcoin' },
    }),
    await broken.call(deleteWallet, { token, params: { id: free[0].id } }),
    await broken.call(archiveWallet, { token, params: { id: taken[0].id } }),
    await broken.call(register, { payload: registration(newEmail()) }),
    await broken.call(login, { payload: { username: investor.email, password: PASSWORD } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 500))
  await expect(
    grantRole(broken.context, { email: investor.email, role: 'ADMIN', by: OPERATOR }),
  ).rejects.toThrow(/not allowed/)
  await expect(
    revokeRole(broken.context, { email: boss.email, role: 'ADMIN', by: OPERATOR }),
  ).rejects.toThrow(/not allowed/)
  await expect(suspendUser(broken.context, { email: boss.email, by: OPERATOR })).rejects.toThrow(
    /not allowed/,
  )
  await expect(expireDeposits(broken.context, 0)).rejects.toThrow(/not allowed/)
  expect(await contents()).toEqual(before)
  const { rows: sessions } = await broken.database.pool.query(
    'SELECT count(*)::int AS count FROM sessions WHERE user_id = $1',
    [investor.id],
  )
  expect(sessions[0].count).toBe(1)
  await broken.close()
})
