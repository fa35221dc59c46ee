import { once } from 'node:events'
import { connect } from 'node:net'
import { listUsers, login } from '@pool/contract/accounts/users'
import { changeStream } from '@pool/contract/base/changes'
import { health } from '@pool/contract/base/health'
import { invest, listInvestments } from '@pool/contract/money/investments'
import { listAudit } from '@pool/contract/reports/audit'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  test,
  vi,
} from 'vitest'
import { readConfig } from '../base/configuration/config.ts'
import { openKeys } from '../base/keys/keyFile.ts'
import { addWallet } from '../chain/wallets/addWallet.ts'
import { newAddress } from '../testing/addresses.ts'
import { ADMIN, balanceOf, newInvestor, SETTINGS, signIn } from '../testing/client.ts'
import { LIVE } from '../testing/live.ts'
import { connectTo, dataDirectory, type RunningProduct } from '../testing/process.ts'
import { ask } from '../testing/request.ts'

let directory: ReturnType<typeof dataDirectory>

/** Adds a deposit address that counts at once. By the API it would rest for a day in live mode. */
const addAddress = async ({ dataDir }: typeof directory): Promise<void> => {
  const { db, close } = connectTo({ dataDir })
  const config = readConfig({ DATA_DIR: dataDir })
  const wallet = { address: newAddress(), networkName: 'Bitcoin' }
  await addWallet({ config, db, keys: openKeys(config) }, wallet, { name: 'tests', from: 'tests' })
  await close()
}

