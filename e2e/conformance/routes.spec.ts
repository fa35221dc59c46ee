import { expect } from '@playwright/test'
import type { Role } from '@pool/contract/accounts/users'
import { ok, serve, user } from './answers.ts'
import { button, listen, test } from './browser.ts'

/** The routes of docs/product.md 3.1 by link and by Back. `e2e/routes.spec.ts` types their URLs. */

const roles: readonly (Role | null)[] = [null, 'client', 'admin', 'SUPER_ADMIN']

for (const role of roles) {
  test.describe(`the guards lead ${role ?? 'a visitor'} by the route table`, () => {
    test.use({ role })

    test("the landing page's links follow the route table", async ({ page }) => {
      await serve(page)
      for (const [name, shown] of [
        ['Sign In', '/login'],
        ['Get Started', '/register'],
        ['Start Investing', '/register'],
      ] as const) {
        await page.goto('/')
        await page.getByRole('link', { name, exact: true }).first().click()
        await expect(page, name).toHaveURL(role ? '/dashboard' : shown)
      }
    })
  })
}

test('public pages link to each other and to landing sections', async ({ page }) => {
  await serve(page)
  await page.goto('/login')
  await page.getByRole('main').getByRole('link', { name: 'Create an account' }).click()
  await expect(page).toHaveURL('/register')
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByRole('banner').getByRole('link', { name: 'Get Started' }).click()
  await expect(page).toHaveURL('/register')
  for (const [name, section] of [
    ['How It Works', 'how-it-works'],
    ['Features', 'features'],
    ['About', 'about'],
  ] as const) {
    await page.goto('/login')
    await page.getByRole('banner').getByRole('link', { name, exact: true }).first().click()
    await expect(page).toHaveURL(`/#${section}`)
    await expect(page.locator(`#${section}`)).toBeInViewport()
  }
})

test('a phone shows the landing links in a menu', async ({ page }) => {
  await serve(page)
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto('/')
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await expect(menu).toBeHidden()
  await button(page, 'Menu').click()
  await expect(menu.getByRole('link')).toHaveText([
    'How It Works',
    'Features',
    'About',
    'Check us',
    'Sign In',
    'Get Started',
  ])
  await button(page, 'Menu').click()
  await expect(menu).toBeHidden()
  await button(page, 'Menu').click()
  await menu.getByRole('link', { name: 'Sign In' }).click()
  await expect(page).toHaveURL('/login')
})

test('the landing footer is whole, others are reduced', async ({ page }) => {
  await serve(page)
  const footer = page.getByRole('contentinfo')
  for (const [address, links] of [
    ['/', 1],
    ['/login', 0],
    ['/register', 0],
  ] as const) {
    await page.goto(address)
    await expect(footer.getByRole('link', { name: 'How it works' })).toHaveCount(links)
    await expect(footer).toContainText('24/7')
    await expect(footer).toContainText('Run by Peer Lending Pool (sandbox)')
    await expect(footer.getByRole('link', { name: 'Terms' })).toHaveAttribute(
      'href',
      'https://example.com/terms',
    )
    // The operator of the tests gave no privacy notice.
    await expect(footer.getByRole('link', { name: 'Privacy' })).toHaveCount(0)
    await expect(footer.getByRole('link', { name: 'support@example.com' })).toHaveAttribute(
      'href',
      'mailto:support@example.com',
    )
    await expect(footer.locator('a[href^="https://wa.me/"]')).toHaveAttribute(
      'href',
      'https://wa.me/15550100',
    )
  }
})

test.describe('the guards send a signed-out user away', () => {
  test.use({ role: 'client' })

  test('Back and Forward show no money after signing out', async ({ page }) => {
    await serve(page, { balance: ok(777.77) })
    for (const address of ['/', '/dashboard', '/admin']) await page.goto(address)
    await expect(page.getByText('$777.77')).toBeVisible()
    await button(page, 'Logout').click()
    await expect(page).toHaveURL('/')
    for (const move of [page.goBack, page.goBack, page.goForward, page.goForward]) {
      await move.call(page)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByText('$777.77')).toHaveCount(0)
      await expect(page.getByText('Account Balance')).toHaveCount(0)
    }
  })

  test('the console warns an investor on a staff page', async ({ page }) => {
    const heard = listen(page)
    await serve(page, { currentUser: ok(user()) })
    await page.goto('/admin')
    await expect(page).toHaveURL('/dashboard')
    expect(heard.some((text) => text.includes('admins only'))).toBe(true)
    await expect(page.getByText('admins only')).toHaveCount(0)
  })
})
