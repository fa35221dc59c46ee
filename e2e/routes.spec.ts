import { expect } from '@playwright/test'
import { test } from './fixtures.ts'
import { newcomer, type Session, SUPER_ADMIN } from './people.ts'
import { settled } from './steps.ts'

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

test('an ended session leads to login and drops the token', async ({ open }) => {
  const gone: Session = {
    token: 'A'.repeat(43),
    userId: crypto.randomUUID(),
    username: newcomer().email,
    roles: [{ type: 'USER' }],
  }
  const page = await open(gone)
  await page.goto('/dashboard')
  await expect(page).toHaveURL('/login')
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
})
