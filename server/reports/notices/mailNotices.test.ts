import { markCompleted, markSent } from '@pool/contract/coins/sending'
import { invest } from '@pool/contract/money/investments'
import { mailedKinds, saveNoticePreferences } from '@pool/contract/reports/notices'
import { approve, confirm, reject, rejectDeposit } from '@pool/contract/requests/decisions'
import { cancel, deposit, withdraw } from '@pool/contract/requests/requests'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { sendMails } from '../../accounts/mail/send.ts'
import { openTransport } from '../../accounts/mail/transport.ts'
import { openLog } from '../../base/process/log.ts'
import { payMaturities } from '../../money/investments/payMaturities.ts'
import { startJobs } from '../../operator/jobs/jobs.ts'
import { record } from '../../records/audit/record.ts'
import {
  balanceOf,
  investorWith,
  type Person,
  type Product,
  person,
  startProduct,
  wallets,
} from '../../testing/product.ts'
import { type Smtp, startSmtp } from '../../testing/smtp.ts'
import { tamper } from '../../testing/tamper.ts'
import { mailNotices } from './mailNotices.ts'

/** One approver decides about all amounts here. */
const ALONE = { SECOND_APPROVAL_ABOVE: '10000000', POOL_SECOND_APPROVAL_ABOVE: '1000000000' }
const FROM = 'pool@example.com'

let smtp: Smtp
let product: Product
let admin: Person
let investor: Person
beforeAll(async () => {
  smtp = await startSmtp()
  product = await startProduct({ SMTP_URL: smtp.url, MAIL_FROM: FROM, DAY_SECONDS: '1', ...ALONE })
  admin = await person(product, ['ADMIN'])
})
afterAll(async () => {
  await product.close()
  await smtp.close()
})
beforeEach(async () => {
  investor = await investorWith(product, 1_000)
  await settled()
  await product.database.superuser.query('DELETE FROM mails')
})
afterEach(() => smtp.fail())

/** The mark's age in seconds, with the database's clock. */
const markAge = async (): Promise<number> => {
  const { rows } = await product.database.pool.query(
    'SELECT extract(epoch FROM clock_timestamp() - until)::float AS age FROM notice_mailing',
  )
  return rows[0].age
}
const mailNow = () => mailNotices(product.context, '1 millisecond')
/** Mails everything so far. A transaction under way delays the mark. */
const settled = async (): Promise<number> => {
  const start = performance.now()
  let queued = 0
  do queued += await mailNow()
  while ((await markAge()) * 1_000 > performance.now() - start)
  return queued
}
/** Lets the running investments mature. */
const letMature = () =>
  tamper(product.database, "UPDATE investments SET matures_at = now() WHERE status = 'ACTIVE'")
type QueuedNotice = {
  kind: string
  balance: number
  amount: number
  recipient: string
  status: string
}
const mails = async (): Promise<QueuedNotice[]> => {
  const { rows } = await product.database.pool.query(
    `SELECT parameters ->> 'kind' AS kind, (parameters -> 'balance')::float AS balance,
       (parameters -> 'amount')::float AS amount, recipient, status
     FROM mails WHERE template = 'moneyNotice' ORDER BY parameters ->> 'at', id`,
  )
  return rows
}
const ask = async (endpoint: typeof deposit | typeof withdraw | typeof invest, amount: number) => {
  const payload = { userId: investor.id, amount, ...(endpoint === invest && { durationDays: 1 }) }
  const { status, body } = await product.call(endpoint, { token: investor.token, payload })
  expect(status).toBe(200)
  return (body as { transactionId: string }).transactionId
}
const approveIt = (transactionId: string) =>
  product.call(approve, {
    token: admin.token,
    payload: { transactionId, userId: investor.id },
  })
const matured = async () => (await payMaturities(product.context)).matured
const choose = (...kinds: readonly string[]) =>
  product.call(saveNoticePreferences, {
    token: investor.token,
    payload: { mails: Object.fromEntries(mailedKinds.map((kind) => [kind, kinds.includes(kind)])) },
  })

test('the chosen notices are mailed with the balance after', async () => {
  const first = await ask(withdraw, 100)
  await approveIt(first)
  expect(await settled()).toBe(1)
  expect(await mails()).toEqual([
    {
      kind: 'withdrawal.approved',
      balance: 900,
      amount: 100,
      recipient: investor.email,
      status: 'WAITING',
    },
  ])
  await choose('withdrawal.asked', 'investment.opened')
  await ask(invest, 200)
  await approveIt(await ask(withdraw, 50))
  expect(await settled()).toBe(2)
  expect((await mails()).slice(1)).toMatchObject([
    { kind: 'investment.opened', balance: 700, amount: 200 },
    { kind: 'withdrawal.asked', balance: 650, amount: 50 },
  ])
  await choose()
  await approveIt(await ask(withdraw, 50))
  expect(await settled()).toBe(0)
})

test('a job that stops before its mark sends nothing twice', async () => {
  const { superuser } = product.database
  await approveIt(await ask(withdraw, 100))
  await superuser.query('ALTER TABLE notice_mailing ADD CONSTRAINT stopped CHECK (false) NOT VALID')
  await expect(settled()).rejects.toThrow(/stopped/)
  expect(await mails()).toEqual([])
  await superuser.query('ALTER TABLE notice_mailing DROP CONSTRAINT stopped')
  expect(await settled()).toBe(1)
  // A mark that was restored from a backup is caught by the outbox.
  await superuser.query("UPDATE notice_mailing SET until = until - interval '1 hour'")
  await settled()
  const kinds = (await mails()).filter(({ recipient }) => recipient === investor.email)
  expect(kinds.map(({ kind }) => kind).sort()).toEqual(['deposit.confirmed', 'withdrawal.approved'])
})

