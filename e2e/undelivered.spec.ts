import { type APIRequestContext, expect, test } from '@playwright/test'
import { listUndelivered } from '@pool/contract/mails'
import { type Smtp, startSmtp } from '../server/testing/smtp.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import { SUPER_ADMIN } from './people.ts'
import { newInvestor, type Session, signedIn, startSession } from './prepare.ts'
import { chooseInMenu, looksGood, settled } from './steps.ts'

/** Staff see the mails that have not arrived, and send them again. */

let smtp: Smtp
let own: OwnProduct
let api: APIRequestContext
let admin: Session

test.beforeAll(async ({ playwright }) => {
  smtp = await startSmtp()
  own = await startOwnProduct({ SMTP_URL: smtp.url, MAIL_FROM: 'pool@example.com' })
  api = await playwright.request.newContext({ baseURL: own.url })
  admin = await startSession(SUPER_ADMIN, api)
})
test.afterAll(async () => {
  await api?.dispose()
  await own?.remove()
  await smtp?.close()
})

const undelivered = async (): Promise<readonly { recipient: string; status: string }[]> => {
  const response = await api.get(listUndelivered.path, {
    headers: { authorization: `Bearer ${admin.token}` },
  })
  return (await response.json()).body
}

for (const width of [375, 1280])
  test(`a refused mail is resent by keyboard at ${width} px`, async ({ browser }) => {
    smtp.fail({ at: 'RCPT', by: 550 })
    const { username } = await newInvestor(api)
    await expect
      .poll(undelivered)
      .toContainEqual(expect.objectContaining({ recipient: username, status: 'DEAD' }))

    const context = await signedIn(browser, admin, {
      baseURL: own.url,
      viewport: { width, height: 812 },
    })
    const page = await context.newPage()
    await page.goto('/admin')
    await settled(page)
    await chooseInMenu(page, /^Undelivered mails/)
    await expect(page).toHaveURL('/admin/mails')
    const mail = page.getByRole('listitem').filter({ hasText: username })
    await expect(mail).toContainText('Given up')
    await expect(mail).toContainText('1 attempt')
    await expect(mail).toContainText('told to fail')
    await looksGood(page, 'undelivered')

    smtp.fail()
    await mail.getByRole('button').focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(`The mail to ${username} is being sent again.`)).toBeVisible()
    await expect(mail).toHaveCount(0)
    await expect(page.getByText('Every mail was sent')).toBeVisible()
    await expect.poll(() => smtp.received.filter(({ to }) => to === username)).toHaveLength(1)
    expect(await page.evaluate(() => document.activeElement !== document.body)).toBe(true)
    await context.close()
  })
