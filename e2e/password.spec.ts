import { expect, type Locator, type Page } from '@playwright/test'
import { violations } from './axe.ts'
import { test } from './fixtures.ts'
import { PASSWORD } from './people.ts'
import { chooseInMenu, expectAccessible, settled, signIn } from './steps.ts'
import { PHONE } from './widths.ts'

/** Changing the password shuts out everyone else in the account. */

const OLD = PASSWORD
const NEW = 'a much quieter password'

/** Opens the dialog by the security page. */
const openPassword = async (page: Page, menu: RegExp, button: string): Promise<Locator> => {
  await chooseInMenu(page, menu)
  await expect(page).toHaveURL('/security')
  await page.getByRole('main').getByRole('button', { name: button }).click()
  return page.getByRole('dialog', { name: button })
}

test('changing the password ends every other session of the account', async ({ open, pool }) => {
  const here = await pool.person()
  const there = await pool.signIn(here.username, OLD)
  const page = await open(here, '/dashboard', { viewport: PHONE })
  const other = await open(there, '/dashboard', { viewport: PHONE })

  const dialog = await openPassword(page, /^Security/, 'Change password')
  await expect(dialog.getByLabel('Current password')).toBeFocused()
  await expectAccessible(page, 'password', '[role=dialog]', 'header')

  const submit = dialog.getByRole('button', { name: 'Change password' })
  const fill = async (current: string, chosen: string, confirmed = chosen) => {
    await dialog.getByLabel('Current password').fill(current)
    await dialog.getByLabel('New password', { exact: true }).fill(chosen)
    await dialog.getByLabel('Confirm new password').fill(confirmed)
    await submit.click()
  }
  await fill(OLD, NEW, 'something else')
  await expect(dialog.getByText('Passwords must match')).toBeVisible()
  await fill('not my password', NEW)
  await expect(dialog.getByRole('alert')).toHaveText('The current password is not right.')
  await fill(OLD, 'password')
  await expect(dialog.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
    /too easy to guess/,
  )
  await fill(OLD, NEW)
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Password changed. You are signed in here only.')).toBeVisible()

  await page.reload()
  await settled(page)
  await expect(page).toHaveURL('/security')
  // By itself, because the stream tells it.
  await expect(other).toHaveURL('/login')
  await signIn(other, { email: here.username, password: NEW })
})

test('the password dialog speaks Spanish', async ({ open, pool }) => {
  const page = await open(await pool.person(), '/dashboard?lang=es')
  const dialog = await openPassword(page, /^Seguridad/, 'Cambiar contraseña')
  await expect(dialog).toContainText('En los demás dispositivos se cierra.')
  await expect(dialog.getByLabel('Contraseña actual')).toBeFocused()
})

test.describe('a new password', () => {
  for (const { lang, password, email, word, personal } of [
    {
      lang: 'en',
      password: 'Password',
      email: 'Email',
      word: /it is a single word or name/,
      personal: /without your name, your email/,
    },
    {
      lang: 'es',
      password: 'Contraseña',
      email: 'Correo electrónico',
      word: /es una sola palabra/,
      personal: /no contenga tu nombre/,
    },
  ])
    test(`a new password is judged while typing, in ${lang}`, async ({ open }) => {
      const page = await open(undefined)
      const judges: string[] = []
      page.on(
        'request',
        (request) => request.url().includes('judgePassword') && judges.push(request.url()),
      )
      const registrations: string[] = []
      page.on(
        'request',
        (request) => request.method() === 'POST' && registrations.push(request.url()),
      )
      await page.goto(`/register?lang=${lang}`)
      await settled(page)
      await page.getByLabel(email, { exact: true }).fill('grace.hopper@navy.example')
      expect(judges).toEqual([])

      const field = page.getByLabel(password, { exact: true })
      await field.pressSequentially('bitcoin')
      await expect(field).toHaveAccessibleDescription(word)
      expect(await violations(page)).toEqual([])
      await page.locator('button[type=submit]').click()
      await expect(field).toHaveAccessibleDescription(word)
      await field.fill('GraceHopper1')
      await expect(field).toHaveAccessibleDescription(personal)
      await field.fill('tortoise waltz')
      await expect(field).toHaveAccessibleDescription('')
      expect([judges.length, registrations]).toEqual([1, []])
    })

  test('the dialog of a change judges the new password', async ({ open, pool }) => {
    const page = await open(await pool.person(), '/dashboard')
    const dialog = await openPassword(page, /^Security/, 'Change password')
    const field = dialog.getByLabel('New password', { exact: true })
    await field.pressSequentially('abcdef')
    await expect(field).toHaveAccessibleDescription(/a row of keys, a sequence or a repetition/)
    await field.fill('tortoise waltz')
    await expect(field).toHaveAccessibleDescription('')
  })
})