test('the newest second is left to the next round', async () => {
  const { superuser } = product.database
  await superuser.query("UPDATE notice_mailing SET until = until - interval '1 minute'")
  await mailNotices(product.context)
  expect(await markAge()).toBeGreaterThanOrEqual(1)
})

test('two jobs at once mail each notice once', async () => {
  for (let n = 0; n < 10; n += 1) await approveIt(await ask(withdraw, 10))
  const queued = await Promise.all(Array.from({ length: 4 }, settled))
  expect(queued.reduce((sum, each) => sum + each, 0)).toBe(10)
  expect((await mails()).map(({ balance }) => balance)).toEqual(
    Array.from({ length: 10 }, (_, n) => 990 - 10 * n),
  )
})

test('an act that commits late is mailed all the same', async () => {
  const { db, keys } = product.context
  const transactionId = await ask(withdraw, 100)
  await db.transaction().execute(async (transaction) => {
    await sql`SELECT 1`.execute(transaction)
    await approveIt(await ask(withdraw, 50))
    expect(await mailNow()).toBe(0)
    await record(transaction, keys, {
      by: { name: 'tests', from: 'tests' },
      action: 'withdrawal.sent',
      subject: { type: 'transaction', id: transactionId },
      ownerId: investor.id,
    })
  })
  await settled()
  expect((await mails()).map(({ kind }) => kind)).toEqual([
    'withdrawal.sent',
    'withdrawal.approved',
  ])
})

test('the job queues mails in its own turn', async () => {
  const jobs = await startJobs(product.context, product.database, openLog('silent'))
  try {
    await approveIt(await ask(withdraw, 100))
    const mailedByJob = async () => {
      await sql`SELECT graphile_worker.add_job('notices', queue_name => 'notices', job_key => 'notices')`.execute(
        product.context.db,
      )
      return mails()
    }
    await expect
      .poll(mailedByJob)
      .toMatchObject([{ kind: 'withdrawal.approved', balance: 900, recipient: investor.email }])
  } finally {
    await jobs.stop()
  }
})

test('a mail server that is down delays a notice', async () => {
  const log = openLog('silent')
  const transport = openTransport({ ...product.context.config, smtpUrl: smtp.url, from: FROM })
  const send = () => sendMails(product.context, transport, { log })
  await approveIt(await ask(withdraw, 100))
  await settled()
  smtp.fail({ at: 'DATA', by: 450 })
  expect(await send()).toBe(0)
  smtp.fail()
  await settled()
  await product.database.superuser.query('UPDATE mails SET next_attempt_at = now()')
  expect(await send()).toBe(1)
  expect(await send()).toBe(0)
  expect(smtp.received.filter(({ to }) => to === investor.email)).toHaveLength(1)
})

test('every mail has the balance of its moment', async () => {
  await choose(...mailedKinds)
  await wallets(product, 1)
  // Investments of the tests before.
  await letMature()
  await matured()
  const expected: (readonly [string, unknown])[] = []
  const happened = async (kind: string) =>
    expected.push([kind, await balanceOf(product, investor)] as const)
  const params = (id: string) => ({ token: admin.token, params: { id } })
  const acts: readonly ((amount: number) => Promise<void>)[] = [
    async (amount) => {
      const transactionId = await ask(deposit, amount)
      await happened('deposit.asked')
      await product.call(confirm, {
        token: admin.token,
        payload: { transactionId, receivedAmount: (Math.round(amount * 100) + 150) / 100 },
      })
      await happened('deposit.confirmed')
    },
    async (amount) => {
      const id = await ask(deposit, amount)
      await happened('deposit.asked')
      await product.call(rejectDeposit, { ...params(id), payload: { reason: 'No' } })
      await happened('deposit.rejected')
    },
    async (amount) => {
      const id = await ask(withdraw, amount)
      await happened('withdrawal.asked')
      await approveIt(id)
      await happened('withdrawal.approved')
      const payload = { networkName: 'Bitcoin', evidence: 'cd'.repeat(32) }
      await product.call(markSent, { ...params(id), payload })
      await happened('withdrawal.sent')
      await product.call(markCompleted, params(id))
      await happened('withdrawal.completed')
    },
    async (amount) => {
      const id = await ask(withdraw, amount)
      await happened('withdrawal.asked')
      await product.call(reject, { ...params(id), payload: { reason: 'No' } })
      await happened('withdrawal.rejected')
    },
    async (amount) => {
      const id = await ask(withdraw, amount)
      await happened('withdrawal.asked')
      await product.call(cancel, { token: investor.token, params: { id }, payload: {} })
    },
    async (amount) => {
      await ask(invest, amount)
      await happened('investment.opened')
      await letMature()
      expect(await matured()).toBe(1)
      await happened('investment.matured')
    },
  ]
  for (let round = 0; round < 24; round += 1) {
    const amount = (1_000 + Math.floor(Math.random() * 2_000)) / 100
    await acts[Math.floor(Math.random() * acts.length)]?.(amount)
    // Some of the notices are mailed while money goes on moving.
    if (round === 12) await settled()
  }
  await settled()
  expect((await mails()).map(({ kind, balance }) => [kind, balance])).toEqual(expected)
})
