import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { exportOwnData } from '@pool/contract/reports/ownData'
import { test } from './fixtures.ts'
import { expectAccessible } from './steps.ts'

/** The download of what is kept about oneself. */

const cardOf = (page: Page) => page.getByRole('region', { name: 'Your data' })

test('own data is downloaded by keyboard', async ({ open, pool }) => {
  const page = await open(await pool.person(), '/security')
  const button = cardOf(page).getByRole('button', { name: 'Download your data' })
  const saved = page.waitForEvent('download')
  await button.focus()
  await page.keyboard.press('Enter')
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^own-data-\d{4}-\d\d-\d\d\.zip$/)
  const bytes = await readFile(await file.path())
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u{3}\u{4}')
  expect(bytes.includes('profile.json') && bytes.includes('transactions.csv')).toBe(true)
  await expect(cardOf(page).getByText('The archive is saved.')).toBeVisible()
  await expect(button).toBeFocused()
  await expectAccessible(page, 'own-data')
})

test('a download is stopped, and a refused one says why', async ({ open, pool }) => {
  const page = await open(await pool.person(), '/security')
  const card = cardOf(page)
  const held = Promise.withResolvers<void>()
  await page.route(`**${exportOwnData.path}`, () => held.promise)
  await card.getByRole('button', { name: 'Download your data' }).click()
  await expect(card.getByRole('status')).toHaveText('Downloading')
  await card.getByRole('button', { name: 'Stop' }).click()
  await expect(card.getByRole('status')).toHaveText('')
  await page.unroute(`**${exportOwnData.path}`)
  held.resolve()

  await page.route(`**${exportOwnData.path}`, (route) =>
    route.fulfill({
      status: 503,
      json: { successful: false, narration: 'The service is very busy.', body: null },
    }),
  )
  await card.getByRole('button', { name: 'Download your data' }).click()
  await expect(card.getByRole('alert')).toHaveText('The service is very busy.')
  await expectAccessible(page, 'own-data-refused')
  await page.unroute(`**${exportOwnData.path}`)
  const saved = page.waitForEvent('download')
  await card.getByRole('button', { name: 'Download your data' }).click()
  await saved
  await expect(card.getByRole('alert')).toHaveCount(0)
})
