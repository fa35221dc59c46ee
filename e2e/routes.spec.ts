import { expect, type Page } from '@playwright/test'
import { logout } from '@pool/contract/accounts/users'
import { test } from './fixtures.ts'
import { newcomer, type Session, SUPER_ADMIN } from './people.ts'
import { settled } from './steps.ts'

/**
 * The routes of docs/product.md 3.1, by typed URL: each guard as each role. A test of
 * `web/app/routes.test.ts` tells the guard of every page.
 */
const table = {
  visitor: {
    '/': '/',
    '/login': '/login',
    '/reset': '/reset',
    '/pool': '/pool',
    '/mailbox': '/',
    '/dashboard': '/',
    '/admin': '/',
    '/nowhere/at/all': '/',
  },
  client: {
    '/': '/',
    '/login': '/dashboard',
    '/reset': '/reset',
    '/pool': '/pool',
    '/mailbox': '/dashboard',
    '/dashboard': '/dashboard',
    '/admin': '/dashboard',
    '/nowhere': '/',
  },
  admin: {
    '/': '/',
    '/login': '/dashboard',
    '/reset': '/reset',
    '/pool': '/pool',
    '/mailbox': '/mailbox',
    '/dashboard': '/dashboard',
    '/admin': '/admin',
    '/nowhere': '/',
  },
  superAdmin: {
    '/': '/',
    '/login': '/dashboard',
    '/reset': '/reset',
    '/pool': '/pool',
    '/mailbox': '/mailbox',
    '/dashboard': '/dashboard',
    '/admin': '/admin',
    '/nowhere': '/',
  },
} as const

type Role = keyof typeof table
for (const [role, routes] of Object.entries(table) as [Role, Record<string, string>][]) {
  test(`a ${role} reaches the page of the route table`, async ({ open, people, pool }) => {
    const sessions = {
      visitor: undefined,
      client: people.investor,
      admin: await pool.person(['ADMIN']),
      superAdmin: people.superAdmin,
    }
    const page = await open(sessions[role])
    for (const [typed, shown] of Object.entries(routes)) {
      await page.goto(typed)
      await expect(page, `${typed} leads to ${shown}`).toHaveURL(shown)
    }
    const isStaff = role === 'admin' || role === 'superAdmin'
    if (role !== 'visitor') {
      await page.goto('/dashboard')
      await expect(
        page.getByRole('heading', { name: isStaff ? 'Admin Dashboard' : 'Dashboard', exact: true }),
      ).toBeVisible()
    }
  })
}

test('a forged role shows no admin data', async ({ open, people }) => {
  const forged = { ...people.investor, roles: [{ type: 'SUPER_ADMIN' }] } as const
  const page = await open(forged)
  await page.goto('/admin')
  await expect(page).toHaveURL('/dashboard')
  await settled(page)
  await expect(page.getByText(SUPER_ADMIN.email)).toHaveCount(0)
})

/** A session that the server does not know. */
const gone = (): Session => ({
  token: 'A'.repeat(43),
  userId: crypto.randomUUID(),
  username: newcomer().email,
  roles: [{ type: 'USER' }],
})

/** Holds requests back until the returned function is called. */
const hold = async (page: Page, url: string): Promise<() => void> => {
  const released = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await released.promise
    // The page that asked may be gone.
    await route.continue().catch(() => undefined)
  })
  return released.resolve
}

const API = '**/api/**'
const lookUp = (page: Page) => page.waitForRequest(/\/user\?username=/)

/** At the sign-in page with the reason, and there again from a typed URL. */
const expectEnded = async (page: Page, why: string) => {
  for (const typed of [null, '/dashboard', '/security']) {
    if (typed) await page.goto(typed)
    await expect(page, `after ${typed ?? 'the end'}`).toHaveURL('/login')
    await expect(page.getByRole('status')).toContainText(why)
  }
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
}

const REFUSED = 'You were signed out. Sign in to continue.'
const ELSEWHERE = 'You were signed out in another tab.'

test.describe('a session that ended leads to login, which says why', () => {
  test('for a 401 before the scripts of a page ran', async ({ open }) => {
    const page = await open(gone())
    await hold(page, API)
    const asked = lookUp(page)
    await page.goto('/dashboard')
    await asked
    const run = await hold(page, '**/assets/*.js')
    await page.reload({ waitUntil: 'commit' })
    // The 401 comes to another tab, which takes the token.
    const other = await page.context().newPage()
    await other.goto('/dashboard')
    await expectEnded(other, REFUSED)
    run()
    await expectEnded(page, ELSEWHERE)
  })

  test('for a 401 right after the first draw', async ({ open }) => {
    const page = await open(gone())
    const answer = await hold(page, API)
    const asked = lookUp(page)
    await page.goto('/dashboard')
    await asked
    await expect(page.getByRole('heading', { name: 'Dashboard', exact: true })).toBeVisible()
    answer()
    await expectEnded(page, REFUSED)
  })

  test('for a 401 while a part on demand is loading', async ({ open }) => {
    const page = await open(gone())
    const answer = await hold(page, API)
    const arrive = await hold(page, '**/assets/UserDashboard-*.js')
    const asked = lookUp(page)
    await page.goto('/dashboard', { waitUntil: 'commit' })
    await asked
    answer()
    await expect(page).toHaveURL('/login')
    arrive()
    await expectEnded(page, REFUSED)
  })

  test('for a reload while the sign-in page is loading', async ({ open }) => {
    const page = await open(gone())
    const answer = await hold(page, API)
    const asked = lookUp(page)
    await page.goto('/dashboard')
    await asked
    const arrive = await hold(page, '**/assets/Login-*.js')
    const leaving = page.waitForRequest('**/assets/Login-*.js')
    answer()
    await leaving
    const reloaded = page.waitForEvent('domcontentloaded')
    const other = await page.context().newPage()
    await other.goto('/robots.txt')
    await other.evaluate(() => localStorage.setItem('userRole', 'admin'))
    await reloaded
    arrive()
    await expectEnded(page, REFUSED)
  })

  test('for a 401 after all has settled', async ({ open, pool }) => {
    const investor = await pool.person()
    const page = await open(investor, '/dashboard')
    await pool.call(logout, investor)
    await page.keyboard.press('r')
    await expectEnded(page, REFUSED)
  })

  test('for keys that another tab removes one by one', async ({ open, pool }) => {
    for (const first of ['userRole', 'token', 'username'])
      await test.step(`${first} first`, async () => {
        const page = await open(await pool.person(), '/dashboard')
        const other = await page.context().newPage()
        await other.goto('/robots.txt')
        const remove = (key: string) => other.evaluate((name) => localStorage.removeItem(name), key)
        // The others go while the reloaded page has not run yet.
        const run = await hold(page, '**/assets/*.js')
        const reloaded = page.waitForEvent('framenavigated')
        await remove(first)
        await reloaded
        for (const key of ['userId', 'userRole', 'username', 'token']) await remove(key)
        run()
        await expectEnded(page, ELSEWHERE)
      })
  })
})

test('a logout by wish says nothing at sign-in', async ({ open, pool }) => {
  const page = await open(await pool.person(), '/dashboard')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/')
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/')
  await page.goto('/login')
  await settled(page)
  await expect(page.getByRole('status')).toHaveCount(0)
})

test('a mailed link stays open after a 401', async ({ open }) => {
  const page = await open(gone())
  const ended = page.waitForResponse((response) => response.status() === 401)
  await page.goto('/reset?token=x')
  await ended
  await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await expect(page).toHaveURL(/\/reset/)
})
