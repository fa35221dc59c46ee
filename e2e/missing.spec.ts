import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.ts'
import { newcomer } from './people.ts'
import { busyInvestor } from './prepare.ts'
import { expectAccessible, openPage, settled } from './steps.ts'

/** Code that should come later: its file went with a new version, or the network is away. */

/** The files of a part are gone, as after a deploy. */
const lose = (page: Page, ...names: readonly string[]) =>
  Promise.all(
    names.map((name) =>
      page.route(`**/assets/${name}-*.js`, (route) => route.fulfill({ status: 404, body: '' })),
    ),
  )

const GONE = 'There is probably a new version of the site.'
const AWAY = 'the server cannot be reached'
const reload = { name: 'Load the new version' }
const corner = (page: Page) => page.getByRole('alert', { name: 'Messages' })

/** Nothing replaced the page. */
const expectPage = async (page: Page) => {
  await expect(
    page.getByRole('heading', { name: /^(Admin )?Dashboard$/, exact: true }),
  ).toBeAttached()
  await expect(page.getByText('Something went wrong')).toHaveCount(0)
}

test('a missing panel says so in its place', async ({ open, people }) => {
  const page = await open(people.superAdmin, '/admin?tab=transactions')
  await lose(page, 'FilterFields', 'AccountEntries')
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Filters', exact: true })
  await expect(panel.getByRole('alert')).toContainText(GONE)
  await expectAccessible(page, 'missing-panel')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Account / }).click()
  const menu = page.getByRole('navigation', { name: 'Account' })
  await expect(menu.getByRole('alert')).toContainText(GONE)
  await expectPage(page)
  await page.unrouteAll()
  await menu.getByRole('button', reload).click()
  await settled(page)
  await page.getByRole('button', { name: /^Account / }).click()
  await expect(menu.getByRole('button', { name: 'Sign out' })).toBeVisible()
})

test('a missing dialog says so and gives the focus back', async ({ open, people }) => {
  const page = await open(people.superAdmin, '/admin?tab=users')
  await lose(page, 'InviteDialog', 'PausesDialog')
  for (const name of ['Invite', 'Pauses']) {
    const opener = page.getByRole('button', { name: new RegExp(`^${name}`) }).first()
    await opener.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'This part could not be loaded' })
    await expect(dialog.getByRole('alert')).toContainText(GONE)
    await expect(dialog.getByRole('button', reload)).toBeFocused()
    if (name === 'Invite') await expectAccessible(page, 'missing-dialog', 'dialog')
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(opener).toBeFocused()
    await expectPage(page)
  }
})

test('a missing story is found by the next try', async ({ open, pool }) => {
  const page = await open(await busyInvestor(pool), '/dashboard')
  await lose(page, 'StoryPanel')
  const row = page.getByRole('main').locator('a[href*="transaction="]').first()
  await row.click()
  const dialog = page.getByRole('dialog', { name: 'This part could not be loaded' })
  await expect(dialog.getByRole('alert')).toContainText(GONE)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toHaveCount(0)
  await expectPage(page)
  await page.unrouteAll()
  await row.click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect(dialog).toHaveCount(0)
})

test('a missing part over a typed form keeps the form', async ({ open, pool }) => {
  const page = await open(await pool.person(), '/dashboard')
  await lose(page, 'StepUpDialog')
  await page.route('**/withdraw', (route) =>
    route.fulfill({
      status: 403,
      json: {
        successful: false,
        narration: '',
        body: { code: 'factorNeeded', details: { kinds: ['TOTP'] } },
      },
    }),
  )
  await page.route('**/balance*', (route) =>
    route.fulfill({ json: { successful: true, narration: '', body: 500 } }),
  )
  await page.reload()
  await settled(page)
  await page.getByRole('button', { name: /^Withdraw / }).click()
  const form = page.getByRole('dialog', { name: 'Initiate Withdrawal' })
  await form.getByLabel('Amount').fill('12.5')
  await form.getByLabel('Description (optional)').fill('half a sentence')
  await form.getByRole('button', { name: 'Initiate Withdrawal' }).click()
  const dialog = page.getByRole('dialog', { name: 'This part could not be loaded' })
  await expect(dialog.getByRole('alert')).toContainText(GONE)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  // The call that waited has ended, so the form can be sent again.
  await expect(form.getByRole('button', { name: 'Initiate Withdrawal' })).toBeEnabled()
  await form.getByRole('button', { name: 'Initiate Withdrawal' }).click()
  await dialog.getByRole('button', reload).click()
  // The new version opens the form with what was typed.
  await expect(form.getByLabel('Amount')).toHaveValue('12.50')
  await expect(form.getByLabel('Description (optional)')).toHaveValue('half a sentence')
})

