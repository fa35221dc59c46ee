import { expect, type Locator, type Page, test } from '@playwright/test'
import { approve, confirm } from '@pool/contract/decisions'
import { deposit, withdraw } from '@pool/contract/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { type Sessions, startSessions } from './pages.ts'
import { newInvestor, newWallet, post, type Session, signedIn } from './prepare.ts'
import { settled } from './steps.ts'

/** The frame of every dialog: its actions, its focus, and the toasts beside it. */

let sessions: Sessions
/** An investor with a deposit and a large withdrawal that wait, and a small one to send. */
let wealthy: Session
test.beforeAll(async ({ playwright, baseURL }) => {
  sessions = await startSessions(playwright, baseURL)
  const { admin } = sessions
  const api = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  wealthy = await newInvestor(api)
  const { userId, token } = wealthy
  await newWallet(api, admin)
  const asked = await post(api, deposit.path, { userId, amount: 12_000 }, token)
  await post(api, confirm.path, { transactionId: asked.transactionId }, admin.token)
  const ask = (amount: number): Promise<{ transactionId: string }> =>
    post(
      api,
      withdraw.path,
      { userId, amount, destinationAddress: newAddress('Polygon'), networkName: 'Polygon' },
      token,
    )
  await post(api, deposit.path, { userId, amount: 60 }, token)
  await ask(11_000)
  const { transactionId } = await ask(20)
  await post(api, approve.path, { transactionId, userId }, admin.token)
  await api.dispose()
})

type Opening = {
  readonly path: string
  /** Finds the wealthy investor's rows, which no other test moves. */
  readonly wealthy?: boolean
  readonly by: 'investor' | 'admin'
  /** Leads to the button, by keyboard. */
  readonly reach?: (page: Page) => Promise<void>
  readonly press: RegExp
  /** The button that has the focus afterwards, if it is another one. */
  readonly returns?: RegExp
  readonly title: string
  /** The last of the actions. */
  readonly action: RegExp
}

const openings: readonly Opening[] = [
  {
    path: '/dashboard',
    by: 'investor',
    press: /^Deposit /,
    title: 'Initiate Deposit',
    action: /^Initiate Deposit$/,
  },
  {
    path: '/dashboard',
    by: 'investor',
    press: /^Withdraw /,
    title: 'Initiate Withdrawal',
    action: /^Initiate Withdrawal$/,
  },
  {
    path: '/dashboard',
    by: 'investor',
    press: /^Invest /,
    title: 'Make Investment',
    action: /^Make Investment$/,
  },
  {
    path: '/dashboard',
    by: 'investor',
    press: /^(Change|Save an address)$/,
    title: 'Payout address',
    action: /^Save address$/,
  },
  {
    path: '/security',
    by: 'investor',
    press: /^Change password$/,
    title: 'Change password',
    action: /^Change Password$/,
  },
  {
    path: '/security',
    by: 'investor',
    press: /^Add an authenticator app$/,
    title: 'Add an authenticator app',
    action: /^Next$/,
  },
  { path: '/admin', by: 'admin', press: /^Pauses$/, title: 'Pauses', action: /^Pause investing$/ },
  {
    path: '/admin?tab=wallets',
    by: 'admin',
    press: /^Add Wallet$/,
    title: 'Add New Wallet',
    action: /^Add Wallet$/,
  },
  {
    path: '/admin?tab=wallets&wallets-status=available',
    by: 'admin',
    press: /^Delete wallet/,
    title: 'Delete Wallet',
    action: /^Delete$/,
  },
  {
    path: '/admin?tab=wallets',
    by: 'admin',
    press: /^Add a List$/,
    title: 'Add a List of Wallets',
    action: /^Add/,
  },
  {
    path: '/admin?tab=wallets&wallets-status=assigned',
    by: 'admin',
    press: /it can be archived instead$/,
    title: 'Archive Wallet',
    action: /^Archive/,
  },
  {
    path: '/admin?tab=transactions&transactions-status=PENDING&transactions-type=deposit',
    wealthy: true,
    by: 'admin',
    press: /^With transaction ID/,
    title: 'Confirm Deposit',
    action: /^Approve Deposit$/,
  },
  {
    path: '/admin?tab=transactions&transactions-status=PENDING&transactions-type=withdrawal',
    wealthy: true,
    by: 'admin',
    press: /^Reject Withdrawal/,
    title: 'Reject Transaction',
    action: /^Reject$/,
  },
  {
    path: '/admin?tab=transactions&transactions-status=PENDING&transactions-type=withdrawal',
    wealthy: true,
    by: 'admin',
    press: /^Approve Withdrawal/,
    title: 'Approve a large withdrawal',
    action: /^Approve Withdrawal$/,
  },
  {
    path: '/admin',
    by: 'admin',
    reach: (page) => page.locator('summary', { hasText: 'To send' }).press('Enter'),
    press: /^Mark the withdrawal of /,
    title: 'Mark as Sent',
    action: /^Mark as Sent$/,
  },
  {
    path: '/admin',
    by: 'admin',
    reach: (page) =>
      page.getByRole('checkbox', { name: 'Select all that are ready' }).press('Space'),
    press: /^Approve \d+…$/,
    title: 'Approve several requests',
    action: /^Approve \d+ · /,
  },
  {
    path: '/dashboard',
    by: 'investor',
    reach: (page) => page.getByRole('button', { name: /^Account / }).press('Enter'),
    press: /^Shortcuts$/,
    returns: /^Account /,
    title: 'Keyboard shortcuts',
    action: /^Close/,
  },
]

