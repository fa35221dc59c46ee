import { expect } from '@playwright/test'
import { test } from './fixtures.ts'

/** A visitor's language: its choice, its memory, and its errors. */

test('a visitor gets the language of the browser', async ({ open }) => {
  for (const [locale, language] of [
    ['es-MX', 'es'],
    ['en-GB', 'en'],
    ['fr-FR', 'en'],
  ] as const)
    await test.step(`a browser that prefers ${locale} gets '${language}'`, async () => {
      const page = await open(undefined, '/login', { own: { locale } })
      await expect(page.locator('html')).toHaveAttribute('lang', language)
    })
})

test('the language in the URL wins and is remembered', async ({ open }) => {
  const page = await open(undefined, '/?lang=es')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Fondo de Préstamos entre Particulares',
  )
  await page.goto('/login')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Te damos la bienvenida a Peer Lending Pool',
  )
})

test('every screen links to itself in the other language', async ({ open, people }) => {
  for (const [path, session] of [
    ['/', undefined],
    ['/login', undefined],
    ['/register', undefined],
    ['/dashboard', people.investor],
    ['/admin', people.superAdmin],
  ] as const)
    await test.step(path, async () => {
      // A seat each: the choice of a language stays in the browser.
      const page = await open(session, path)
      await page.getByRole('link', { name: 'Español' }).click()
      await expect(page.locator('html')).toHaveAttribute('lang', 'es')
      await expect(page.getByRole('link', { name: 'English' })).toBeVisible()
      expect(new URL(page.url()).pathname).toBe(path)
    })
})

test('the errors of a sign-in are Spanish', async ({ open }) => {
  const page = await open(undefined, '/login?lang=es')
  const submit = page.getByRole('button', { name: 'Iniciar sesión' })
  await page.getByLabel('Correo electrónico').fill('no es un correo')
  await submit.click()
  await expect(page.getByText('Introduce un correo electrónico válido')).toBeVisible()
  await page.getByLabel('Correo electrónico').fill('nadie@example.com')
  await page.getByLabel('Contraseña', { exact: true }).fill('no es la contraseña')
  await submit.click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'Error de inicio de sesión' }),
  ).toContainText('Correo electrónico o contraseña incorrectos.')
})
