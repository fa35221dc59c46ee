import { expect, type Page } from '@playwright/test'
import { listPauses, pause, resume } from '@pool/contract/money/pauses'
import { violations } from './axe.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { expectAccessible, pauseByCommand, resumeByCommand, rows, settled } from './steps.ts'

const REASON = 'The bank is closed until <b>Monday</b>.'
const SENTENCE = `New deposits are paused for now. The reason: ${REASON}`

// In turn, on a product of their own, because pauses stop all other tests.
test.describe.configure({ mode: 'default' })

let own: OwnProduct
let admin: Session
test.beforeAll(async () => {
  own = await startOwnProduct()
  admin = await own.superAdmin()
})
test.afterEach(async () => {
  for (const { name } of await own.call(listPauses, undefined))
    await own.call(resume, admin, undefined, { name })
})
test.afterAll(() => own?.remove())

const told = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })
const isAccessible = async (page: Page) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await violations(page)).toEqual([])
}

test('a pause appears and ends on an open dashboard', async ({ open }) => {
  const page = await open(await own.person(), undefined, { at: own })
  const following = page.waitForResponse((response) => response.url().endsWith('/changes'))
  await page.goto('/dashboard')
  await following
  await settled(page)
  await page.getByRole('button', { name: 'Deposit' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Initiate Deposit' })
  await dialog.getByLabel('Amount').fill('50')

  pauseByCommand('deposits', REASON, own.dataDir)
  await expect(told(page, SENTENCE).first()).toBeVisible()
  await expect(dialog.getByRole('status')).toHaveText(SENTENCE)
  await expect(dialog.getByRole('button', { name: 'Deposits are paused' })).toBeDisabled()
  await isAccessible(page)
  // No address to pay to is shown during a pause.
  await expect(page.getByText(/tb1q/)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Withdraw' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Initiate Withdrawal' })).toBeVisible()
  await expect(
    page.getByRole('dialog', { name: 'Initiate Withdrawal' }).getByText('paused'),
  ).toHaveCount(0)
  await page.keyboard.press('Escape')

  resumeByCommand('deposits', own.dataDir)
  await expect(told(page, SENTENCE)).toHaveCount(0)
})

test('a super admin pauses and resumes accessibly by keyboard', async ({ open }) => {
  const page = await open(admin, '/admin', { at: own, viewport: { width: 375, height: 800 } })
  await page.getByRole('button', { name: 'Pauses' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('listitem')).toHaveCount(3)
  await dialog.getByRole('button', { name: 'Pause deposits' }).press('Enter')
  await page.keyboard.type(REASON)
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Pause deposits' }).press('Enter')
  await expect(dialog.getByRole('listitem').first()).toContainText('Paused since')
  await expect(dialog.getByRole('listitem').first()).toContainText(REASON)
  await page.emulateMedia({ colorScheme: 'dark' })
  await isAccessible(page)
  expect(await own.call(listPauses, undefined)).toMatchObject([
    { name: 'deposits', reason: REASON },
  ])
  await dialog.getByRole('button', { name: 'Resume deposits' }).press('Enter')
  await expect(dialog).toContainText('Investors will be able to ask for a deposit address again.')
  await isAccessible(page)
  await dialog.getByRole('button', { name: 'Resume deposits' }).press('Enter')
  await expect(dialog.getByRole('listitem').first()).toContainText('Running')
  await expect(told(page, SENTENCE)).toHaveCount(0)
  expect(await own.call(listPauses, undefined)).toEqual([])

  await page.goto('/admin/audit')
  await expect(rows(page, 'Resumed', 'New deposits').first()).toBeVisible()
})

test('the landing page states pauses', async ({ open }) => {
  const page = await open(undefined, '/?lang=en', { at: own })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('status')).toHaveCount(0)
  await own.call(pause, admin, { reason: REASON }, { name: 'deposits' })
  await own.call(pause, admin, { reason: 'A drill.' }, { name: 'investing' })
  await page.reload()
  await expect(page.getByRole('status').getByText(SENTENCE)).toBeVisible()
  await expect(
    page.getByRole('status').getByText('New investments are paused for now. The reason: A drill.'),
  ).toBeVisible()
  await expect(page.getByRole('status').getByText('withdrawals')).toHaveCount(0)
  await expectAccessible(page, 'landing-paused')
  await page.goto('/?lang=es')
  await expect(page.getByRole('status')).toContainText(
    'Las inversiones nuevas están en pausa por ahora. El motivo: A drill.',
  )
})
