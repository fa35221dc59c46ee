import { expect, type Page } from '@playwright/test'
import { no, of, ok, type Reply, serve } from './answers.ts'
import { button, test } from './browser.ts'

const since = [2026, 3, 5, 5, 6, 7, 0]
const REASON = 'The bank is closed until Monday.'

const openPauses = async (page: Page) => {
  await page.goto('/admin')
  await button(page, 'Pauses').click()
  return page.getByRole('dialog')
}

test.describe('of a super admin', () => {
  test.use({ role: 'SUPER_ADMIN' })

  test('a pause needs a reason and shows the response', async ({ page }) => {
    const answer = Promise.withResolvers<Reply>()
    const calls = await serve(page, { pause: () => answer.promise })
    const dialog = await openPauses(page)
    const pausable = dialog.getByRole('listitem')
    await expect(pausable).toHaveText([
      /^Deposits\s*Running/,
      /^Withdrawals\s*Running/,
      /^Investing\s*Running/,
    ])
    await button(dialog, 'Pause withdrawals').click()
    const field = dialog.getByLabel('Reason')
    await expect(field).toBeFocused()
    await expect(dialog).toContainText('Pending ones can still be approved or rejected.')
    await button(dialog, 'Pause withdrawals').click()
    await expect(field).toHaveAccessibleDescription(/Please give a reason/)
    expect(of(calls, 'pause')).toEqual([])
    await field.fill(`  ${REASON} `)
    await button(dialog, 'Pause withdrawals').click()
    await expect(button(dialog, 'Pausing…')).toBeDisabled()
    await expect(button(dialog, 'Cancel')).toBeDisabled()
    await page.keyboard.press('Escape')
    answer.resolve(ok([{ name: 'withdrawals', since, reason: REASON }]))
    await expect(pausable.nth(1)).toContainText(
      /Paused since Mar 5, 2026.*The bank is closed until Monday\./,
    )
    await expect(button(dialog, 'Resume withdrawals')).toBeFocused()
    expect(of(calls, 'pause')).toMatchObject([
      { method: 'PUT', path: '/api/v1/admin/pauses/withdrawals', payload: { reason: REASON } },
    ])
    await expect(
      page.getByRole('status').filter({ hasText: 'New withdrawals are paused for now.' }),
    ).toHaveCount(1)
  })

  test('a refusal shows in place and keeps the input', async ({ page }) => {
    await serve(page, { pause: no(403, 'Super admins only.') })
    const dialog = await openPauses(page)
    await button(dialog, 'Pause deposits').click()
    await dialog.getByLabel('Reason').fill(REASON)
    await button(dialog, 'Pause deposits').click()
    await expect(dialog.getByRole('alert')).toHaveText('Super admins only.')
    await expect(dialog.getByLabel('Reason')).toHaveValue(REASON)
    await button(dialog, 'Cancel').click()
    await expect(button(dialog, 'Pause deposits')).toBeFocused()
    await expect(dialog.getByRole('listitem').first()).toContainText('Running')
  })

  test('a pause can get another reason and end on confirmation', async ({ page }) => {
    const calls = await serve(page, {
      listPauses: ok([{ name: 'investing', since, reason: REASON }]),
      pause: ok([{ name: 'investing', since, reason: 'Longer than thought.' }]),
      resume: ok([]),
    })
    const dialog = await openPauses(page)
    await button(dialog, 'Change why investing is paused').click()
    await expect(dialog.getByLabel('Reason')).toHaveValue(REASON)
    await dialog.getByLabel('Reason').fill('Longer than thought.')
    await button(dialog, 'Change why investing is paused').click()
    await expect(dialog.getByRole('listitem').last()).toContainText('Longer than thought.')
    await button(dialog, 'Resume investing').click()
    expect(of(calls, 'resume')).toEqual([])
    await expect(dialog).toContainText('Investors will be able to invest again.')
    await button(dialog, 'Resume investing').click()
    await expect(dialog.getByRole('listitem').last()).toContainText('Running')
    expect(of(calls, 'resume')).toMatchObject([
      { method: 'DELETE', path: '/api/v1/admin/pauses/investing', payload: null },
    ])
  })

  test('a failed load of pauses says so and offers Retry', async ({ page }) => {
    let isUp = false
    await serve(page, { listPauses: () => (isUp ? ok([]) : no(500, 'No database.')) })
    const dialog = await openPauses(page)
    await expect(dialog.getByText('No database.')).toBeVisible()
    isUp = true
    await button(dialog, 'Retry').click()
    await expect(dialog.getByRole('listitem')).toHaveCount(3)
  })
})

test.describe('of an admin', () => {
  test.use({ role: 'admin' })

  test('the dashboard shows pauses and offers no change', async ({ page }) => {
    await serve(page, { listPauses: ok([{ name: 'deposits', since, reason: REASON }]) })
    await page.goto('/admin')
    await expect(
      page.getByRole('status').filter({ hasText: 'New deposits are paused for now.' }),
    ).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Audit trail' })).toBeVisible()
    await expect(button(page, 'Pauses')).toHaveCount(0)
  })
})
