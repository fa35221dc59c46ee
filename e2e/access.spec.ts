import { expect, test } from '@playwright/test'
import { beginTotp, confirmTotp } from '@pool/contract/factors'
import { login } from '@pool/contract/users'
import { appWith } from '../server/testing/authenticator.ts'
import { SUPER_ADMIN } from './people.ts'
import { newInvestor, post, signedIn, startSession } from './prepare.ts'
import { grant, looksGood } from './steps.ts'

/** Changes of access on screen, by two super admins. */

for (const viewport of [
  { width: 375, height: 812 },
  { width: 1280, height: 800 },
])
  test(`two super admins make an admin at ${viewport.width} px`, async ({
    browser,
    baseURL,
    request,
  }) => {
    const subject = await newInvestor(request)
    const second = await newInvestor(request)
    grant(second.username, 'SUPER_ADMIN')
    const staff = await startSession(SUPER_ADMIN, request)
    const page = await (await signedIn(browser, staff, { baseURL, viewport })).newPage()
    await page.goto(`/admin/users/${subject.userId}`)
    await page.getByRole('button', { name: 'Change access' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change access' })
    await dialog.getByLabel('Change').selectOption('Give the role Admin')
    await dialog.getByRole('button', { name: 'Ask for it' }).click()
    await expect(dialog.getByText('Please give a reason.')).toBeVisible()
    await looksGood(page, 'access-dialog')
    await dialog.getByLabel('Reason').fill('Joins the desk')
    await dialog.getByRole('button', { name: 'Ask for it' }).click()
    const waiting = page.getByRole('region', { name: 'Open changes of access' })
    await expect(waiting).toContainText('Give the role Admin')
    await expect(waiting.getByRole('button', { name: /^Withdraw/ })).toBeVisible()
    await expect(waiting.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
    await page.context().close()

    const roles = [{ type: 'SUPER_ADMIN' }]
    const other = await (
      await signedIn(browser, { ...second, roles }, { baseURL, viewport })
    ).newPage()
    await other.goto('/admin?tab=users')
    const name = `Give the role Admin, ${subject.username}`
    const approve = other.getByRole('button', { name: `Approve: ${name}` })
    await expect(approve).toBeVisible()
    await other.goto(`/admin/users/${subject.userId}`)
    await expect(approve).toBeVisible()
    await looksGood(other, 'access-open')
    await approve.focus()
    await other.keyboard.press('Enter')
    await expect(other.getByText('Approved. It is in force now.')).toBeVisible()
    await expect(approve).toHaveCount(0)
    await expect(other.getByRole('region', { name: 'Sign-in' })).toContainText('Admin, User')
    const trail = other.getByRole('region', { name: 'What staff did' })
    await expect(trail).toContainText('give a role')
    await expect(trail).not.toContainText('GRANT')
    await other.getByRole('button', { name: 'Change access' }).click()
    const choices = other.getByRole('dialog', { name: 'Change access' }).getByLabel('Change')
    await expect(choices).toContainText('Give the role Super admin')
    await expect(choices).not.toContainText('Auditor')
    await other.context().close()
  })

test('a reset rests until its owner signs in', async ({ browser, baseURL, request }) => {
  const viewport = { width: 375, height: 812 }
  const { username, userId, token } = await newInvestor(request)
  const password = 'a quiet password'
  const begun = await post(request, beginTotp.path, { password }, token)
  const app = appWith(begun.secret)
  const { enrolment } = begun
  await post(request, confirmTotp.path, { enrolment, name: 'Phone', code: app.code(-1) }, token)
  const second = await newInvestor(request)
  grant(second.username, 'SUPER_ADMIN')
  const staff = await startSession(SUPER_ADMIN, request)
  const page = await (await signedIn(browser, staff, { baseURL, viewport })).newPage()
  await page.goto(`/admin/users/${userId}`)
  await page.getByRole('button', { name: 'Change access' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change access' })
  await dialog.getByLabel('Change').selectOption('Reset lost second factors')
  await expect(dialog).toContainText('It rests for 24 hours')
  await dialog.getByLabel('Reason').fill('Lost the phone')
  await dialog.getByRole('button', { name: 'Ask for it' }).click()
  const changes = page.getByRole('region', { name: 'Open changes of access' })
  await expect(changes).toContainText('Reset lost second factors')

  const roles = [{ type: 'SUPER_ADMIN' }]
  const other = await (
    await signedIn(browser, { ...second, roles }, { baseURL, viewport })
  ).newPage()
  await other.goto(`/admin/users/${userId}`)
  const line = other.getByRole('region', { name: 'Open changes of access' })
  await line.getByRole('button', { name: /^Approve/ }).click()
  await expect(other.getByText('Approved. It has effect in 24 hours')).toBeVisible()
  await expect(line).toContainText('Has effect from')
  await expect(line.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await expect(line.getByRole('button', { name: /^Stop/ })).toBeVisible()
  await looksGood(other, 'access-resting')
  const facts = other.getByRole('region', { name: 'Sign-in' }).locator('dd')
  const widths = await facts.evaluateAll((all) => all.map(({ clientWidth }) => clientWidth))
  expect(Math.min(...widths)).toBeGreaterThan(250)

  const factor = { kind: 'TOTP', code: app.code() }
  await post(request, login.path, { username, password, factor })
  await other.reload()
  await expect(other.getByRole('region', { name: 'Sign-in' })).toContainText('Phone')
  await expect(line).toHaveCount(0)
})