test('a handler without its code says so in the corner', async ({ open, people }) => {
  const page = await open(people.superAdmin, '/admin?tab=transactions')
  await lose(page, 'csv')
  const exporting = page.getByRole('button', { name: 'Export' }).first()
  await exporting.click()
  await expect(corner(page)).toContainText(GONE)
  await expect(corner(page).getByRole('button', reload)).toBeVisible()
  await expectAccessible(page, 'missing-handler')
  await corner(page).getByRole('button', { name: 'Close' }).click()
  await expect(corner(page)).toHaveCount(0)
  await expectPage(page)
})

test('a sentence without its toast is said plainly', async ({ open, pool }) => {
  const page = await open(await pool.person(), '/dashboard')
  await lose(page, 'showToast')
  await page.getByRole('button', { name: /^Save an address|^Change$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Payout address' })
  await dialog.getByLabel('Network').selectOption('Bitcoin')
  await dialog.getByLabel('Address').fill('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq')
  await dialog.getByRole('button', { name: 'Save address' }).click()
  await expect(corner(page)).toContainText('Payout address saved')
  await corner(page).getByRole('button', { name: 'Close' }).click()
  await expect(corner(page)).toHaveCount(0)
})

test('a password is not set without comparing both fields', async ({ open }) => {
  const page = await open(undefined, '/register')
  await lose(page, 'rules')
  const { email, password } = newcomer()
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') sent += 1
  })
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(`${password}!`)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('The passwords could not be compared')).toBeVisible()
  await expect(corner(page).getByRole('button', reload)).toBeVisible()
  expect(sent).toBe(0)
})

test('a passkey without its code blames no password', async ({ open }) => {
  const page = await open(undefined, '/login')
  await lose(page, 'factors')
  await page.getByRole('button', { name: /passkey/i }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText(GONE)
  await expect(corner(page).getByRole('button', reload)).toBeVisible()
})

test('the idle warning without its code still warns', async ({ open, pool }) => {
  const page = await open(await pool.person(), undefined, { own: {} })
  await page.clock.install()
  await page.goto('/dashboard')
  await settled(page)
  await lose(page, 'IdleNotice')
  await page.clock.fastForward('02:40')
  await expect(corner(page)).toContainText(/You will be logged out in \d+ seconds/)
  await corner(page).getByRole('button', { name: 'Close' }).click()
  await expect(corner(page)).toHaveCount(0)
  await page.clock.fastForward('02:00')
  await expect(page).toHaveURL('/dashboard')
})

test('a part that the network kept back is tried again', async ({ open, people }) => {
  // A kept browser may have the part from another test.
  const page = await open(people.superAdmin, undefined, { own: {} })
  // The page fetches ahead, in an idle moment, what it says without a network.
  const ahead = page.waitForEvent('requestfinished', (request) =>
    request.url().includes('/NotLoaded-'),
  )
  await page.goto('/admin?tab=users')
  await settled(page)
  await ahead
  await page.context().setOffline(true)
  await page.getByRole('button', { name: /^Invite/ }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'This part could not be loaded' })
  await expect(dialog.getByRole('alert')).toContainText(AWAY)
  await expect(dialog.getByRole('button', reload)).toHaveCount(0)
  await page.context().setOffline(false)
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('dialog', { name: /Invite/ })).toBeVisible()
})

test('a missing page says so in its place', async ({ open, people }) => {
  const page = await open(people.investor)
  await lose(page, 'UserDashboard')
  await page.goto('/dashboard')
  await expect(page.getByRole('main').getByRole('alert')).toContainText(GONE)
  await page.unrouteAll()
  await page.getByRole('button', reload).click()
  await expect(page.getByRole('heading', { name: 'Account Balance' })).toBeVisible()
})

test('a missing page behind a link loads the new version', async ({ open, people }) => {
  const page = await open(people.superAdmin, '/admin')
  await lose(page, 'AuditTrail')
  const loaded = page.waitForEvent('domcontentloaded')
  await openPage(page, /^Audit trail/)
  await loaded
  await page.unrouteAll()
  await settled(page)
  await openPage(page, /^Audit trail/)
  await expect(page).toHaveURL('/admin/audit')
})

test('Spanish readers are told in Spanish', async ({ open, people }) => {
  const page = await open(people.superAdmin, '/admin?tab=users&lang=es')
  await lose(page, 'InviteDialog')
  await page.getByRole('button', { name: /^Invitar/ }).click()
  await expect(page.getByRole('dialog', { name: 'No se pudo cargar esta parte' })).toContainText(
    'hay una versión nueva del sitio',
  )
})
