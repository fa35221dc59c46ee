import { expect, type Page } from '@playwright/test'
import { forgotPassword, login, register, resetPassword } from '@pool/contract/accounts/users'
import type { Endpoint } from '@pool/contract/base/endpoint'
import { test } from './fixtures.ts'
import { PASSWORD, type Session } from './people.ts'
import { expectAccessible, mailedLink, openPage, settled, signIn } from './steps.ts'
import { PHONE } from './widths.ts'

/** A forgotten password, from the link on the sign-in page to the rest of withdrawals. */

const NEW = 'a much quieter password'

/** Asks by keyboard, from the sign-in page. */
const forget = async (page: Page, email: string) => {
  await page.goto('/login')
  await settled(page)
  await page.getByRole('link', { name: 'Forgot your password?' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/forgot')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reset your password')
  await page.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('status')).toContainText(
    'If there is an account with this email, a link is on its way.',
  )
}

let investor: Session
let staff: Session
test.beforeEach(async ({ pool }) => {
  investor = await pool.person()
  staff = await pool.superAdmin()
})

test('a forgotten password is replaced and withdrawals rest', async ({ open, pool }) => {
  const elsewhere = await open(investor, '/dashboard', { viewport: PHONE })

  const page = await open(undefined)
  await forget(page, investor.username)
  await expect(page.getByRole('main').getByRole('status')).toBeFocused()
  await expectAccessible(page, 'forgot-asked')
  const link = await mailedLink(pool, investor.username, {
    subject: 'Choose a new password',
  })

  await page.goto(link)
  await settled(page)
  await expectAccessible(page, 'reset')
  const fill = async (chosen: string, confirmed = chosen) => {
    await page.getByLabel('New password', { exact: true }).fill(chosen)
    await page.getByLabel('Confirm new password').fill(confirmed)
    await page.keyboard.press('Enter')
  }
  await fill(NEW, 'something else')
  await expect(page.getByText('Passwords must match')).toBeVisible()
  await fill('Grace Hopper')
  await expect(page.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
    /too easy to guess/,
  )
  await fill(NEW)
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your new password is saved. Please sign in with it.')).toBeVisible()
  // By itself, because the stream tells it.
  await expect(elsewhere).toHaveURL('/login')
  await signIn(elsewhere, { email: investor.username, password: NEW })

  await elsewhere
    .getByRole('button', { name: /^Withdraw/ })
    .first()
    .click()
  const dialog = elsewhere.getByRole('dialog')
  await expect(dialog.getByRole('timer')).toHaveText(/^23 h 59 min \d+ s left$/)
  await expect(dialog).toContainText('you can request withdrawals again from')
  await expect(dialog.getByRole('button', { name: 'Withdrawals are on hold' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  const shown = await dialog.getByRole('timer').textContent()
  await expect(dialog.getByRole('timer')).not.toHaveText(shown ?? '')
  await expectAccessible(elsewhere, 'withdrawals-rest', '[role=dialog]')

  await page.goto(link)
  await settled(page)
  await fill('yet another quiet password')
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'This link was used already',
  )
  await expectAccessible(page, 'reset-refused')
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await expect(page).toHaveURL('/forgot')
})

test('a reset in a signed-in browser ends its session', async ({ open, pool }) => {
  const page = await open(undefined)
  await forget(page, investor.username)
  const link = await mailedLink(pool, investor.username, {
    subject: 'Choose a new password',
  })
  const own = await open(investor, link)
  await own.getByLabel('New password', { exact: true }).fill(NEW)
  await own.getByLabel('Confirm new password').fill(NEW)
  await own.keyboard.press('Enter')
  await expect(own).toHaveURL('/login')
  await expect(own.getByText('Your new password is saved. Please sign in with it.')).toBeVisible()
  expect(await own.evaluate(() => localStorage.getItem('token'))).toBeNull()
})

test('an unknown email gets the same answer', async ({ open }) => {
  const page = await open(undefined)
  await forget(page, 'nobody@example.com')
})

test('a cut link goes on by its code', async ({ open, pool }) => {
  const page = await open(undefined)
  await forget(page, investor.username)
  const link = await mailedLink(pool, investor.username, { subject: 'Choose a new password' })
  const [path = '', code = ''] = link.split('#')
  // A gateway dropped all from the number sign on.
  await page.goto(path)
  const field = page.getByLabel('Code from the email')
  await field.fill(code.slice(1))
  await page.keyboard.press('Enter')
  await expect(page.getByText('This code is incomplete.')).toBeVisible()
  await expectAccessible(page, 'reset-code')
  await field.fill(` ${code}\n`)
  await page.keyboard.press('Enter')
  await page.getByLabel('New password', { exact: true }).fill(NEW)
  await page.getByLabel('Confirm new password').fill(NEW)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Your new password is saved. Please sign in with it.')).toBeVisible()
  // The other pages ask for it, too, and take the whole link.
  await page.goto('/freeze')
  await field.fill(`https://pool.example.com/freeze#${code}`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Freeze my account' })).toBeVisible()
})

test('the mailbox is read by keyboard', async ({ open }) => {
  const page = await open(undefined)
  for (let n = 0; n < 2; n += 1) await forget(page, investor.username)
  const faults: string[] = []
  const mailbox = await open(staff)
  mailbox.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  await mailbox.goto('/admin')
  await settled(mailbox)
  await openPage(mailbox, /^Mailbox/)
  await expect(mailbox).toHaveURL('/mailbox')
  const list = mailbox.getByRole('navigation', { name: 'All emails' })
  // Other tests write mails meanwhile, so the rows move.
  const newest = list.getByRole('link').filter({ hasText: investor.username }).first()
  await expect(newest).toBeVisible()
  await expectAccessible(mailbox, 'mailbox')
  await newest.focus()
  await mailbox.keyboard.press('ArrowDown')
  await expect(newest).not.toBeFocused()
  await expect(list.locator('a:focus')).toHaveCount(1)
  await mailbox.keyboard.press('ArrowUp')
  await expect(newest).toBeFocused()
  await mailbox.keyboard.press('Enter')
  const article = mailbox.getByRole('article')
  await expect(article.getByRole('heading')).toHaveText('Choose a new password')
  await expect(mailbox.frameLocator('iframe').getByText('The link works once')).toBeVisible()
  await article.getByText('Plain text').click()
  await expect(article.locator('pre')).toContainText('/reset#')
  await expectAccessible(mailbox, 'mailbox-read')
  expect(await mailbox.locator('iframe').getAttribute('sandbox')).not.toContain('scripts')
  await mailbox.setViewportSize(PHONE)
  await expect(list).toBeHidden()
  await mailbox.getByRole('link', { name: 'All emails' }).click()
  await expect(list).toBeVisible()
  expect(faults).toEqual([])
})

test('the pages speak Spanish, and so does the mail', async ({ open }) => {
  const page = await open(undefined, '/forgot?lang=es')
  await page.getByLabel('Correo electrónico').fill(investor.username)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('status')).toContainText('Revisa tu correo')
  const mailbox = await open(staff, '/mailbox?lang=es')
  const line = mailbox.getByRole('link').filter({ hasText: investor.username }).first()
  await expect(line).toContainText('Elige una contraseña nueva')
  await line.click()
  await expect(mailbox.frameLocator('iframe').getByText('El enlace funciona una vez')).toBeVisible()
})

/** The prerendered forms, with their fields, their button and what a sent form leads to. */
const early: readonly {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  readonly button: string
  readonly call: Endpoint
}[] = [
  {
    path: '/login',
    fields: { Email: 'early@example.com', Password: PASSWORD },
    button: 'Sign in',
    call: login,
  },
  {
    path: '/register',
    fields: {
      'First name': 'Ada',
      'Last name': 'Lovelace',
      Email: 'early@example.com',
      Password: NEW,
      'Confirm password': NEW,
    },
    button: 'Create Account',
    call: register,
  },
  {
    path: '/forgot',
    fields: { Email: 'early@example.com' },
    button: 'Send the link',
    call: forgotPassword,
  },
  {
    path: `/reset#${'A'.repeat(43)}`,
    fields: { 'New password': NEW, 'Confirm new password': NEW },
    button: 'Save the new password',
    call: resetPassword,
  },
]

for (const { path, fields, button, call } of early)
  test(`${path.slice(0, 9)} keeps what was typed before its scripts ran`, async ({ open }) => {
    const page = await open(undefined)
    const { promise: scripts, resolve: letRun } = Promise.withResolvers<void>()
    await page.route('**/*.js', async (route) => {
      await scripts
      await route.continue()
    })
    const sent: string[] = []
    await page.route(`**${call.path}*`, (route) => {
      sent.push(route.request().postData() ?? '')
      return route.fulfill({ status: 409, json: { successful: false, narration: 'Not today' } })
    })
    await page.goto(path, { waitUntil: 'commit' })
    for (const [label, typed] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(typed)
    const submit = page.getByRole('button', { name: button, exact: true })
    await submit.click()
    await expect(page).toHaveURL(path)
    expect(sent).toEqual([])
    letRun()
    await page.waitForLoadState()
    // The button does nothing before React runs.
    await expect(async () => {
      await submit.click()
      await expect(page.getByText('Not today')).toBeVisible({ timeout: 1_000 })
    }).toPass()
    for (const [label, typed] of Object.entries(fields)) {
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(typed)
      expect(sent[0]).toContain(typed)
    }
  })
