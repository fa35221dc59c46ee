import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.ts'
import { PASSWORD, type Session } from './people.ts'
import { chooseInMenu, expectAccessible, mailedLink, settled } from './steps.ts'

/** The confirmation of an email address, and its change, from the card to the sign-in. */

const cardOf = (page: Page) => page.getByRole('region', { name: 'Email address' })

let investor: Session
test.beforeEach(async ({ pool }) => {
  investor = await pool.person()
})

/** Draws the dashboard as in live mode. The server stays a sandbox. */
const asLive = (page: Page) =>
  page.route('**/dashboard', async (route) => {
    const response = await route.fetch()
    const { 'content-security-policy': _, ...headers } = response.headers()
    const body = (await response.text()).replace('"poolMode":"sandbox"', '"poolMode":"live"')
    await route.fulfill({ response, headers, body })
  })

test('an address is confirmed by keyboard', async ({ open, pool }) => {
  const page = await open(investor)
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  await page.goto('/dashboard')
  await settled(page)
  await chooseInMenu(page, /^Security/)
  const card = cardOf(page)
  await expect(card).toContainText(investor.username)
  await expect(card).toContainText('Not confirmed.')
  await expectAccessible(page, 'email-unconfirmed')
  await card.getByRole('button', { name: 'Send the email again' }).focus()
  await page.keyboard.press('Enter')
  await expect(card.getByRole('status').first()).toContainText('is on its way')
  await expectAccessible(page, 'email-sent-again')

  const link = await mailedLink(pool, investor.username, {
    subject: 'Confirm your email address',
    name: 'Confirm my email address',
  })
  await page.goto(link)
  await settled(page)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your email address')
  await expectAccessible(page, 'confirm')
  await page.getByRole('button', { name: 'Confirm' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('status')).toContainText(
    'Your email address is confirmed',
  )
  await expectAccessible(page, 'confirm-done')
  await page.goto('/security')
  await expect(card).toContainText('Confirmed. You sign in with it')
  await expect(card.getByRole('button')).toHaveText(['Change email'])
  expect(faults).toEqual([])

  await page.goto(link)
  await settled(page)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'This link was used already',
  )
  await expectAccessible(page, 'confirm-refused')
})

test('an address is changed by keyboard', async ({ open, pool }) => {
  const email = `${crypto.randomUUID()}@example.com`
  const page = await open(investor, '/security')
  const card = cardOf(page)
  await card.getByRole('button', { name: 'Change email' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change your email address' })
  await expect(dialog.getByLabel('New email address')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('Email is required')
  await page.keyboard.type(email)
  await dialog.getByLabel('Your password', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('The current password is not right.')
  await expectAccessible(page, 'email-dialog', '[role=dialog]')
  await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(card).toContainText(`An email to ${email} is on its way.`)
  await expectAccessible(page, 'email-asked')

  const link = await mailedLink(pool, email, {
    subject: 'Confirm your new email address',
    name: 'Confirm my new email address',
  })
  const other = await open(undefined, link)
  await other.getByRole('button', { name: 'Confirm' }).click()
  await expect(other).toHaveURL('/login')
  await expect(other.getByText('Your email address is changed.')).toBeVisible()
  await expect(other.getByLabel('Email')).toHaveValue(email)
  // By itself, because the stream tells it.
  await expect(page).toHaveURL('/login')
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await other.keyboard.press('Enter')
  await expect(other).toHaveURL('/dashboard')
  await other.goto('/security')
  await expect(cardOf(other)).toContainText(email)
  await expect(cardOf(other)).toContainText('Confirmed.')
})

test('live withdrawals ask for the confirmation', async ({ open, pool }) => {
  const page = await open(investor)
  await asLive(page)
  await page.goto('/dashboard')
  await settled(page)
  await page
    .getByRole('button', { name: /^Withdraw/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Please confirm your email address first.')
  await expect(dialog.getByRole('button', { name: 'Email not confirmed' })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await expectAccessible(page, 'withdraw-unconfirmed', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Send the email again' }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('status').first()).toContainText('A new email is on its way.')
  const link = await mailedLink(pool, investor.username, {
    subject: 'Confirm your email address',
    name: 'Confirm my email address',
  })
  const other = await open(undefined, link)
  await other.getByRole('button', { name: 'Confirm' }).click()
  await expect(other.getByRole('main').getByRole('status')).toContainText('is confirmed')
  // As when the tab is shown again.
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(dialog.getByText('Please confirm your email address first.')).toBeHidden()
  await expect(dialog.getByRole('button', { name: 'Initiate Withdrawal' })).toHaveAttribute(
    'aria-disabled',
    'false',
  )
})

test('a frozen account gets its old address back', async ({ open, pool }) => {
  const email = `${crypto.randomUUID()}@example.com`
  const thief = await open(investor, '/security')
  await cardOf(thief).getByRole('button', { name: 'Change email' }).click()
  const dialog = thief.getByRole('dialog')
  await dialog.getByLabel('New email address').fill(email)
  await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await thief.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await thief.goto(
    await mailedLink(pool, email, {
      subject: 'Confirm your new email address',
      name: 'Confirm my new email address',
    }),
  )
  await settled(thief)
  await thief.getByRole('button', { name: 'Confirm' }).click()
  await expect(thief).toHaveURL('/login')

  const page = await open(undefined)
  await page.goto(
    await mailedLink(pool, investor.username, {
      subject: 'Your email address was changed',
      name: 'Freeze my account',
    }),
  )
  await settled(page)
  await page.getByRole('button', { name: 'Freeze my account' }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('Your account is frozen')
  await page.goto('/login')
  await settled(page)
  await page.getByLabel('Email').fill(investor.username)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Your account is frozen' })).toBeVisible()
})

test('the page and the mail speak Spanish', async ({ open, pool }) => {
  const page = await open(undefined)
  await page.goto('/confirm?lang=es')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tu correo electrónico')
  await expect(page.getByRole('main')).toContainText(
    'Esta página se abre con el enlace de un correo.',
  )
  const own = await open(investor, '/security?lang=es')
  const card = own.getByRole('region', { name: 'Correo electrónico' })
  await card.getByRole('button', { name: 'Enviar otra vez el correo' }).click()
  await expect(card.getByRole('status').first()).toContainText('está en camino')
  const link = await mailedLink(pool, investor.username, {
    subject: 'Confirma tu correo electrónico',
    name: 'Confirmar mi correo electrónico',
  })
  expect(link).toContain('/confirm#')
})
