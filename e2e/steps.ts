import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { listMails, readMail } from '@pool/contract/accounts/mails'
import { changeStream } from '@pool/contract/base/changes'
import { withdrawalOrder } from '@pool/contract/coins/withdrawalOrder'
import { colourViolations, violations } from './axe.ts'
import type { Credentials } from './people.ts'
import type { Pool } from './pool.ts'
import { DESK, PHONE } from './widths.ts'

/** Steps of users, in their words. */

export const signUp = async (page: Page, { email, password }: Credentials): Promise<void> => {
  await page.goto('/register')
  await page.getByLabel('First name').fill('Ada')
  await page.getByLabel('Last name').fill('Lovelace')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL('/login')
}

export const signIn = async (page: Page, { email, password }: Credentials): Promise<void> => {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/dashboard')
}

/** Chooses an entry of the account menu. */
export const chooseInMenu = async (page: Page, entry: RegExp): Promise<void> => {
  await page.getByRole('button', { name: /^(Account|Cuenta)/ }).click()
  await page
    .getByRole('navigation', { name: /^(Account|Cuenta)$/ })
    .getByRole('button', { name: entry })
    .click()
}

/** Opens a page of the rail. */
export const openPage = async (page: Page, name: RegExp): Promise<void> => {
  await page
    .getByRole('navigation', { name: /^(Pages|Páginas)$/ })
    .getByRole('link', { name })
    .click()
}

/**
 * Waits until the screen waits for no response. The network is never idle, since the stream stays
 * open.
 */
export const settled = async (page: Page): Promise<void> => {
  await expect(page.getByRole('heading').first()).toBeVisible()
  await expect(page.locator('.mantine-Skeleton-root[data-visible], [aria-busy=true]')).toHaveCount(
    0,
  )
}

/** Presses Enter on a button of a dialog once the dialog has the focus and the button is on. */
export const pressIn = async (dialog: Locator, name: string): Promise<void> => {
  const button = dialog.getByRole('button', { name, exact: true })
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await expect(button).toBeEnabled()
  await button.press('Enter')
}

/** Presses Enter on a decision until it is taken. One is dead for a second after rows moved. */
export const decide = async (button: Locator): Promise<void> => {
  await expect(button).toBeVisible()
  await expect(async () => {
    if ((await button.count()) > 0) await button.press('Enter', { timeout: 1_000 })
    await expect(button).toHaveCount(0, { timeout: 3_000 })
  }).toPass()
}

/** Waits until the page has kept its height for a second, so that no late part moves its rows. */
export const still = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, 1_000)
        const observer = new ResizeObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(resolve, 1_000)
        })
        observer.observe(document.body)
      }),
  )

/** Leaves the stream of changes unanswered, so the page does not hear of maturities. */
export const withoutChanges = (page: Page): Promise<unknown> =>
  page.route(`**${changeStream.path}`, () => undefined)

const asOperator = (
  command: 'user' | 'pauses',
  options: readonly string[],
  dataDir = process.env.DATA_DIR,
): string =>
  execFileSync(
    process.execPath,
    [join(import.meta.dirname, `../server/operator/commands/${command}.ts`), ...options],
    {
      encoding: 'utf8',
      env: { ...process.env, DATA_DIR: dataDir },
    },
  )

/** Runs the operator's command on the run's product, or on another. */
export const grant = (email: string, role: string, dataDir?: string): string =>
  asOperator('user', ['grant', email, role], dataDir)
/** Revokes a role, which ends every session of the user. */
export const revoke = (email: string, role: string): string =>
  asOperator('user', ['revoke', email, role])
export const pauseByCommand = (name: string, reason: string, dataDir: string): string =>
  asOperator('pauses', ['pause', name, '--reason', reason], dataDir)
export const resumeByCommand = (name: string, dataDir: string): string =>
  asOperator('pauses', ['resume', name], dataDir)

export const addWallet = async (page: Page, network: string, address: string): Promise<void> => {
  await page.getByRole('tab', { name: /^Wallets/ }).click()
  await page.getByRole('button', { name: 'Add Wallet' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add New Wallet' })
  await dialog.getByLabel('Network').selectOption(network)
  await dialog.getByLabel('Wallet address').fill(address)
  await dialog.getByRole('button', { name: 'Add Wallet' }).click()
  await expect(dialog).toBeHidden()
}

/** The rows of a table that contain all of these texts. */
export const rows = (page: Page, ...texts: readonly (string | RegExp)[]): Locator =>
  texts.reduce<Locator>((found, hasText) => found.filter({ hasText }), page.getByRole('row'))

/**
 * No finding of axe and no sideways scrolling, light on a desk and dark on a phone, where colours
 * alone can be at fault. Ends as it began. SCREENSHOTS stores pictures.
 */
export const expectAccessible = async (page: Page, name: string, ...parts: readonly string[]) => {
  const before = page.viewportSize() ?? DESK
  for (const [size, colorScheme, find] of [
    [DESK, 'light', violations],
    [PHONE, 'dark', colourViolations],
  ] as const) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect([name, colorScheme, await find(page, ...parts)]).toEqual([name, colorScheme, []])
    if (process.env.SCREENSHOTS)
      await page.screenshot({
        path: `${process.env.SCREENSHOTS}/${name}-${size.width}-${colorScheme}.png`,
        fullPage: parts.length === 0,
      })
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(before)
}

/** The link of the newest mail with this subject, as the mailbox of the sandbox has it. */
export const mailedLink = async (
  pool: Pool,
  email: string,
  { subject, name = subject }: { readonly subject: string; readonly name?: string },
): Promise<string> => {
  const staff = await pool.superAdmin()
  const newest = async () =>
    (await pool.call(listMails, staff)).find(
      (mail) => mail.recipient === email && mail.subject === subject,
    )
  await expect.poll(newest).toBeDefined()
  const { html } = await pool.call(readMail, staff, undefined, { id: (await newest())?.id ?? '' })
  const link = new RegExp(`href="([^"]+)"[^>]*>\\s*${name}\\s*<`).exec(html)?.[1]
  if (link === undefined) throw new Error(`There is no link '${name}' in ${html}`)
  return link.replaceAll('&amp;', '&')
}

/**
 * Approves the withdrawal of a row. Those of other tests may be older, so it gives a reason where
 * one is asked for.
 */
export const approveInTable = async (page: Page, row: Locator): Promise<void> => {
  const counting = page.waitForResponse((response) => response.url().endsWith(withdrawalOrder.path))
  await row.getByRole('button', { name: 'Approve Withdrawal' }).click()
  const { body } = await (await counting).json()
  if (body.passedOver > 0) await approveInDialog(page.getByRole('dialog'))
}

/** Approves in the dialog that asks once more, with a reason where it asks for one. */
export const approveInDialog = async (dialog: Locator): Promise<void> => {
  const press = dialog.getByRole('button', { name: 'Approve Withdrawal' })
  await expect(press).toBeVisible()
  const reason = dialog.getByLabel('Reason to skip older requests')
  if ((await reason.count()) > 0) await reason.fill('Those of other tests wait')
  // Dead for a moment, so a click waits.
  await press.click()
}
