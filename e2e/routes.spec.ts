import { expect, test } from '@playwright/test'
import { newcomer, SUPER_ADMIN } from './people.ts'
import { newInvestor, signedIn, startSession } from './prepare.ts'
import { grant, settled } from './steps.ts'

/** The routes of docs/product.md 3.1, by typed URL. */
const table = {
  visitor: {
    '/': '/',
    '/login': '/login',
    '/register': '/register',
    '/forgot': '/forgot',
    '/reset': '/reset',
    '/confirm': '/confirm',
    '/freeze': '/freeze',
    '/mailbox': '/',
    '/dashboard': '/',
    '/security': '/',
    '/admin': '/',
    '/admin/audit': '/',
    '/admin/mails': '/',
    '/nowhere/at/all': '/',
  },
  client: {
    '/': '/',
    '/login': '/dashboard',
    '/register': '/dashboard',
    '/forgot': '/dashboard',
    '/reset': '/reset',
    '/confirm': '/confirm',
    '/freeze': '/freeze',
    '/mailbox': '/dashboard',
    '/dashboard': '/dashboard',
    '/security': '/security',
    '/admin': '/dashboard',
    '/admin/audit': '/dashboard',
    '/admin/mails': '/dashboard',
    '/nowhere': '/',
  },
  admin: {
    '/': '/',
    '/login': '/dashboard',
    '/register': '/dashboard',
    '/forgot': '/dashboard',
    '/reset': '/reset',
    '/confirm': '/confirm',
    '/freeze': '/freeze',
    '/mailbox': '/mailbox',
    '/dashboard': '/dashboard',
    '/security': '/security',
    '/admin': '/admin',
    '/admin/audit': '/admin/audit',
    '/admin/mails': '/admin/mails',
    '/nowhere': '/',
  },
  superAdmin: {
    '/': '/',
    '/login': '/dashboard',
    '/register': '/dashboard',
    '/forgot': '/dashboard',
    '/reset': '/reset',
    '/confirm': '/confirm',
    '/freeze': '/freeze',
    '/mailbox': '/mailbox',
    '/dashboard': '/dashboard',
    '/security': '/security',
    '/admin': '/admin',
    '/admin/audit': '/admin/audit',
    '/admin/mails': '/admin/mails',
    '/nowhere': '/',
  },
} as const

type Role = keyof typeof table
let sessions: Record<Role, Awaited<ReturnType<typeof startSession>> | undefined>

test.beforeAll(async ({ playwright, baseURL }) => {
  const api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const admin = await newInvestor(api)
  grant(admin.username, 'ADMIN')
  sessions = {
    visitor: undefined,
    client: await newInvestor(api),
    admin: { ...admin, roles: [{ type: 'ADMIN' }] },
    superAdmin: await startSession(SUPER_ADMIN, api),
  }
  await api.dispose()
})

for (const [role, routes] of Object.entries(table) as [Role, Record<string, string>][]) {
  test(`a ${role} reaches the page of the route table`, async ({ browser, baseURL }) => {
    const context = await signedIn(browser, sessions[role], { baseURL })
    const page = await context.newPage()
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
    await context.close()
  })
}

test('a forged role shows no admin data', async ({ browser, baseURL }) => {
  const forged = {
    ...(sessions.client as NonNullable<typeof sessions.client>),
    roles: [{ type: 'SUPER_ADMIN' }],
  }
  const context = await signedIn(browser, forged, { baseURL })
  const page = await context.newPage()
  await page.goto('/admin')
  await expect(page).toHaveURL('/dashboard')
  await settled(page)
  await expect(page.getByText(SUPER_ADMIN.email)).toHaveCount(0)
  await context.close()
})

test('an ended session leads to login and drops the token', async ({ browser, baseURL }) => {
  const gone = {
    token: 'A'.repeat(43),
    userId: crypto.randomUUID(),
    username: newcomer().email,
    roles: [{ type: 'USER' }],
  }
  const context = await signedIn(browser, gone, { baseURL })
  const page = await context.newPage()
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
  await context.close()
})
