import {
  listMails,
  listUndelivered,
  type Mail,
  readMail,
  resendMail as resend,
} from '@pool/contract/accounts/mails'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../base/db/ids.ts'
import { LIVE } from '../../testing/live.ts'
import { type Person, type Product, person, startProduct } from '../../testing/product.ts'
import { linkOf, tokenOf } from '../links/tokens.ts'
import { queueMails } from './outbox.ts'
import { readMailOf } from './queries.ts'
import { resendMail } from './resend.ts'

const by = { name: 'operator tests', from: 'operator' }

let product: Product
let investor: Person
let admin: Person
let superAdmin: Person
beforeAll(async () => {
  product = await startProduct()
  investor = await person(product)
  admin = await person(product, ['ADMIN'])
  superAdmin = await person(product, ['SUPER_ADMIN'])
  for (const each of [investor, admin, superAdmin]) await queueReset(product, each)
})
afterAll(() => product.close())

const queueReset = async (
  { context }: Product,
  { id, email }: Person,
  expiresAt = new Date(Date.now() + 60_000),
): Promise<string> => {
  const link = linkOf(context.keys, newId())
  await queueMails(context.db, context.config, {
    template: 'passwordReset',
    parameters: { firstName: 'Ana', link, until: expiresAt.toISOString() },
    userId: id,
    recipient: email,
    language: 'en',
    expiresAt,
  })
  return tokenOf(context.keys, link)
}
const list = async (reader: Person): Promise<readonly Mail[]> =>
  (await product.call(listMails, { token: reader.token })).body
const idOf = async (of: Person): Promise<string> =>
  (await list(superAdmin)).find(({ recipient }) => recipient === of.email)?.id ?? ''

