import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.ts'
import type { Session } from './people.ts'
import { busyInvestor } from './prepare.ts'
import { expectAccessible, withoutChanges } from './steps.ts'

/** The page of a person, as staff find and use it. */

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const pathOf = ({ userId }: Session) => `/admin/users/${userId}`

test('a person is noted by keyboard', async ({ open, pool }) => {
  const investor = await busyInvestor(pool)
  const staff = await pool.superAdmin()
  const faults: string[] = []
  const page = await open(staff)
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  await page.goto(`/admin?tab=users&users-search=${investor.username}`)
  const link = page.getByRole('link', { name: 'Grace Hopper' }).first()
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(pathOf(investor))
  await expect(page.getByRole('heading', { level: 2, name: 'Grace Hopper' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Held for withdrawals$40.00')
  await expect(page.getByRole('main')).toContainText('Open requests2')
  await expect(part(page, 'Transactions').getByRole('row').nth(3)).toBeVisible()
  await expect(part(page, 'Investments').getByRole('row').nth(3)).toBeVisible()
  const timeline = part(page, 'Timeline')
  for (const event of ['Withdrawal rejected', 'Withdrawal requested', 'Investment opened'])
    await expect(timeline).toContainText(event)
  await expect(part(page, 'Sign-in')).toContainText('Second factors')

  const notes = part(page, 'Notes')
  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(notes.getByText('Please write the note first.')).toBeVisible()
  await page.keyboard.type('Called about the first deposit.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(notes.getByRole('listitem')).toContainText([
    /Called about the first deposit\.\s*super@example\.com/,
  ])
  await expect(timeline.getByRole('row').nth(1)).toContainText('Note added')
  await expectAccessible(page, 'person')

  await page.getByTitle('Show the open requests').click()
  await expect(part(page, 'Transactions').getByRole('row')).toHaveCount(3)
  await part(page, 'Transactions').getByRole('link', { name: 'Deposit' }).click()
  await expect(page.getByRole('dialog')).toContainText('$300.00')
  expect(faults).toEqual([])
})

test('an admin sees no sign-ins, and an investor nothing', async ({ open, pool }) => {
  const investor = await pool.person()
  const admin = await pool.person(['USER', 'ADMIN'])
  const page = await open(admin)
  await page.goto(`${pathOf(investor)}?lang=es`)
  await expect(page.getByRole('region', { name: 'Notas' })).toBeVisible()
  await expect(page.getByText('Aún no hay notas')).toBeVisible()
  await expect(page.getByText('Sin transacciones')).toBeVisible()
  await expect(page.getByText('Aún no ha pasado nada')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Inicio de sesión' })).toHaveCount(0)
  await expectAccessible(page, 'person-empty')
  const own = await open(investor, pathOf(investor))
  await expect(own).toHaveURL('/dashboard')
})

test('failures of a person’s page are said, and tried again', async ({ open, pool }) => {
  const investor = await pool.person()
  const staff = await pool.superAdmin()
  const page = await open(staff)
  // A change could load the page before the click on Retry.
  await withoutChanges(page)
  const calls = `**/api/v1/admin/users/${investor.userId}{,/*}`
  await page.route(calls, (route) => route.abort())
  await page.goto(pathOf(investor))
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await page.unroute(calls)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Grace Hopper' })).toBeVisible()
  await page.goto('/admin/users/00000000-0000-7000-8000-000000000000')
  await expect(page.getByText('No such person')).toBeVisible()
  await page.goto('/admin/users/nonsense')
  await expect(page.getByText('No such person')).toBeVisible()
})