describe('a product and its operator', () => {
  let product: RunningProduct
  beforeAll(async () => {
    directory = dataDirectory(inject('preparedData'))
    product = await directory.start({ ...SETTINGS, LOG_LEVEL: 'trace', METRICS_PORT: '0' })
  })
  afterAll(() => directory.remove())

  test('an investment matures by itself', async () => {
    expect(product.output()).toMatch(/AN INVESTMENT DAY LASTS 1 SECONDS/)
    const investor = await newInvestor(product, 250)
    const { token, userId } = investor
    await ask(product, invest, { token, payload: { userId, amount: 100, durationDays: 1 } })
    expect(await balanceOf(product, investor)).toBe(150)
    await vi.waitFor(async () => expect(await balanceOf(product, investor)).toBe(254), {
      timeout: 15_000,
      interval: 100,
    })
    const { body: investments } = await ask(product, listInvestments, {
      token,
      params: { userId },
    })
    expect(investments[0]?.status).toBe('COMPLETED')
    const { body: transactions } = await ask(product, listTransactions, { token })
    expect(transactions[0]).toMatchObject({ type: 'payout', amount: 104 })
  })

  test('metrics are served on the configured port', async () => {
    const [, host, port] =
      /"host":"([\d.]+)","port":(\d+),"msg":"metrics are served"/.exec(product.output()) ?? []
    expect(host).toBe('127.0.0.1')
    const confirmed = async () => {
      const text = await (await fetch(`http://${host}:${port}/metrics`)).text()
      const [, count = 0] =
        /money_operations_total{kind="deposit_confirmed",outcome="posted"} (\d+)/.exec(text) ?? []
      return Number(count)
    }
    const before = await confirmed()
    await newInvestor(product, 20)
    expect(await confirmed()).toBe(before + 1)
  })

  test('the log has request ids but no passwords or tokens', async () => {
    const investor = await newInvestor(product, 20)
    await ask(product, login, {
      payload: { username: investor.email, password: 'wrong but secret' },
    })
    const output = product.output()
    expect(output).toMatch(/"reqId":"[0-9a-f-]{36}"/)
    for (const secret of [ADMIN.password, investor.password, investor.token, 'wrong but secret'])
      expect(output).not.toContain(secret)
  })

  test('grants and revokes roles while the product runs', async () => {
    const { email, token } = await newInvestor(product, 20)
    expect((await ask(product, listUsers, { token })).status).toBe(403)
    expect(await directory.command('user', 'grant', email, 'SUPER_ADMIN')).toMatchObject({
      code: 0,
    })
    expect((await ask(product, listUsers, { token })).status).toBe(200)
    expect((await directory.command('user', 'list')).text).toMatch(
      new RegExp(`${email}  Ada L  SUPER_ADMIN, USER`),
    )
    expect(await directory.command('user', 'revoke', email, 'SUPER_ADMIN')).toMatchObject({
      code: 0,
    })
    expect((await ask(product, listUsers, { token })).status).toBe(401)
  })

  test('suspends and resumes a user with sealed audit entries', async () => {
    const { email, password, token, userId } = await newInvestor(product, 20)
    const enter = async () =>
      (await ask(product, login, { payload: { username: email, password } })).status
    expect((await directory.command('user', 'suspend', email)).text).toMatch(
      /is suspended. Their sessions have ended/,
    )
    expect((await ask(product, listTransactions, { token })).status).toBe(401)
    expect(await enter()).toBe(403)
    expect((await directory.command('user', 'list')).text).toMatch(
      new RegExp(`${email}  Ada L  USER  suspended`),
    )
    expect((await directory.command('user', 'resume', email)).code).toBe(0)
    expect(await enter()).toBe(200)

    const admin = await signIn(product, ADMIN)
    const trail = async () => (await ask(product, listAudit, { token: admin.token })).body
    await vi.waitFor(
      async () => expect((await trail()).every(({ position }) => position !== null)).toBe(true),
      { timeout: 5_000 },
    )
    const own = (await trail()).filter(
      ({ ownerId, actor }) => ownerId === userId && actor.startsWith('operator'),
    )
    expect(own.map(({ action, source }) => `${action} from ${source}`)).toEqual([
      'user.resumed from operator',
      'user.suspended from operator',
    ])
  })

  test('pauses and resumes deposits while the product runs', async () => {
    const { token, userId } = await newInvestor(product, 20)
    const wish = () => ask(product, deposit, { token, payload: { userId, amount: 20 } })
    const paused = await directory.command(
      'pauses',
      'pause',
      'deposits',
      '--reason',
      'The bank is closed.',
    )
    expect(paused).toMatchObject({
      code: 0,
      text: expect.stringMatching(/deposits paused since 2.*Z: The bank is closed\./),
    })
    expect(await wish()).toMatchObject({
      status: 503,
      narration: 'New deposits are paused for now. The reason: The bank is closed.',
    })
    expect((await directory.command('pauses', 'show')).text).toMatch(/deposits paused/)
    expect((await directory.command('pauses', 'resume', 'deposits')).text).toMatch(
      /Nothing is paused/,
    )
    expect((await wish()).status).toBe(200)
  })

  test.each([
    ['user', ['grant', 'nobody@example.com', 'ADMIN'], 1, 'User not found.'],
    ['user', ['grant', 'nobody@example.com', 'KING'], 2, "'KING' is not a role."],
    ['user', ['promote'], 2, 'Usage:'],
    ['reserve', ['add', '10.001', '--note', 'x'], 2, 'Amount must have at most two decimals'],
    ['reserve', ['add', '1.500', '--note', 'x'], 2, 'Amount must have at most two decimals'],
    ['reserve', ['add', '10'], 2, 'Usage:'],
    ['user', ['suspend', 'nobody@example.com'], 1, 'User not found.'],
    ['user', ['reset-factors', 'nobody@example.com'], 1, 'User not found.'],
    ['auditCheck', ['5'], 2, 'Usage:'],
    ['pauses', ['pause', 'maturities', '--reason', 'x'], 2, 'cannot be paused'],
    ['pauses', ['pause', 'deposits'], 2, 'Please give a reason'],
  ])('explains the wrong call %s %j', async (script, options, code, sentence) => {
    expect(await directory.command(script, ...options)).toMatchObject({
      code,
      text: expect.stringContaining(sentence),
    })
  })

  // The last two tests, since the first of them ends the product.
  test('SIGTERM waits for neither streams nor silent connections', async () => {
    const { token } = await newInvestor(product, 20)
    const stream = await fetch(product.url + changeStream.path, {
      headers: { authorization: `Bearer ${token}` },
    })
    const silent = connect(Number(new URL(product.url).port), 'localhost')
    await once(silent, 'connect')
    const read = stream.text()
    expect(await product.end('SIGTERM')).toBe(0)
    await read
  })

  test('the logged head of the audit chain proves it', async () => {
    const [, position = '', hash = ''] =
      /"position":"(\d+)","hash":"(\w+)","msg":"head of the audit chain"(?!.*"head of the audit chain")/s.exec(
        product.output(),
      ) ?? []
    const checked = await directory.command('auditCheck', position, hash)
    expect(checked).toMatchObject({
      code: 0,
      text: expect.stringContaining('The audit trail is whole'),
    })
    expect((await directory.command('auditCheck', '1', '0'.repeat(64))).text).toMatch(
      /does not have the known hash at 1/,
    )
  })
})

