import { expect } from '@playwright/test'
import { askEmailLink } from '@pool/contract/accounts/emails'
import { listUndelivered } from '@pool/contract/accounts/mails'
import { type Smtp, startSmtp } from '../server/testing/smtp.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import { expectAccessible, openPage } from './steps.ts'

/** Staff see the mails that have not arrived, and send them again. */

let smtp: Smtp
let own: OwnProduct

test.beforeAll(async () => {
  smtp = await startSmtp()
  own = await startOwnProduct({ SMTP_URL: smtp.url, MAIL_FROM: 'pool@example.com' })
})
test.afterAll(async () => {
  await own?.remove()
  await smtp?.close()
})

test('a refused mail is resent by keyboard', async ({ open }) => {
  smtp.fail({ at: 'RCPT', by: 550 })
  const admin = await own.superAdmin()
  const investor = await own.person()
  const { username } = investor
  await own.call(askEmailLink, investor, {})
  await expect
    .poll(() => own.call(listUndelivered, admin))
    .toContainEqual(expect.objectContaining({ recipient: username, status: 'DEAD' }))

  const page = await open(admin, '/admin', { at: own })
  await openPage(page, /^Undelivered emails/)
  await expect(page).toHaveURL('/admin/mails')
  const mail = page.getByRole('listitem').filter({ hasText: username })
  await expect(mail).toContainText('Failed')
  await expect(mail).toContainText('1 attempt')
  await expect(mail).toContainText('told to fail')
  await expectAccessible(page, 'undelivered')

  smtp.fail()
  await mail.getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`The email to ${username} is being sent again.`)).toBeVisible()
  await expect(mail).toHaveCount(0)
  await expect(page.getByText('Every email was sent')).toBeVisible()
  await expect.poll(() => smtp.received.filter(({ to }) => to === username)).toHaveLength(1)
  expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
})
