import { expect, type Page } from '@playwright/test'
import { beginTotp, confirmTotp, listFactors } from '@pool/contract/accounts/factors'
import { login } from '@pool/contract/accounts/users'
import { adminFigures } from '@pool/contract/reports/figures'
import { type App, appWith } from '../server/testing/authenticator.ts'
import { test } from './fixtures.ts'
import { PASSWORD, type Session } from './people.ts'
import type { Pool } from './pool.ts'
import { busyInvestor } from './prepare.ts'
import { chooseInMenu, expectAccessible, settled } from './steps.ts'
import { PHONE } from './widths.ts'

/** Second factors: added, asked for at sign-in and before money moves, and removed. */

/** Fills the sign-in form by keyboard, up to the second step. */
const signInWith = async (page: Page, email: string) => {
  await page.goto('/login')
  await settled(page)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
}
const out = async (page: Page) => {
  await page.getByRole('button', { name: 'Logout' }).first().click()
  await expect(page).toHaveURL('/')
}

/** Adds an app through the API, and signs in with it. The proven factor is older than 5 minutes. */
const withApp = async (
  pool: Pool,
  investor: Session,
): Promise<{ readonly session: Session; readonly app: App }> => {
  const { username, userId } = investor
  const { secret, enrolment } = await pool.call(beginTotp, investor, { password: PASSWORD })
  const app = appWith(secret)
  await pool.call(confirmTotp, investor, { enrolment, name: 'My phone', code: app.code(-1) })
  const factor = { kind: 'TOTP', code: app.code() }
  const session = await pool.call(login, undefined, { username, password: PASSWORD, factor })
  await pool.ageFactors(userId)
  return { session: session as Session, app }
}

test('an app is asked for at sign-in', async ({ open, pool }) => {
  const investor = await pool.person()
  const page = await open(investor, '/dashboard')
  await chooseInMenu(page, /^Security/)
  const card = page.getByRole('region', { name: 'Second factors' })
  await expect(card).toContainText('You have none yet.')

  const add = card.getByRole('button', { name: 'Add an authenticator app' })
  await add.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' })
  await expect(dialog.getByLabel('Your password')).toBeFocused()
  await page.keyboard.type('not my password')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('The current password is not right.')
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('img', { name: 'Code for your authenticator app' })).toBeVisible()
  await expectAccessible(page, 'factors-scan', '[role=dialog]')
  const secret = (await dialog.locator('code').innerText()).replaceAll(/\s/g, '')
  const app = appWith(secret)
  await expect(dialog.getByLabel('Six digits from the app')).toBeFocused()
  await page.keyboard.type('000')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText('This code is not right, or was used already.')
  await dialog.getByLabel('Six digits from the app').fill(app.code(-1))
  await page.keyboard.press('Enter')

  const codes = page.getByRole('dialog', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  const recovery = await codes.getByRole('listitem').first().innerText()
  await expectAccessible(page, 'factors-codes', '[role=dialog]')
  // As on plain http.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await codes.getByRole('button', { name: 'Copy' }).click()
  await expect(codes.getByRole('status')).toHaveText('Please select and copy the codes yourself.')
  const download = page.waitForEvent('download')
  await codes.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('recovery-codes.txt')
  await page.keyboard.press('Escape')
  await expect(codes).toBeVisible()
  await codes.getByRole('button', { name: 'I have saved them' }).click()
  await expect(card.getByRole('listitem')).toContainText('Authenticator app')
  await expect(card).toContainText('10 recovery codes are left.')
  await expect(add).toBeFocused()
  await expectAccessible(page, 'factors-one')

  await out(page)
  await signInWith(page, investor.username)
  const code = page.getByLabel('Code from your authenticator app')
  await expect(code).toBeFocused()
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code')
  await expectAccessible(page, 'factors-sign-in')
  await page.keyboard.type('123')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText('This code is not right, or was used already.')
  await code.fill(app.code())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')

  await out(page)
  await signInWith(page, investor.username)
  await page.getByRole('button', { name: 'Use a recovery code' }).click()
  await page.getByLabel('Recovery code').fill(recovery.toLowerCase())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')
})

