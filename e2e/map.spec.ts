import { expect, type Locator, type Page } from '@playwright/test'
import { test } from './fixtures.ts'
import { expectAccessible, openPage } from './steps.ts'
import { PHONE } from './widths.ts'

/** The map of the pages: the rail, its keys and the command palette. */

/** Opens the palette by its key, which comes with the rail. Resolves with its field. */
const openPalette = async (page: Page): Promise<Locator> => {
  const field = page.getByRole('dialog', { name: 'Search and act' }).getByRole('combobox')
  await expect(async () => {
    await page.keyboard.press('Control+k')
    await expect(field).toBeVisible({ timeout: 2_000 })
  }).toPass()
  return field
}

test('the rail leads staff to pages, and keys do', async ({ open, people }) => {
  const page = await open(people.superAdmin, '/admin')
  const rail = page.getByRole('navigation', { name: 'Pages' })
  const here = rail.locator('[aria-current=page]')
  await expect(here).toHaveText(/^Decisions/)
  await openPage(page, /^Today/)
  await expect(page).toHaveURL('/admin/today')
  await expect(here).toHaveText('Today')
  await expect(page.getByRole('heading', { name: 'Money' })).toBeVisible()
  await expectAccessible(page, 'today')

  await test.step('today comes as a mail by choice', async () => {
    await page.getByRole('link', { name: 'Get this as an email each morning' }).click()
    const card = page.getByRole('region', { name: 'Morning email' })
    const choice = card.getByRole('checkbox', { name: 'Send it to me each morning' })
    await expect(choice).not.toBeChecked()
    await choice.check()
    await expect(card.getByRole('status')).toHaveText('Your choice is saved.')
    await page.reload()
    await expect(choice).toBeChecked()
    await expectAccessible(page, 'morning')
    await choice.uncheck()
    await expect(card.getByRole('status')).toHaveText('Your choice is saved.')
    await openPage(page, /^Today/)
  })

  await test.step('g and a letter open a page', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await expect(page).toHaveURL(/tab=loans/)
    await expect(here).toHaveText(/^Loans/)
    await expect(page.getByRole('tab', { name: /^Loans/ })).toBeInViewport()
  })

  await test.step('the logo stays inside', async () => {
    await rail.getByRole('link', { name: 'Home page' }).click()
    await expect(page).toHaveURL('/admin')
  })

  await test.step('the old address of networks leads to the new one', async () => {
    await page.goto('/admin/chains?lang=en')
    await expect(page).toHaveURL(/\/admin\/networks\?lang=en$/)
  })
})

test('the palette finds people, transactions and acts', async ({ open, people }) => {
  const page = await open(people.superAdmin, '/admin/rates')
  const field = await openPalette(page)
  const palette = page.getByRole('dialog', { name: 'Search and act' })
  await field.fill(people.investor.username)
  await expect(
    palette.getByRole('option', { name: people.investor.username }).first(),
  ).toBeVisible()
  await expectAccessible(page, 'palette', '[role=dialog]')
  await field.fill('pause')
  await field.press('Enter')
  await expect(page.getByRole('dialog', { name: /pause/i })).toBeVisible()
  await expect(page).not.toHaveURL(/open=/)
})

test('an admin on Stress reads one sentence', async ({ open, pool }) => {
  const page = await open(await pool.person(['ADMIN']), '/admin/stress')
  await expect(page.locator('main')).toHaveText('Only super admins and auditors see this page.')
  const rail = page.getByRole('navigation', { name: 'Pages' })
  await expect(rail.getByRole('link', { name: /^Loans/ })).toBeVisible()
  for (const hidden of ['Stress', 'Plans', 'Pauses', 'Investors and staff'])
    await expect(rail.getByRole('link', { name: hidden })).toHaveCount(0)
})

test('investors have five pages, on phones as a sheet', async ({ open, people }) => {
  const page = await open(people.investor, '/dashboard')
  const rail = page.getByRole('navigation', { name: 'Pages' })
  await expect(rail.getByRole('listitem')).toHaveText([
    'Home',
    'Statements',
    'Notices',
    'Security',
    'The pool',
  ])
  await page.setViewportSize({ ...PHONE, height: 667 })
  await expect(rail).toBeHidden()
  await page.getByRole('button', { name: 'Menu' }).click()
  await openPage(page, /^Statements/)
  await expect(page).toHaveURL('/statements')
  await expect(rail).toBeHidden()
  const field = await openPalette(page)
  await field.fill('withdraw')
  await field.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Initiate Withdrawal' })).toBeVisible()
})
