import { expect } from '@playwright/test'
import { beginTotp, confirmTotp } from '@pool/contract/accounts/factors'
import { login } from '@pool/contract/accounts/users'
import { askProposal } from '@pool/contract/agreements/proposals'
import { appWith } from '../server/testing/authenticator.ts'
import { test } from './fixtures.ts'
import { PASSWORD } from './people.ts'
import { expectAccessible } from './steps.ts'
import { PHONE } from './widths.ts'

/** Changes of access on screen, by two super admins. */

test('two super admins make an admin', async ({ open, pool }) => {
  const subject = await pool.person()
  const second = await pool.person(['SUPER_ADMIN'])
  const staff = await pool.superAdmin()
  const page = await open(staff, `/admin/users/${subject.userId}`)
  await page.getByRole('button', { name: 'Change access' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change access' })
  await dialog.getByLabel('Change').selectOption('Give the role Admin')
  await dialog.getByRole('button', { name: 'Ask for approval' }).click()
  await expect(dialog.getByText('Please give a reason.')).toBeVisible()
  await expectAccessible(page, 'access-dialog')
  await dialog.getByLabel('Reason').fill('Joins the desk')
  await dialog.getByRole('button', { name: 'Ask for approval' }).click()
  const waiting = page.getByRole('region', { name: 'Open changes of access' })
  await expect(waiting).toContainText('Give the role Admin')
  await expect(waiting.getByRole('button', { name: /^Withdraw/ })).toBeVisible()
  await expect(waiting.getByRole('button', { name: /^Approve/ })).toHaveCount(0)

  const other = await open(second, '/admin?tab=users')
  const name = `Give the role Admin, ${subject.username}`
  const approve = other.getByRole('button', { name: `Approve: ${name}` })
  await expect(approve).toBeVisible()
  await other.goto(`/admin/users/${subject.userId}`)
  await expect(approve).toBeVisible()
  await expectAccessible(other, 'access-open')
  await approve.focus()
  await other.keyboard.press('Enter')
  await expect(other.getByText('Approved. It is in force now.')).toBeVisible()
  await expect(approve).toHaveCount(0)
  await expect(other.getByRole('region', { name: 'Sign-in' })).toContainText('Admin, Client')
  const trail = other.getByRole('region', { name: 'Timeline' })
  await expect(trail).toContainText('give a role')
  await expect(trail).not.toContainText('GRANT')
  await other.getByRole('button', { name: 'Change access' }).click()
  const choices = other.getByRole('dialog', { name: 'Change access' }).getByLabel('Change')
  await expect(choices).toContainText('Give the role Super admin')
  await expect(choices).not.toContainText('Auditor')
})

test('a role is given from the queue', async ({ open, pool }) => {
  const subject = await pool.person()
  const second = await pool.person(['SUPER_ADMIN'])
  const staff = await pool.superAdmin()
  await pool.call(askProposal, staff, {
    kind: 'GRANT',
    role: 'ADMIN',
    userId: subject.userId,
    reason: 'Joins the desk',
  })
  const asker = await open(staff, '/admin')
  const name = new RegExp(`^Give the role Admin, ${subject.username}, waiting for`)
  await asker.getByRole('button', { name }).click()
  await expect(asker.getByText('You asked for it. Another super admin must')).toBeVisible()
  await expect(asker.getByRole('button', { name: 'Approve', exact: true })).toBeDisabled()

  const other = await open(second, '/admin')
  const queue = other.getByRole('list', { name: 'Waiting requests' })
  const line = queue.getByRole('listitem').filter({ hasText: subject.username })
  await line.getByRole('button', { name }).click()
  await expect(other.getByRole('region', { name: 'Request' })).toContainText('Joins the desk')
  await expectAccessible(other, 'queue-proposal')
  await other.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(other.getByText('Approved. It is in force now.')).toBeVisible()
  await expect(line).toContainText('APPROVED')
})

test('a reset rests until its owner signs in', async ({ open, pool }) => {
  const viewport = PHONE
  const investor = await pool.person()
  const { username, userId } = investor
  const password = PASSWORD
  const begun = await pool.call(beginTotp, investor, { password })
  const app = appWith(begun.secret)
  const { enrolment } = begun
  await pool.call(confirmTotp, investor, { enrolment, name: 'Phone', code: app.code(-1) })
  const second = await pool.person(['SUPER_ADMIN'])
  const staff = await pool.superAdmin()
  const page = await open(staff, `/admin/users/${userId}`, { viewport })
  await page.getByRole('button', { name: 'Change access' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change access' })
  await dialog.getByLabel('Change').selectOption('Reset lost second factors')
  await expect(dialog).toContainText('it takes effect 24 hours later')
  await dialog.getByLabel('Reason').fill('Lost the phone')
  await dialog.getByRole('button', { name: 'Ask for approval' }).click()
  const changes = page.getByRole('region', { name: 'Open changes of access' })
  await expect(changes).toContainText('Reset lost second factors')

  const other = await open(second, `/admin/users/${userId}`, { viewport })
  const line = other.getByRole('region', { name: 'Open changes of access' })
  await line.getByRole('button', { name: /^Approve/ }).click()
  await expect(other.getByText('Approved. It takes effect in 24 hours')).toBeVisible()
  await expect(line).toContainText('Takes effect from')
  await expect(line.getByRole('button', { name: /^Approve/ })).toHaveCount(0)
  await expect(line.getByRole('button', { name: /^Stop/ })).toBeVisible()
  await expectAccessible(other, 'access-resting')
  const facts = other.getByRole('region', { name: 'Sign-in' }).locator('dd')
  const widths = await facts.evaluateAll((all) => all.map(({ clientWidth }) => clientWidth))
  expect(Math.min(...widths)).toBeGreaterThan(250)

  const factor = { kind: 'TOTP', code: app.code() }
  await pool.call(login, undefined, { username, password, factor })
  await other.reload()
  await expect(other.getByRole('region', { name: 'Sign-in' })).toContainText('Phone')
  await expect(line).toHaveCount(0)
})
