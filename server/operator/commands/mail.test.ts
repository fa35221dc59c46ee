import { register } from '@pool/contract/accounts/users'
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest'
import { SETTINGS } from '../../testing/client.ts'
import { dataDirectory } from '../../testing/process.ts'
import { ask } from '../../testing/request.ts'
import { type Smtp, startSmtp } from '../../testing/smtp.ts'

let smtp: Smtp
let directory: ReturnType<typeof dataDirectory>
beforeEach(async () => {
  smtp = await startSmtp()
  const MAIL_FROM = 'pool@example.com'
  directory = dataDirectory(inject('preparedData'), { ...SETTINGS, SMTP_URL: smtp.url, MAIL_FROM })
})
afterEach(async () => {
  await directory.remove()
  await smtp.close()
})
const mail = (...options: string[]) => directory.command('mail', ...options)

test('the operator lists, reads and sends mails again', async () => {
  const product = await directory.start()
  expect((await mail('list')).text).toContain('There are no mails.')
  smtp.fail({ at: 'RCPT', by: 550 })
  const email = 'ada@example.com'
  const detail = { firstName: 'Ada', lastName: 'L', email }
  const payload = { username: email, password: 'a quiet password', country: 'US', detail }
  expect((await ask(product, register, { payload })).status).toBe(200)
  const id = await vi.waitFor(
    async () => {
      const { text } = await mail('list')
      const [, found] = /^(\S+) {2}\S+ {2}DEAD {2}1 attempts {2}ada@example\.com/m.exec(text) ?? []
      expect(found).toBeDefined()
      return String(found)
    },
    { timeout: 60_000 },
  )
  const shown = await mail('show', id)
  expect(shown.text).toMatch(/Subject: Confirm your email address/)
  expect(shown.text).toMatch(/refused: .*told to fail/)
  expect(shown.text).toContain('Hello Ada')

  smtp.fail()
  expect(await mail('resend', id)).toMatchObject({ code: 0 })
  await vi.waitFor(() => expect(smtp.received).toMatchObject([{ to: email }]), { timeout: 60_000 })
})

test.each([[], ['show'], ['resend', 'x'], ['list', 'more']])(
  'mail %j says how to use it',
  async (...options) => {
    const { code, text } = await mail(...options)
    expect(code).not.toBe(0)
    expect(text).toContain('npm run mail -- resend ID')
  },
)

test('an unknown mail is neither shown nor sent', async () => {
  await directory.start()
  for (const verb of ['show', 'resend']) {
    const { code, text } = await mail(verb, crypto.randomUUID())
    expect(code).not.toBe(0)
    expect(text).toMatch(/no mail|not found/i)
  }
})
