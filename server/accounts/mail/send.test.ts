import type { MailTemplate } from '@pool/contract/accounts/mails'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { openLog } from '../../base/process/log.ts'
import { startJobs } from '../../operator/jobs/jobs.ts'
import { type Person, type Product, person, startProduct } from '../../testing/product.ts'
import { type Smtp, startSmtp } from '../../testing/smtp.ts'
import { linkOf, tokenOf } from '../links/tokens.ts'
import { claimMail, forgetOldMails, pauseAfter, queueMails, settleMail } from './outbox.ts'
import { sendMails } from './send.ts'
import { openTransport, SMTP_TIMEOUTS, type SmtpTimeouts, type Transport } from './transport.ts'

const log = openLog('silent')
/** Short, for a server that stalls. */
const IMPATIENT: SmtpTimeouts = { connect: 5_000, silence: 500, whole: 5_000 }
const FROM = 'pool@example.com'

let smtp: Smtp
let product: Product
let someone: Person
let transport: Transport
beforeAll(async () => {
  smtp = await startSmtp()
  product = await startProduct({ SMTP_URL: smtp.url, MAIL_FROM: FROM })
  someone = await person(product)
  transport = open()
})
afterAll(async () => {
  await product.close()
  await smtp.close()
})
beforeEach(() => {
  smtp.fail()
  ;(smtp.received as unknown[]).length = 0
})
afterEach(() => product.database.superuser.query('DELETE FROM mails'))

const open = (smtpUrl = smtp.url, timeouts = SMTP_TIMEOUTS) =>
  openTransport({ ...product.context.config, smtpUrl, from: FROM }, timeouts)
const at = '2026-01-31T12:00:00.000Z'
const queue = (recipient = someone.email, expiresAt?: Date) =>
  queueMails(product.context.db, product.context.config, {
    template: 'passwordChanged',
    parameters: { firstName: 'Ana', at, restsUntil: null },
    userId: someone.id,
    recipient,
    language: 'en',
    ...(expiresAt && { expiresAt }),
  })
const send = (by = transport) => sendMails(product.context, by, { log })
const letTimePass = () =>
  product.database.superuser.query('UPDATE mails SET next_attempt_at = now()')
type MailState = {
  id: string
  status: string
  attempts: number
  seconds: number
  answers: string[]
}
const mails = async (): Promise<MailState[]> =>
  (
    await product.database.pool.query(
      `SELECT id, status, attempts, round(extract(epoch FROM next_attempt_at - now()))::int AS seconds,
         ARRAY(SELECT outcome || ' ' || answer FROM mail_deliveries AS d WHERE d.mail_id = m.id ORDER BY d.id) AS answers
       FROM mails AS m ORDER BY id`,
    )
  ).rows