describe('a data directory of its own', () => {
  beforeEach(() => {
    directory = dataDirectory(inject('preparedData'))
  })
  afterEach(() => directory.remove())

  test('kill -9 neither loses nor doubles withdrawals', async () => {
    const product = await directory.start(SETTINGS)
    type Investor = Awaited<ReturnType<typeof newInvestor>>
    const investors: Investor[] = []
    for (let n = 0; n < 8; n += 1) investors.push(await newInvestor(product, 1_000))
    let answered = 0
    const attempt = async (
      target: RunningProduct,
      { token, userId }: Investor,
      description: string,
    ) => {
      const { status } = await ask(target, withdraw, {
        token,
        payload: { userId, amount: 10, description },
        key: description,
      })
      expect(status).toBe(200)
    }
    // Every investor withdraws until the product dies. The last key has no answer.
    const withdrawn = async (investor: Investor): Promise<readonly string[]> => {
      const keys: string[] = []
      for (;;) {
        const key = crypto.randomUUID()
        keys.push(key)
        try {
          await attempt(product, investor, key)
        } catch {
          return keys
        }
        answered += 1
        if (answered === 40) void product.end('SIGKILL')
      }
    }
    const all = await Promise.all(investors.map(withdrawn))
    expect(answered).toBe(all.flat().length - investors.length)

    const again = await directory.start(SETTINGS)
    for (const [n, investor] of investors.entries()) {
      const keys = all[n] ?? []
      for (const key of keys) await attempt(again, investor, key)
      const { body } = await ask(again, listTransactions, { token: investor.token })
      const recorded = body.filter(({ type }) => type === 'withdrawal')
      expect(recorded.map(({ description }) => description).sort()).toEqual([...keys].sort())
      expect(await balanceOf(again, investor)).toBe(1_000 - 10 * keys.length)
    }
    await again.end('SIGTERM')
    expect((await directory.command('ledgerCheck')).text).toMatch(/The ledger is whole/)
    expect((await directory.command('auditCheck')).text).toMatch(/The audit trail is whole/)
  })

  test('SIGTERM finishes and answers open requests', async () => {
    const product = await directory.start(SETTINGS)
    const investors = [await newInvestor(product, 1_000), await newInvestor(product, 1_000)]
    // Opens the connections first, so that the server accepts every request before the signal.
    await Promise.all(Array.from({ length: 30 }, () => ask(product, health)))
    const requests = investors.flatMap(({ token, userId }) =>
      Array.from({ length: 15 }, () =>
        ask(product, withdraw, { token, payload: { userId, amount: 10 } }),
      ),
    )
    await Promise.race(requests)
    const ended = product.end('SIGTERM')
    const settled = await Promise.allSettled(requests)
    expect(await ended).toBe(0)
    const done = settled.filter(
      (result) => result.status === 'fulfilled' && result.value.status === 200,
    )
    expect(done).toHaveLength(30)

    const again = await directory.start(SETTINGS)
    for (const investor of investors) expect(await balanceOf(again, investor)).toBe(850)
  })

  test('a first start without a password prints a generated one', async () => {
    const product = await directory.start({ SUPER_ADMIN_EMAIL: ADMIN.username })
    const password = await vi.waitFor(() => {
      const [, printed] = /"password":"([^"]+)"/.exec(product.output()) ?? []
      expect(printed).toBeDefined()
      return printed
    })
    expect(await signIn(product, { username: ADMIN.username, password })).toHaveProperty('token')
    await product.end('SIGTERM')
    const again = await directory.start({ SUPER_ADMIN_EMAIL: ADMIN.username })
    expect(again.output()).not.toMatch(/"password"/)
  })

  test('a wrong configuration stops the start with a message', async () => {
    await expect(directory.start({ PORT: 'many', POOL_MODE: 'live' })).rejects.toThrow(
      /PORT must be a whole number/,
    )
  })

  test('a live pool stays live without its environment', async () => {
    const { SECOND_APPROVAL_ABOVE, POOL_SECOND_APPROVAL_ABOVE, DAY_SECONDS, ...settings } = SETTINGS
    const { POOL_MODE, ...unset } = { ...settings, ...LIVE }
    const first = await directory.start({ ...unset, POOL_MODE })
    await first.end('SIGTERM')
    await expect(directory.start({ ...unset, POOL_MODE: 'sandbox' })).rejects.toThrow(
      /This pool is a live pool for good, and POOL_MODE says sandbox/,
    )
    await expect(directory.start({})).rejects.toThrow(/SMTP_URL must be set when POOL_MODE=live/)
    const again = await directory.start(unset)
    expect(again.output()).toMatch(/\(live\) is ready/)
    expect((await directory.command('reserve', 'show')).text).toMatch(/free: +\$0\.00/)
    expect(await directory.command('demo')).toMatchObject({
      code: 1,
      text: expect.stringContaining('this pool is live'),
    })
    expect((await directory.command('auditCheck')).text).toMatch(/The mode of the pool is live/)
  })

  test('takes no typed capital into a live pool', async () => {
    const { SECOND_APPROVAL_ABOVE, POOL_SECOND_APPROVAL_ABOVE, ...settings } = SETTINGS
    const live = {
      ...settings,
      ...LIVE,
      DAY_SECONDS: '86400',
    }
    const product = await directory.start(live)
    await addAddress(directory)
    const { token, userId } = await newInvestor(product, 500)
    const promise = () =>
      ask(product, invest, { token, payload: { userId, amount: 100, durationDays: 1 } })
    expect(await promise()).toMatchObject({
      status: 409,
      narration: expect.stringContaining('reserve cannot cover'),
    })
    const added = await directory.command('reserve', 'add', '4.00', '--note', 'First capital')
    expect(added).toMatchObject({ code: 1, text: expect.stringContaining('two super admins') })
    expect((await promise()).status).toBe(409)
    expect((await directory.command('ledgerCheck')).code).toBe(0)
  })
})
