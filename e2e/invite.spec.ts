import { expect, type Page } from '@playwright/test'
import { test } from './fixtures.ts'
import { newcomer } from './people.ts'
import { expectAccessible, mailedLink, settled, signIn } from './steps.ts'

/** An invite to the staff, from the button to the first sign-in. */

const NEW = 'a much quieter password'

const fill = async (page: Page, chosen: string) => {
  await page.getByLabel('New password', { exact: true }).fill(chosen)
  await page.getByLabel('Confirm new password').fill(chosen)
  await page.keyboard.press('Enter')
}

test('an invited auditor signs in', async ({ open, pool }) => {
  const email = newcomer().email
  const second = await pool.person(['SUPER_ADMIN'])
  const staff = await pool.superAdmin()
  const page = await open(staff, '/admin?tab=users')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite to the staff' })
  await dialog.getByLabel('Email').fill(second.username)
  await dialog.getByRole('button', { name: 'Ask for approval' }).click()
  await expect(dialog.getByText('Please give a reason.')).toBeVisible()
  await expectAccessible(page, 'invite-dialog')
  await dialog.getByLabel('First name').fill('Grace')
  await dialog.getByLabel('Last name').fill('Hopper')
  await dialog.getByLabel('Role').selectOption('Auditor')
  await dialog.getByLabel('Reason').fill('Audits the year')
  await dialog.getByRole('button', { name: 'Ask for approval' }).click()
  await expect(dialog).toContainText('This address has an account.')
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('button', { name: 'Ask for approval' }).click()
  const changes = page.getByRole('region', { name: 'Open changes of access' })
  const name = `Invite as Auditor, ${email}`
  await expect(changes.getByRole('button', { name: `Withdraw: ${name}` })).toBeVisible()
  await expect(changes.getByRole('button', { name: `Approve: ${name}` })).toHaveCount(0)

  const other = await open(second, '/admin?tab=users')
  const approve = other.getByRole('button', { name: `Approve: ${name}` })
  await approve.focus()
  await other.keyboard.press('Enter')
  await expect(other.getByText('Approved. It is in force now.')).toBeVisible()
  const line = other
    .getByRole('region', { name: 'Open changes of access' })
    .getByRole('listitem')
    .filter({ hasText: email })
  await expect(line).toContainText('Emailed. The link works until')
  await expect(approve).toHaveCount(0)
  const queue = other.getByRole('list', { name: 'Waiting requests' })
  await expect(queue.getByRole('listitem').filter({ hasText: email })).toContainText('APPROVED')
  await expectAccessible(other, 'invite-mailed')
  const link = await mailedLink(pool, email, {
    subject: 'You are invited',
    name: 'Open my account',
  })

  const invited = await open(undefined)
  await invited.goto(link)
  await settled(invited)
  await expect(invited.getByRole('heading', { level: 1 })).toHaveText('Welcome to the staff')
  await expectAccessible(invited, 'invite-accepted')
  await fill(invited, 'Grace Hopper')
  await expect(invited.getByLabel('New password', { exact: true })).toHaveAccessibleDescription(
    /too easy to guess/,
  )
  await fill(invited, NEW)
  await expect(invited).toHaveURL('/login')
  await expect(invited.getByText('Your account is open. Please sign in')).toBeVisible()
  await signIn(invited, { email, password: NEW })
  await invited.goto('/admin?tab=users')
  await expect(invited.getByRole('main').getByText(email).first()).toBeVisible()
  await expect(invited.getByRole('button', { name: 'Invite', exact: true })).toHaveCount(0)

  await invited.goto(link)
  await settled(invited)
  await fill(invited, NEW)
  await expect(invited.getByRole('alert')).toContainText('This invite was used or withdrawn')
  await expect(invited.getByRole('link', { name: 'Ask for a new link' })).toHaveCount(0)
})
