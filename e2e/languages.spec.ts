import { expect, test } from '@playwright/test'
import { SUPER_ADMIN } from './people.ts'
import { newInvestor, signedIn, startSession } from './prepare.ts'
import { settled } from './steps.ts'

/** A visitor's language: its choice, its memory, and its errors. */

test.describe('a visitor gets the language', () => {
  for (const [locale, language] of [
    ['es-MX', 'es'],
    ['en-GB', 'en'],
    ['fr-FR', 'en'],
  ] as const) {
    test(`a browser that prefers ${locale} gets '${language}'`, async ({ browser, baseURL }) => {
      const context = await browser.newContext({ baseURL: baseURL ?? '', locale })
      const page = await context.newPage()
      await page.goto('/login')
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await context.close()
    })
  }

  test('the language in the URL wins and is remembered', async ({ browser, baseURL }) => {
    const context = await browser.newContext({ baseURL: baseURL ?? '', locale: 'en-US' })
    const page = await context.newPage()
    await page.goto('/?lang=es')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Fondo de Préstamos entre Particulares',
    )
    await page.goto('/login')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      'Te damos la bienvenida a Peer Lending Pool',
    )
    await context.close()
  })
})

test('every screen links to itself in the other language', async ({
  browser,
  baseURL,
  playwright,
}) => {
  const api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const [investor, admin] = [await newInvestor(api), await startSession(SUPER_ADMIN, api)]
  for (const [path, session] of [
    ['/', undefined],
    ['/login', undefined],
    ['/register', undefined],
    ['/dashboard', investor],
    ['/admin', admin],
  ] as const) {
    const context = await signedIn(browser, session, { baseURL, locale: 'en-US' })
    const page = await context.newPage()
    await page.goto(path)
    await settled(page)
    await page.getByRole('link', { name: 'Español' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
    await expect(page.getByRole('link', { name: 'English' })).toBeVisible()
    expect(new URL(page.url()).pathname).toBe(path)
    await context.close()
  }
  await api.dispose()
})

test('the errors of a sign-in are Spanish', async ({ page }) => {
  await page.goto('/login?lang=es')
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
