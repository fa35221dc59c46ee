/** The acts of a withdrawal from the sandbox's play nodes. */
import { expect, type Locator, type Page } from '@playwright/test'
import type { Session } from './people.ts'
import type { PlaySandbox } from './playSandbox.ts'
import { rows, settled } from './steps.ts'

type Payee = { readonly networkName: 'Bitcoin' | 'Ethereum'; readonly address: string }

/** An investor with $500.00 asks for $100.00 in Spanish, with the keyboard. */
export const asks = async (page: Page, { networkName, address }: Payee): Promise<void> => {
  await page.getByRole('button', { name: /^Retirar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Iniciar retirada' })
  await dialog.getByLabel('Importe', { exact: true }).fill('100')
  await dialog.getByLabel(/^Dirección de destino/).fill(address)
  await dialog.getByLabel('Red (opcional)').selectOption(networkName)
  await dialog.getByRole('button', { name: 'Iniciar retirada' }).press('Enter')
  await expect(page.getByText(/^Retirada solicitada\./)).toBeVisible()
}

/** An admin approves it. */
export const approves = async (page: Page, investor: Session): Promise<void> => {
  await page.goto('/admin?tab=transactions')
  await settled(page)
  await rows(page, investor.username).getByRole('button', { name: 'Approve Withdrawal' }).click()
  await expect(rows(page, investor.username, /withdrawal/i, 'Approved')).toHaveCount(1)
}

/** An admin makes a batch of what is to be sent on a network, and returns the path of its file. */
export const makesBatch = async (
  page: Page,
  network: string,
  fill: (form: Locator) => Promise<unknown>,
): Promise<string> => {
  await page.getByText('To send', { exact: true }).click()
  await page.getByRole('button', { name: `Make a batch on ${network}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Make a batch' })
  await expect(dialog).toBeVisible()
  await fill(dialog)
  await dialog.getByRole('button', { name: 'Preview' }).press('Enter')
  await dialog.getByRole('button', { name: 'Make batch' }).press('Enter')
  await expect(page).toHaveURL(/\/admin\/batches\//)
  await expect(page.getByText('Ready to sign', { exact: true })).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download file' }).press('Enter')
  return (await downloading).path()
}

/** The operator takes the file to the signer, and looks at it there. */
export const takesToSigner = async (
  page: Page,
  { signer }: Pick<PlaySandbox, 'signer'>,
  file: string,
): Promise<void> => {
  await page.goto(signer)
  await page.getByLabel('File of a batch').setInputFiles(file)
  await expect(page.getByRole('button', { name: 'Sign and send' })).toBeVisible()
}

/** The signer signs the file that it shows, and sends it. */
export const signs = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Sign and send' }).press('Enter')
/** The newest line of a page of the sandbox. */
export const log = (page: Page): Locator => page.getByRole('log').getByRole('listitem').first()

/** Takes coins from the Safe, which a file executes once. */
export const fromTheSafe = async (dialog: Locator): Promise<void> => {
  await dialog.getByLabel('Coin').selectOption('USDC')
  const payer = dialog.getByLabel('Pays from')
  await expect(payer.getByRole('option')).toHaveCount(2)
  await payer.selectOption({ index: 1 })
}

/** Presses the button that compares the coins with the books, and returns the verdict. */
export const compares = async (page: Page, { coinsPage }: PlaySandbox): Promise<string> => {
  await page.goto(coinsPage)
  await page.getByRole('button', { name: 'Compare now' }).press('Enter')
  await expect(log(page)).toBeVisible({ timeout: 60_000 })
  return (await log(page).textContent()) ?? ''
}