test('an admin reads mails to investors, a super admin all', async () => {
  const recipients = async (reader: Person) => (await list(reader)).map((mail) => mail.recipient)
  expect(await recipients(admin)).toEqual([investor.email])
  expect(await recipients(superAdmin)).toEqual([superAdmin.email, admin.email, investor.email])
  const read = async (reader: Person, of: Person) =>
    product.call(readMail, { token: reader.token, params: { id: await idOf(of) } })
  for (const of of [admin, superAdmin])
    expect(await read(admin, of)).toMatchObject({ status: 404, body: { code: 'mailNotFound' } })
  for (const [reader, of] of [
    [admin, investor],
    [superAdmin, admin],
  ] as const) {
    const { status, body } = await read(reader, of)
    expect([status, body]).toMatchObject([
      200,
      { recipient: of.email, subject: 'Choose a new password', status: 'KEPT' },
    ])
    const { text, html } = body
    expect(text).toMatch(/http:\/\/localhost:3000\/reset#[\w-]{43}\n/)
    expect(html).toContain('<html lang="en">')
  }
})

test('an auditor reads every mail without its link', async () => {
  const auditor = await person(product, ['AUDITOR'])
  const secrets = [await queueReset(product, auditor), await queueReset(product, superAdmin)]
  expect(await list(auditor)).toEqual(await list(superAdmin))
  for (const { id } of await list(auditor)) {
    const { status, body } = await product.call(readMail, { token: auditor.token, params: { id } })
    expect(status).toBe(200)
    expect(body.text).toContain('http://localhost:3000/reset#hidden')
    for (const secret of secrets) expect(JSON.stringify(body)).not.toContain(secret)
  }
  expect((await list(admin)).map(({ recipient }) => recipient)).toEqual([investor.email])
})

test('live mode has no mailbox and hides tokens', async () => {
  const live = await startProduct(LIVE)
  const boss = await person(live, ['SUPER_ADMIN'])
  const token = await queueReset(live, boss)
  const { rows } = await live.database.pool.query<{ id: string }>('SELECT id FROM mails')
  const id = rows[0]?.id ?? ''
  for (const endpoint of [listMails, readMail] as const)
    expect(await live.call(endpoint, { token: boss.token, params: { id } })).toMatchObject({
      status: 404,
      body: { code: 'routeNotFound' },
    })
  const mail = await readMailOf(live.context, id)
  expect(mail?.text).toContain('https://pool.example.com/reset#hidden')
  expect(mail?.text).not.toContain(token)
  await live.close()
})

test('a mail is sent again with all its attempts', async () => {
  const sending = await startProduct({ SMTP_URL: 'smtp://localhost:1', MAIL_FROM: 'a@example.com' })
  const someone = await person(sending)
  await queueReset(sending, someone)
  await queueReset(sending, someone, new Date(Date.now() - 1_000))
  await sending.database.superuser.query("UPDATE mails SET status = 'DEAD', attempts = 20")
  const { rows } = await sending.database.pool.query<{ id: string }>(
    'SELECT id FROM mails ORDER BY id',
  )
  const [good = '', late = ''] = rows.map(({ id }) => id)
  await resendMail(sending.context, { id: good, by, seesStaff: true })
  expect(await readMailOf(sending.context, good)).toMatchObject({ status: 'WAITING', attempts: 0 })
  await expect(resendMail(sending.context, { id: late, by, seesStaff: true })).rejects.toThrow(
    /has run out/,
  )
  const entries = await sending.database.pool.query(
    "SELECT actor, owner_id, before FROM audit_entries WHERE action = 'mail.resent'",
  )
  expect(entries.rows).toEqual([
    { actor: by.name, owner_id: someone.id, before: { mail: good, status: 'DEAD' } },
  ])
  await sending.close()
})

test('a sandbox without SMTP sends nothing again', async () => {
  await expect(
    resendMail(product.context, { id: await idOf(investor), by, seesStaff: true }),
  ).rejects.toThrow(/Set SMTP_URL/)
  await expect(
    resendMail(product.context, {
      id: '00000000-0000-7000-8000-000000000000',
      by,
      seesStaff: true,
    }),
  ).rejects.toThrow('Email not found.')
})

test('staff list undelivered mails and send them again', async () => {
  const live = await startProduct(LIVE)
  const pool = live.database.superuser
  const someone = await person(live)
  const boss = await person(live, ['SUPER_ADMIN'])
  const [clerk, auditor] = [await person(live, ['ADMIN']), await person(live, ['AUDITOR'])]
  for (const each of [someone, someone, boss]) await queueReset(live, each)
  await queueReset(live, someone, new Date(Date.now() - 1_000))
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM mails ORDER BY id')
  const [deferred = '', untried = '', ofBoss = '', late = ''] = rows.map(({ id }) => id)
  await pool.query(`INSERT INTO mail_deliveries (mail_id, outcome, answer)
    SELECT id, 'refused', '550 no such mailbox' FROM mails WHERE id <> '${untried}'`)
  await pool.query(`UPDATE mails SET attempts = 3, status = CASE id WHEN '${deferred}' THEN 'WAITING'
    ELSE 'DEAD' END WHERE id <> '${untried}'`)

  const undelivered = async ({ token }: Person) =>
    (await live.call(listUndelivered, { token })).body.map(({ id }) => id)
  expect(await undelivered(boss)).toEqual([late, ofBoss, deferred])
  expect(await undelivered(auditor)).toEqual([late, ofBoss, deferred])
  expect(await undelivered(clerk)).toEqual([late, deferred])
  const { body } = await live.call(listUndelivered, { token: clerk.token })
  expect(body).toMatchObject([
    { id: late, status: 'DEAD', nextAttemptAt: null, expired: true },
    {
      id: deferred,
      recipient: someone.email,
      userId: someone.id,
      attempts: 3,
      lastAttempt: { outcome: 'refused', answer: '550 no such mailbox' },
      nextAttemptAt: expect.any(Array),
      expired: false,
    },
  ])

  const send = ({ token }: Person, id: string) => live.call(resend, { token, params: { id } })
  expect(await send(clerk, ofBoss)).toMatchObject({ status: 404, body: { code: 'mailNotFound' } })
  expect(await send(clerk, late)).toMatchObject({ status: 409, body: { code: 'mailExpired' } })
  for (const id of [ofBoss, deferred]) expect(await send(boss, id)).toMatchObject({ status: 200 })
  const read = (id: string) => readMailOf(live.context, id)
  expect(await read(ofBoss)).toMatchObject({ status: 'WAITING', attempts: 0 })
  // Its attempts name the lease of a sender that may be at it.
  expect(await read(deferred)).toMatchObject({ status: 'WAITING', attempts: 3 })
  expect(await undelivered(boss)).toEqual([late, deferred])
  await live.close()
})
