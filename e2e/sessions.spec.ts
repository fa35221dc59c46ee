import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.ts'
import { PASSWORD } from './people.ts'
import { busyInvestor } from './prepare.ts'
import {
  chooseInMenu,
  expectAccessible,
  mailedLink,
  rows,
  settled,
  signIn,
  withoutChanges,
} from './steps.ts'

/** The sessions of an account, and its freeze from the mail to the new password. */

const NEW = 'a much quieter password'

const cardOf = (page: Page) => page.getByRole('region', { name: 'Where you are signed in' })

test('sessions are listed and ended by keyboard', async ({ open, pool }) => {
  const here = await pool.person()
  const faults: string[] = []
  const page = await open(here)
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  await page.goto('/dashboard')
  await settled(page)
  await chooseInMenu(page, /^Security/)
  const card = cardOf(page)
  await expect(card.getByRole('listitem')).toHaveCount(1)
  await expect(card.getByRole('listitem')).toContainText('This device')
  await expect(card.getByRole('button')).toHaveCount(0)

  const others: Page[] = []
  for (let n = 0; n < 3; n += 1) {
    const other = await open(undefined)
    await signIn(other, { email: here.username, password: PASSWORD })
    await settled(other)
    others.push(other)
  }
  // By itself, because the stream tells it.
  await expect(card.getByRole('listitem')).toHaveCount(4)
  await expect(card.getByRole('listitem').nth(1)).toContainText('Chrome on Linux')
  await expect(card.getByRole('listitem').nth(1)).toContainText(/IP address [\d.:]+/)
  await expectAccessible(page, 'sessions')

  const end = card.getByRole('button', { name: 'Sign out Chrome on Linux' })
  await end.first().focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('The device is signed out.')).toBeVisible()
  await expect(card.getByRole('listitem')).toHaveCount(3)
  await expect(card.getByRole('list')).toBeFocused()
  await card.getByRole('button', { name: 'Sign out all others' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('All other devices are signed out.')).toBeVisible()
  await expect(card.getByRole('listitem')).toHaveCount(1)
  for (const other of others) {
    await expect(other).toHaveURL('/login')
  }
  await page.reload()
  await settled(page)
  await expect(page).toHaveURL('/security')
  expect(faults).toEqual([])
})

test('the security page says when sessions do not load', async ({ open, pool }) => {
  const page = await open(await pool.person())
  // A change would load the list before the click.
  await withoutChanges(page)
  await page.route('**/api/v1/user/sessions', (route) => route.abort())
  await page.goto('/security')
  const card = cardOf(page)
  await expect(card.getByRole('alert')).toBeVisible()
  await page.unroute('**/api/v1/user/sessions')
  await card.getByRole('button', { name: 'Retry' }).click()
  await expect(card.getByRole('listitem')).toHaveCount(1)
})

test.describe('a freeze', () => {
  test('is begun and lifted by mail', async ({ open, pool }) => {
    const owner = await busyInvestor(pool)
    // Another device than the account's first is mailed about.
    await pool.signIn(owner.username)
    const thief = await open(undefined)
    await signIn(thief, { email: owner.username, password: PASSWORD })
    await settled(thief)

    const link = await mailedLink(pool, owner.username, {
      subject: 'A sign-in from a new device',
      name: 'Freeze my account',
    })
    const page = await open(owner, link)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Freeze your account')
    await expectAccessible(page, 'freeze')
    // Opening the link alone froze nothing.
    await expect(thief).toHaveURL('/dashboard')
    await page.getByRole('button', { name: 'Freeze my account' }).focus()
    await page.keyboard.press('Enter')
    const done = page.getByRole('main').getByRole('status')
    await expect(done).toContainText('Your account is frozen')
    await expect(done).toBeFocused()
    await expectAccessible(page, 'freeze-done')
    await expect(thief).toHaveURL('/login')
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()

    await page.reload()
    await settled(page)
    const again = page.getByRole('button', { name: 'Freeze my account' })
    await again.click()
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      'This link was used already',
    )
    await expect(again).toBeFocused()
    await expectAccessible(page, 'freeze-refused')

    await signIn(page, { email: owner.username, password: PASSWORD })
    const banner = page.getByRole('region', { name: 'Your account is frozen' })
    await expect(banner).toBeVisible()
    await settled(page)
    await expectAccessible(page, 'frozen')
    await page
      .getByRole('button', { name: /^Withdraw/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('10')
    await dialog.getByRole('button', { name: 'Initiate Withdrawal' }).click()
    await expect(dialog.getByRole('alert')).toContainText('Your account is frozen.')
    await page.keyboard.press('Escape')
    await banner.getByRole('button', { name: 'Email me the link' }).click()
    await expect(banner.getByRole('status')).toBeFocused()
    await expect(banner.getByRole('status')).toContainText(
      `An email to ${owner.username} is on its way.`,
    )
    const reset = await mailedLink(pool, owner.username, { subject: 'Choose a new password' })
    await page.goto(reset)
    await page.getByLabel('New password', { exact: true }).fill(NEW)
    await page.getByLabel('Confirm new password').fill(NEW)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/login')
    await signIn(page, { email: owner.username, password: NEW })
    await settled(page)
    await expect(page.getByRole('heading', { name: 'Account Balance' })).toBeVisible()
    await expect(banner).toHaveCount(0)
  })

  test('holds back the approval of its withdrawals', async ({ open, pool }) => {
    const owner = await busyInvestor(pool)
    await pool.signIn(owner.username)
    const other = await open(undefined)
    await signIn(other, { email: owner.username, password: PASSWORD })
    const mailbox = await open(await pool.superAdmin())
    await other.goto(
      await mailedLink(pool, owner.username, {
        subject: 'A sign-in from a new device',
        name: 'Freeze my account',
      }),
    )
    await other.getByRole('button', { name: 'Freeze my account' }).click()
    await expect(other.getByRole('main').getByRole('status')).toBeVisible()
    await mailbox.goto(`/admin?tab=transactions&transactions-search=${owner.username}`)
    await settled(mailbox)
    const row = rows(mailbox, owner.username, 'withdrawal', 'Pending').first()
    await expect(row.getByRole('button', { name: 'Approve Withdrawal' })).toBeDisabled()
    await expect(row.getByRole('button', { name: 'Reject Withdrawal' })).toBeEnabled()
    await expect(row).toContainText('Account frozen')
    await row.getByRole('link', { name: 'Withdrawal' }).click()
    await expect(mailbox.getByRole('dialog', { name: 'Withdrawal' })).toContainText(
      'The investor has frozen this account',
    )
  })
})

test('the pages of sessions and freezing speak Spanish', async ({ open, pool }) => {
  const page = await open(await pool.person(), '/security?lang=es')
  await expect(page.getByRole('region', { name: 'Dónde has iniciado sesión' })).toContainText(
    'Este dispositivo',
  )
  await page.goto('/freeze?lang=es')
  await expect(page.getByRole('main')).toContainText(
    'Esta página se abre con el enlace de un correo.',
  )
})
