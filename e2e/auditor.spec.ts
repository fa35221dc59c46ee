import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.ts'
import { busyInvestor } from './prepare.ts'
import { expectAccessible } from './steps.ts'

/** An auditor reads what staff read, and is shown nothing that writes. */

const WRITES =
  /\b(approve|reject|add|delete|archive|restore|pause|mark|select|change access|invite|invitar|aprobar|rechazar|añadir|eliminar|archivar|cambiar)\b/i

const showsNoWrites = async (page: Page): Promise<void> => {
  for (const role of ['button', 'checkbox', 'textbox'] as const)
    await expect(page.getByRole('main').getByRole(role, { name: WRITES })).toHaveCount(0)
}

test('an auditor reads all and writes nothing', async ({ open, pool }) => {
  const investor = await busyInvestor(pool)
  const auditor = await pool.person(['USER', 'AUDITOR'])
  const page = await open(auditor)
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('request', (sent) => {
    const { pathname } = new URL(sent.url())
    if (sent.method() !== 'GET' && pathname.startsWith('/api/')) faults.push(pathname)
  })

  await page.goto('/dashboard')
  const queue = page.getByRole('region', { name: 'Waiting for a decision' })
  const lines = queue.getByRole('list').getByRole('button')
  await expect(lines.first()).toBeVisible()
  await lines.first().click()
  await expect(queue.getByRole('button', { name: 'Next request' })).toBeVisible()
  await page.keyboard.press('a')
  await page.keyboard.press('x')
  await page.keyboard.press('r')
  await expect(queue.getByRole('textbox')).toHaveCount(0)
  await expectAccessible(page, 'auditor')
  await showsNoWrites(page)
  for (const tab of ['Users', 'Transactions', 'Investments', 'Wallets']) {
    await page.getByRole('tab', { name: tab }).click()
    const panel = page.getByRole('tabpanel', { name: tab })
    await expect(panel.getByText(/Polygon|Grace Hopper|\$/).first()).toBeVisible()
    await showsNoWrites(page)
  }
  await expectAccessible(page, 'auditor-wallets')
  await page.getByRole('button', { name: 'Refresh Data' }).click()
  await expect(page.getByRole('button', { name: 'Refresh Data' })).toBeEnabled()

  await page.goto(`/admin/users/${investor.userId}?lang=es`)
  await expect(page.getByRole('region', { name: 'Inicio de sesión' })).toContainText('Cliente')
  await expect(page.getByText('Aún no hay notas')).toBeVisible()
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
  await showsNoWrites(page)
  await expectAccessible(page, 'auditor-person')
  await page.goto(`/admin/users/${auditor.userId}`)
  await expect(page.getByRole('main')).toContainText('Auditor, Cliente')
  await page.goto('/mailbox')
  await expect(page.getByText('Los auditores los leen con los enlaces ocultos.')).toBeVisible()
  await page.goto('/admin/audit?audit-action=user.registered')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  expect(faults).toEqual([])
})