/** Opens a dialog by the keyboard on a page that never opened one. */
const open = async (page: Page, opening: Opening): Promise<[Locator, Locator]> => {
  const { path, press, returns = press, title } = opening
  await page.goto(opening.wealthy ? `${path}&transactions-search=${wealthy.username}` : path)
  await settled(page)
  await opening.reach?.(page)
  const opener = page.getByRole('button', { name: press }).first()
  const dialog = page.getByRole('dialog', { name: title })
  await expect(async () => {
    // A button does nothing for a second after its row moved, which it may do before the press.
    await expect(opener).not.toHaveAttribute('aria-disabled', 'true')
    if (!(await dialog.isVisible())) await opener.press('Enter')
    await expect(dialog).toBeVisible({ timeout: 5_000 })
  }).toPass()
  return [dialog, page.getByRole('button', { name: returns }).first()]
}

for (const opening of openings) {
  test(`the first '${opening.title}' gives the focus back`, async ({ browser, baseURL }) => {
    const context = await signedIn(browser, sessions[opening.by], { baseURL })
    const page = await context.newPage()
    const [dialog, opener] = await open(page, opening)
    await expect(dialog.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(opener).toBeFocused()
    await context.close()
  })

  for (const [width, height] of [
    [1280, 800],
    [375, 667],
  ] as const)
    test(`the actions of '${opening.title}' are in view at ${width} px`, async ({
      browser,
      baseURL,
    }) => {
      const context = await signedIn(browser, sessions[opening.by], {
        baseURL,
        viewport: { width, height },
        reducedMotion: 'reduce',
      })
      const page = await context.newPage()
      const [dialog] = await open(page, opening)
      const action = dialog.getByRole('button', { name: opening.action })
      await expect(action).toBeInViewport({ ratio: 1 })
      const box = await dialog.boundingBox()
      // A sheet of the whole width at the bottom of a phone, else a window in the middle.
      if (width === 375) expect([box?.x, box?.width]).toEqual([0, 375])
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height)
      const blurred = await page.evaluate(
        () =>
          [...document.querySelectorAll('.mantine-Modal-overlay')].filter(
            (overlay) => !/^(none|blur\(0px\))$/.test(getComputedStyle(overlay).backdropFilter),
          ).length,
      )
      expect(blurred).toBe(0)
      await context.close()
    })
}

test('the deposit address gives the focus back', async ({ browser, baseURL }) => {
  const context = await signedIn(browser, sessions.investor, { baseURL })
  const page = await context.newPage()
  const [asking, opener] = await open(page, openings[0] as Opening)
  await asking.getByLabel('Amount').fill('75')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Deposit Address' })
  await expect(dialog).toBeVisible()
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
  await context.close()
})

test('a refused submit keeps the focus and says why', async ({ browser, baseURL }) => {
  const context = await signedIn(browser, sessions.investor, {
    baseURL,
    viewport: { width: 375, height: 667 },
  })
  const page = await context.newPage()
  await page.route('**/investments/invest', (route) =>
    route.fulfill({
      status: 409,
      json: { successful: false, narration: 'Not today.', body: null },
    }),
  )
  const [dialog] = await open(page, openings[2] as Opening)
  await dialog.getByLabel('Duration').selectOption('5')
  const submit = dialog.getByRole('button', { name: 'Make Investment' })
  await submit.press('Enter')
  await expect(dialog.getByLabel('Amount')).toBeFocused()
  await dialog.getByLabel('Amount').fill('10')
  await submit.press('Enter')
  const alert = dialog.getByRole('alert')
  await expect(alert).toHaveText('Not today.')
  await expect(alert).toBeInViewport({ ratio: 1 })
  await expect(submit).toBeFocused()
  await context.close()
})