test('a withdrawal asks for the factor in place', async ({ open, pool }) => {
  const { session, app } = await withApp(pool, await busyInvestor(pool))
  const page = await open(session, '/dashboard')
  await page.getByRole('button', { name: /^Withdraw/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Initiate Withdrawal' })
  await dialog.getByLabel(/^Amount/).fill('25')
  const sent: (string | undefined)[] = []
  page.on('request', (asked) => {
    if (asked.url().endsWith('/withdraw')) sent.push(asked.headers()['idempotency-key'])
  })
  const submit = dialog.getByRole('button', { name: 'Initiate Withdrawal' })
  await submit.click()
  const question = page.getByRole('dialog', { name: 'Confirm it is you' })
  const code = question.getByLabel('Code from your authenticator app')
  await expect(code).toBeFocused()
  await expectAccessible(page, 'factors-step-up', '[role=dialog]:last-of-type')

  // Giving up gives the refusal, and what was typed stays.
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(dialog.getByRole('alert')).toHaveText(
    'Please confirm with your second factor that it is you.',
  )
  await expect(dialog.getByLabel(/^Amount/)).toHaveValue(/25/)
  await submit.click()
  await expect(code).toBeFocused()
  await page.keyboard.type('000')
  await page.keyboard.press('Enter')
  await expect(question.getByRole('alert')).toContainText('This code is not right')
  await code.fill(app.code(1))
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await expect(dialog).toBeHidden()
  expect(sent).toHaveLength(3)
  expect(sent[2]).toBe(sent[1])
})

test('a passkey is added, signs in alone and is removed', async ({ open, pool }) => {
  const investor = await pool.person()
  const page = await open(investor, undefined, { viewport: PHONE, own: {} })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto('/security')
  await settled(page)
  const card = page.getByRole('region', { name: 'Second factors' })
  await card.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByLabel('Name').fill('My laptop')
  await expectAccessible(page, 'passkey-add', '[role=dialog]')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'I have saved them' }).click()
  await expect(card.getByRole('listitem')).toContainText('My laptop')

  await card.getByRole('button', { name: 'Rename My laptop' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Old laptop')
  await page.keyboard.press('Enter')
  await expect(card.getByRole('listitem')).toContainText('Old laptop')

  await out(page)
  await page.goto('/login')
  await settled(page)
  await page.getByRole('button', { name: 'Use a passkey instead' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')

  await out(page)
  await signInWith(page, investor.username)
  await expectAccessible(page, 'passkey-sign-in')
  await page.getByRole('button', { name: 'Use a passkey' }).focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')

  // Without its owner's finger, the device refuses.
  await out(page)
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.goto('/login')
  await settled(page)
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(page.getByRole('alert')).toContainText('No passkey was used.')
  await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  await page.getByRole('button', { name: 'Use a passkey instead' }).click()
  await expect(page).toHaveURL('/dashboard')

  await page.goto('/security')
  await card.getByRole('button', { name: 'Remove Old laptop' }).click()
  const removal = page.getByRole('dialog', { name: 'Remove a second factor' })
  await expect(removal).toContainText('It is your last one.')
  await removal.getByRole('button', { name: 'Remove' }).click()
  await expect(card).toContainText('You have none yet.')
  // The button that opened the dialog is gone.
  await expect(page.locator('main')).toBeFocused()
})

test('staff who need a factor are led to add one', async ({ open, people }) => {
  const page = await open(people.superAdmin)
  const narration = 'Please add a second factor to your account first.'
  const refusal = { successful: false, narration, body: { code: 'enrolFactor' } }
  // Only live mode refuses so. The list says there that a factor is needed.
  await page.route(`**${adminFigures.path}*`, (route) =>
    route.fulfill({ status: 403, json: refusal }),
  )
  await page.route(`**${listFactors.path}`, (route) =>
    route.fulfill({
      json: {
        successful: true,
        narration: 'OK',
        body: { factors: [], recoveryCodes: 0, required: true },
      },
    }),
  )
  await page.goto('/admin')
  await expect(page).toHaveURL('/security')
  await expect(page.getByRole('region', { name: 'Second factors' })).toContainText(
    'Staff need a second factor here. Add one to go on.',
  )
  await expectAccessible(page, 'factors-required')
})
