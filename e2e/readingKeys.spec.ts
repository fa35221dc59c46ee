import { expect } from '@playwright/test'
import { READING_KEY } from '@pool/contract/accounts/readingKeys'
import { listTransactions } from '@pool/contract/requests/transactions'
import { test } from './fixtures.ts'
import { PASSWORD } from './people.ts'
import { expectAccessible, settled, signIn } from './steps.ts'

/** Keys with which programs read the own records, on the page of the account's security. */

test('a key is made by keyboard, used and ended', async ({ open, pool }) => {
  const page = await open(await pool.person(), '/security')
  const card = page.getByRole('region', { name: 'Read-only keys' })
  await expect(card).toContainText('You have no keys yet.')
  await card.getByRole('button', { name: 'Make a key' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Make a key' })
  await dialog.getByRole('button', { name: 'Make a key' }).press('Enter')
  await expect(dialog.getByText('Please name the key.')).toBeVisible()
  await dialog.getByLabel('Name').fill('Spreadsheet')
  await dialog.getByLabel('It works for').selectOption('a year')
  await expectAccessible(page, 'readingKey-make', '[role=dialog]')
  await dialog.getByLabel('Name').press('Enter')
  const shown = page.getByRole('dialog', { name: 'Your key' })
  const key = await shown.getByRole('listitem').innerText()
  expect(key).toMatch(new RegExp(`^${READING_KEY}[\\w-]{67}$`))
  await expectAccessible(page, 'readingKey-shown', '[role=dialog]')
  await shown.getByRole('button', { name: 'Done' }).press('Enter')
  await expect(card.getByRole('listitem')).toContainText('Never used')

  const url = new URL(listTransactions.path, page.url()).href
  const read = () => page.request.get(url, { headers: { authorization: `Bearer ${key}` } })
  expect((await read()).status()).toBe(200)
  await page.reload()
  await expect(card.getByRole('listitem')).toContainText('Last used:')
  await expectAccessible(page, 'readingKeys')
  await card.getByRole('button', { name: 'Revoke the key Spreadsheet' }).press('Enter')
  await expect(page.getByText('The key is revoked.')).toBeVisible()
  await expect(card).toContainText('You have no keys yet.')
  expect((await read()).status()).toBe(401)
})

test('a key is made on a phone in Spanish', async ({ open, pool }) => {
  const viewport = { width: 375, height: 720 }
  const page = await open(await pool.person(), '/security?lang=es', { viewport })
  const card = page.getByRole('region', { name: 'Claves de solo lectura' })
  await card.getByRole('button', { name: 'Crear una clave' }).click()
  const dialog = page.getByRole('dialog', { name: 'Crear una clave' })
  await dialog.getByLabel('Nombre').fill('Hoja')
  await dialog.getByRole('button', { name: 'Crear una clave' }).click()
  const shown = page.getByRole('dialog', { name: 'Tu clave' })
  const key = shown.getByRole('listitem')
  await expect(key).toContainText(READING_KEY)
  expect(await key.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0)
  await shown.getByRole('button', { name: 'Hecho' }).click()
  await expect(card.getByRole('listitem')).toContainText('Sin usar')
  await expectAccessible(page, 'readingKeys-spanish')
  await card.getByRole('button', { name: 'Anular la clave Hoja' }).click()
  await expect(card).toContainText('Aún no tienes claves.')
})

test('keys end with all other sessions unless unticked', async ({ open, pool }) => {
  const person = await pool.person()
  const page = await open(person, '/security')
  const keys = page.getByRole('region', { name: 'Read-only keys' })
  await keys.getByRole('button', { name: 'Make a key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a key' })
  await dialog.getByLabel('Name').fill('Spreadsheet')
  await dialog.getByLabel('Name').press('Enter')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(keys.getByRole('listitem')).toHaveCount(1)

  const sessions = page.getByRole('region', { name: 'Where you are signed in' })
  const others = sessions.getByRole('button', { name: 'Sign out all others' })
  const tick = sessions.getByRole('checkbox', { name: 'Revoke my read-only keys, too' })
  const signInElsewhere = async () => {
    const other = await open(undefined)
    await signIn(other, { email: person.username, password: PASSWORD })
    await settled(other)
    await expect(sessions.getByRole('listitem')).toHaveCount(2)
  }
  await signInElsewhere()
  await expect(tick).toBeChecked()
  await tick.press('Space')
  await others.press('Enter')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expect(keys.getByRole('listitem')).toHaveCount(1)
  await signInElsewhere()
  await tick.press('Space')
  await expectAccessible(page, 'readingKeys-others')
  await others.press('Enter')
  await expect(keys).toContainText('You have no keys yet.')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
})
