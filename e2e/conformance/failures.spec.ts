import { expect, type Page } from '@playwright/test'
import { answer, EMAIL, page as html, made, no, ok, serve } from './answers.ts'
import { button, configured, settles, stopClock, test } from './browser.ts'

/**
 * The sentences of a failed call (docs/product.md 12.1, 12.2), on the sign-in page, which calls
 * nothing else.
 */

const signIn = async (page: Page) => {
  await page.getByLabel('Email').fill(EMAIL)
  await page.getByLabel('Password', { exact: true }).fill('a quiet password')
  await button(page, 'Sign in').click()
}
const said = (page: Page, sentence: string) =>
  expect(page.getByRole('alert').getByText(sentence, { exact: true })).toBeVisible()

test('narration precedes message, message error, and error status', async ({ page }) => {
  const told = [
    [
      answer(409, {
        successful: false,
        narration: 'Narration',
        message: 'Message',
        error: 'Error',
      }),
      'Narration',
    ],
    [
      answer(409, { successful: false, narration: '', message: 'Message', error: 'Error' }),
      'Message',
    ],
    [answer(409, { successful: false, error: 'Error' }), 'Error'],
    [no(400), 'Bad request. Please check your input.'],
    [no(401), 'Unauthorized. Please login again.'],
    [no(403), "Access denied. You don't have permission for this action."],
    [no(404), 'Resource not found.'],
    [html(500), 'Server error. Please try again later.'],
    [html(502), 'Bad gateway. Please try again later.'],
    [no(503), 'Service unavailable. Please try again later.'],
    [no(418), 'Server error (418). Please try again.'],
    [html(200), 'Login failed'],
  ] as const
  await serve(page, { login: (_, before) => told[before]?.[0] ?? 'silence' })
  await page.goto('/login')
  for (const [, sentence] of told) {
    await signIn(page)
    await said(page, sentence)
  }
})

test('four kinds of missing responses have their own sentences', async ({ page, context }) => {
  const health = [ok({ database: 'up' }), 'refused', 'silence'] as const
  const calls = await serve(page, {
    login: (_, before) => (before === 3 ? 'silence' : 'refused'),
    health: (_, before) => health[before] ?? 'refused',
  })
  await page.clock.install()
  await page.goto('/login')
  await signIn(page)
  await said(page, 'Network error. Please check your internet connection.')
  await signIn(page)
  await said(page, 'Backend server not available')

  // The health call has a timeout of three seconds, others of thirty.
  const busy = button(page, 'Signing in...')
  for (const [name, count, limit, sentence] of [
    ['health', 3, 3_000, 'Backend server not available'],
    ['login', 4, 30_000, 'Request timeout. Please try again.'],
  ] as const) {
    await stopClock(page)
    await signIn(page)
    await expect.poll(() => made(calls, name)).toHaveLength(count)
    await page.clock.runFor(limit - 100)
    await expect(busy).toBeVisible()
    await page.clock.runFor(200)
    await settles(page, () => page.getByText(sentence, { exact: true }).isVisible())
    await page.clock.resume()
  }
  expect(made(calls, 'health')[0]).toBe('GET /api/v1/health')

  await context.setOffline(true)
  await signIn(page)
  await said(page, 'Network error. Please check your internet connection.')
})

test('a foreign server that refuses this site has its sentence', async ({
  page,
  context,
  baseURL,
}) => {
  // Chromium asks before a page may call this machine. The test is not about that.
  await context.grantPermissions(['local-network-access'])
  await configured(page, { apiHost: baseURL?.replace('localhost', '127.0.0.1') ?? '' })
  await page.goto('/login')
  await signIn(page)
  await said(page, 'The server does not accept requests from this site. Please contact support.')
})
