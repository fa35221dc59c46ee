import type { Locator, Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { approve } from '@pool/contract/requests/decisions'
import { deposit, withdraw } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { test } from './fixtures.ts'
import type { Session } from './people.ts'
import { fund, newWallet } from './prepare.ts'
import { settled } from './steps.ts'
import { DESK } from './widths.ts'

/** The frame of every dialog: its actions, its focus, and the toasts beside it. */

// In turn, so that the requests are made once.
test.describe.configure({ mode: 'default' })

/** An investor with a deposit and a large withdrawal that wait, and a small one to send. */
let wealthy: Session
test.beforeAll(async ({ pool }) => {
  wealthy = await pool.person()
  const { userId } = wealthy
  await fund(pool, wealthy, 12_000)
  const ask = (amount: number) =>
    pool.call(withdraw, wealthy, {
      userId,
      amount,
      destinationAddress: newAddress('Polygon'),
      networkName: 'Polygon',
    })
  await pool.call(deposit, wealthy, { userId, amount: 60 })
  await ask(11_000)
  const { transactionId } = await ask(20)
  await pool.call(approve, await pool.superAdmin(), { transactionId, userId })
})

type Opening = {
  readonly path: string
  /** Finds the wealthy investor's rows, which no other test moves. */
  readonly wealthy?: boolean
  readonly by: 'investor' | 'superAdmin'
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
    action: /^Change password$/,
  },
  {
    path: '/security',
    by: 'investor',
    press: /^Add an authenticator app$/,
    title: 'Add an authenticator app',
    action: /^Next$/,
  },
  {
    path: '/admin',
    by: 'superAdmin',
    press: /^Pauses$/,
    title: 'Pauses',
    action: /^Pause investing$/,
  },
  {
    path: '/admin?tab=wallets',
    by: 'superAdmin',
    press: /^Add Wallet$/,
    title: 'Add New Wallet',
    action: /^Add Wallet$/,
  },
  {
    path: '/admin?tab=wallets&wallets-status=available',
    by: 'superAdmin',
    press: /^Delete wallet/,
    title: 'Delete wallet',
    action: /^Delete$/,
  },
  {
    path: '/admin?tab=wallets',
    by: 'superAdmin',
    press: /^Add a list$/,
    title: 'Add a list of wallets',
    action: /^Add/,
  },
  {
    path: '/admin?tab=wallets&wallets-status=assigned',
    by: 'superAdmin',
    press: /it can be archived instead$/,
    title: 'Archive wallet',
    action: /^Archive/,
  },
  {
    path: '/admin?tab=transactions&transactions-status=PENDING&transactions-type=deposit',
    wealthy: true,
    by: 'superAdmin',
    press: /^With transaction ID/,
    title: 'Confirm deposit',
    action: /^Approve Deposit$/,
  },
  {
    path: '/admin?tab=transactions&transactions-status=PENDING&transactions-type=withdrawal',
    wealthy: true,
    by: 'superAdmin',
    press: /^Reject Withdrawal/,
    title: 'Reject Transaction',
    action: /^Reject$/,
  },
  {
    path: '/admin?tab=transactions&transactions-status=PENDING&transactions-type=withdrawal',
    wealthy: true,
    by: 'superAdmin',
    press: /^Approve Withdrawal/,
    title: 'Approve a large withdrawal',
    action: /^Approve Withdrawal$/,
  },
  {
    path: '/admin',
    by: 'superAdmin',
    reach: (page) => page.locator('summary', { hasText: 'To send' }).press('Enter'),
    press: /^Mark the withdrawal of /,
    title: 'Mark as sent',
    action: /^Mark as sent$/,
  },
  {
    path: '/admin',
    by: 'superAdmin',
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

/** Opens a dialog by the keyboard. */
const press = async (page: Page, opening: Opening): Promise<readonly [Locator, Locator]> => {
  await opening.reach?.(page)
  const first = page.getByRole('button', { name: opening.press }).first()
  // Other tests add wallets meanwhile, so the first one may become another.
  const label = await first.getAttribute('aria-label')
  const opener = label ? page.getByRole('button', { name: label, exact: true }).first() : first
  const dialog = page.getByRole('dialog', { name: opening.title })
  await expect(async () => {
    // A button does nothing for a second after its row moved, which it may do before the press.
    await expect(opener).not.toHaveAttribute('aria-disabled', 'true')
    if (!(await dialog.isVisible())) await opener.press('Enter')
    await expect(dialog).toBeVisible({ timeout: 5_000 })
  }).toPass()
  const back = opening.returns && page.getByRole('button', { name: opening.returns }).first()
  return [dialog, back ?? opener]
}

/** The last action is in view, in a sheet on a phone and in a window elsewhere, without blur. */
const isInView = async (page: Page, dialog: Locator, action: RegExp) => {
  const { width, height } = page.viewportSize() ?? DESK
  await expect(dialog.getByRole('button', { name: action })).toBeInViewport({ ratio: 1 })
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
}

const leave = async (page: Page, dialog: Locator) => {
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

for (const opening of openings)
  test(`'${opening.title}' keeps focus and actions in view`, async ({ open, people }) => {
    const path = opening.wealthy
      ? `${opening.path}&transactions-search=${wealthy.username}`
      : opening.path
    // The page never opened a dialog, and animates.
    const page = await open(people[opening.by], path, { inMotion: true })
    await test.step('the first dialog gives the focus back', async () => {
      const [dialog, opener] = await press(page, opening)
      await expect(dialog.locator(':focus')).toHaveCount(1)
      await leave(page, dialog)
      await expect(opener).toBeFocused()
    })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const [width, height] of [
      [1280, 800],
      [375, 667],
    ] as const)
      await test.step(`the actions are in view at ${width} px`, async () => {
        await page.setViewportSize({ width, height })
        if (opening.reach) {
          await page.reload()
          await settled(page)
        }
        const [dialog] = await press(page, opening)
        await isInView(page, dialog, opening.action)
        await leave(page, dialog)
      })
  })

test('the deposit address gives the focus back', async ({ open, pool }) => {
  await newWallet(pool, await pool.superAdmin())
  const page = await open(await pool.person(), '/dashboard', { inMotion: true })
  const [asking, opener] = await press(page, openings[0] as Opening)
  await asking.getByLabel('Amount').fill('75')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Deposit Address' })
  await expect(dialog).toBeVisible()
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await leave(page, dialog)
  await expect(opener).toBeFocused()
})

test('a refused submit keeps the focus and says why', async ({ open, people }) => {
  const page = await open(people.investor, undefined, { viewport: { width: 375, height: 667 } })
  await page.route('**/investments/invest', (route) =>
    route.fulfill({
      status: 409,
      json: { successful: false, narration: 'Not today.', body: null },
    }),
  )
  await page.goto('/dashboard')
  await settled(page)
  const [dialog] = await press(page, openings[2] as Opening)
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
})