describe('a mail', () => {
  test('is delivered once with its own Message-ID', async () => {
    await queue()
    expect(await send()).toBe(1)
    expect(await send()).toBe(0)
    const [mail] = await mails()
    expect(mail).toMatchObject({ status: 'SENT', attempts: 1 })
    expect(smtp.received).toMatchObject([
      { to: someone.email, messageId: `<${mail?.id}@example.com>` },
    ])
    expect(smtp.received[0]?.raw).toMatch(/^From: Peer Lending Pool <pool@example\.com>\r$/m)
    expect(smtp.received[0]?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  })

  test('of a rolled back transaction is never sent', async () => {
    const undone = product.context.db.transaction().execute(async (transaction) => {
      await queueMails(transaction, product.context.config, {
        template: 'passwordChanged',
        parameters: { firstName: 'Ana', at, restsUntil: null },
        userId: someone.id,
        recipient: someone.email,
        language: 'en',
      })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await send()).toBe(0)
  })

  test('is one of a hundred that two nodes send once', async () => {
    for (let n = 0; n < 100; n += 1) await queue(`${n}@example.com`)
    const sent = await Promise.all([send(), send(open())])
    expect(sent[0] + sent[1]).toBe(100)
    expect(Math.min(...sent)).toBeGreaterThan(0)
    expect(new Set(smtp.received.map(({ to }) => to)).size).toBe(100)
    expect(smtp.received).toHaveLength(100)
  })

  test('is claimed again after its sender died', async () => {
    await queue()
    const first = await claimMail(product.context.db)
    expect(await claimMail(product.context.db)).toBeUndefined()
    expect((await mails())[0]?.seconds).toBe(300)
    await letTimePass()
    expect(await send()).toBe(1)
    // The first sender was only slow. Its late failure does not undo the success.
    if (first) await settleMail(product.context.db, first, { outcome: 'deferred', answer: 'late' })
    expect(await mails()).toMatchObject([{ status: 'SENT', attempts: 2 }])
  })

  test('is sent once whatever its server answers', async () => {
    await queue()
    const answers: Transport = async () => ({
      outcome: 'accepted',
      answer: '250 taken\u0000\r\n\u0007over',
      reached: true,
    })
    expect(await send(answers)).toBe(1)
    expect(await mails()).toMatchObject([{ status: 'SENT', answers: ['accepted 250 taken over'] }])
  })

  test('that cannot be written is given up', async () => {
    await queue()
    await product.database.superuser.query("UPDATE mails SET parameters = '{}'")
    expect(await send()).toBe(0)
    expect(await mails()).toMatchObject([
      { status: 'DEAD', answers: [expect.stringContaining('refused It could not be written')] },
    ])
  })

  test('whose link ran out is given up unsent', async () => {
    await queue(someone.email, new Date(Date.now() - 1_000))
    expect(await send()).toBe(0)
    expect(smtp.received).toEqual([])
    expect(await mails()).toMatchObject([{ status: 'DEAD' }])
  })
})

describe('a mail server', () => {
  test.each(['RCPT', 'DATA'] as const)('that refuses at %s makes a dead letter', async (step) => {
    smtp.fail({ at: step, by: 550 })
    await queue()
    expect(await send()).toBe(0)
    expect(await mails()).toMatchObject([
      {
        status: 'DEAD',
        attempts: 1,
        answers: [expect.stringMatching(/^refused 550 .*told to fail/)],
      },
    ])
  })

  test.each(['RCPT', 'DATA'] as const)('that is busy at %s gets it later', async (step) => {
    smtp.fail({ at: step, by: 451 })
    await queue()
    expect(await send()).toBe(0)
    expect(await mails()).toMatchObject([
      {
        status: 'WAITING',
        attempts: 1,
        seconds: 60,
        answers: [expect.stringMatching(/^deferred 451/)],
      },
    ])
    smtp.fail()
    expect(await send()).toBe(0)
    await letTimePass()
    expect(await send()).toBe(1)
  })

  test.each(['stall', 'drop'] as const)('that does a %s after DATA gets a copy', async (by) => {
    smtp.fail({ at: 'DATA', by })
    await queue()
    expect(await send(open(smtp.url, IMPATIENT))).toBe(0)
    const [waiting] = await mails()
    expect(waiting).toMatchObject({ status: 'WAITING', attempts: 1, seconds: 60 })
    smtp.fail()
    await letTimePass()
    expect(await send()).toBe(1)
    expect(smtp.received.map(({ messageId }) => messageId)).toEqual([
      `<${waiting?.id}@example.com>`,
    ])
  })

  test('that refuses one recipient still gets the others', async () => {
    smtp.fail({ at: 'RCPT', by: 550 }, '3@example.com')
    for (let n = 0; n < 12; n += 1) await queue(`${n}@example.com`)
    expect(await send()).toBe(11)
    expect((await mails()).filter(({ status }) => status === 'DEAD')).toHaveLength(1)
  })

  test('that is down loses nothing and costs few attempts', async () => {
    const down = await startSmtp()
    const elsewhere = open(down.url)
    await down.close()
    for (let n = 0; n < 12; n += 1) await queue(`${n}@example.com`)
    for (let minute = 0; minute < 3; minute += 1) expect(await send(elsewhere)).toBe(0)
    const tried = (await mails()).reduce((sum, { attempts }) => sum + attempts, 0)
    expect(tried).toBeLessThanOrEqual(15)
    const back = await startSmtp(down.port)
    await letTimePass()
    expect(await send(elsewhere)).toBe(12)
    expect(new Set(back.received.map(({ messageId }) => messageId)).size).toBe(12)
    expect(back.received).toHaveLength(12)
    await back.close()
  })
})

test('pauses grow and attempts end after three days', () => {
  const pauses = Array.from({ length: 25 }, (_, n) => pauseAfter(n + 1))
  expect(pauses.slice(0, 4)).toEqual([60, 120, 240, 480])
  const given = pauses.filter((pause) => pause !== undefined)
  expect(given).toHaveLength(19)
  const days = given.reduce((sum, pause) => sum + pause, 0) / 86_400
  expect(days).toBeGreaterThan(2.5)
  expect(days).toBeLessThan(3.5)
})

test('the last failed attempt makes a dead letter', async () => {
  smtp.fail({ at: 'DATA', by: 451 })
  await queue()
  await product.database.superuser.query('UPDATE mails SET attempts = 19')
  await send()
  expect(await mails()).toMatchObject([{ status: 'DEAD', attempts: 20 }])
})

test('the outbox and the log never hold a token', async () => {
  const link = linkOf(product.context.keys, newId())
  const token = tokenOf(product.context.keys, link)
  await queueMails(product.context.db, product.context.config, {
    template: 'passwordReset' satisfies MailTemplate,
    parameters: { firstName: 'Ana', link, until: at },
    userId: someone.id,
    recipient: someone.email,
    language: 'es',
  })
  await send()
  const raw = smtp.received[0]?.raw.replaceAll(/=\r\n/g, '') ?? ''
  expect(raw).toContain(`http://localhost:3000/reset#${token}`)
  const { rows } = await product.database.superuser.query(
    'SELECT m::text || d::text AS text FROM mails AS m JOIN mail_deliveries AS d ON d.mail_id = m.id',
  )
  expect(rows).toHaveLength(1)
  expect(rows[0].text).not.toContain(token)
  expect(rows[0].text).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
})

test('a sandbox without SMTP keeps its mails', async () => {
  await queueMails(
    product.context.db,
    { mail: undefined },
    {
      template: 'passwordChanged',
      parameters: { firstName: 'Ana', at, restsUntil: null },
      userId: someone.id,
      recipient: someone.email,
      language: 'en',
    },
  )
  expect(await send()).toBe(0)
  expect(await mails()).toMatchObject([{ status: 'KEPT', attempts: 0 }])
})

test('a claim takes one mail whatever the plan', async () => {
  for (let n = 0; n < 3; n += 1) await queue()
  const claimed = await product.context.db.transaction().execute(async (transaction) => {
    // An inner query that may run for each row does.
    for (const way of ['hashjoin', 'mergejoin', 'hashagg', 'sort', 'material', 'memoize'])
      await sql`SELECT set_config(${`enable_${way}`}, 'off', true)`.execute(transaction)
    return claimMail(transaction)
  })
  expect(claimed).toMatchObject({ attempt: 1 })
  expect((await mails()).filter(({ attempts }) => attempts > 0)).toHaveLength(1)
})

test('old mails are forgotten unless they wait', async () => {
  for (let n = 0; n < 3; n += 1) await queue(`${n}@example.com`)
  await send()
  await queue('waiting@example.com')
  expect(await forgetOldMails(product.context.db)).toBe(0)
  await product.database.superuser.query("UPDATE mails SET created_at = now() - interval '91 days'")
  expect(await forgetOldMails(product.context.db)).toBe(3)
  expect(await mails()).toMatchObject([{ status: 'WAITING' }])
})

test('the job sends a mail at once', async () => {
  const jobs = await startJobs(product.context, product.database, log)
  try {
    await queue()
    const isSent = async () => expect(await mails()).toMatchObject([{ status: 'SENT' }])
    await vi.waitFor(isSent, { timeout: 60_000 })
    expect(smtp.received).toHaveLength(1)
  } finally {
    await jobs.stop()
  }
})
