import { expect } from '@playwright/test'
import { hasAnvil } from '../server/testing/anvil.ts'
import { hasLitecoind } from '../server/testing/litecoind.ts'
import { test } from './fixtures.ts'
import { type PlaySandbox, startSandbox } from './playSandbox.ts'
import { expectAccessible } from './steps.ts'

/** `npm run sandbox:chains`: a newcomer pays a deposit with play coins. */

test.skip(!hasAnvil, 'npm has no Anvil for this machine')

let sandbox: PlaySandbox
test.beforeAll(async () => {
  sandbox = await startSandbox()
})
test.afterAll(() => sandbox?.stop())

test('play coins are paid, confirmed and credited', async ({ context }) => {
  const investor = await sandbox.investor()
  const request = (network: string, amount: number) =>
    sandbox.depositAddress(investor, network, amount)
  const credited = () => sandbox.credited(investor)

  const page = await context.newPage()
  await page.goto(sandbox.coinsPage)
  const log = page.getByRole('log')
  const pay = async (address: string, coin: string, amount: string) => {
    await page.getByLabel('Address').fill(address)
    await page.getByLabel('Coin').selectOption(coin)
    await page.getByLabel('Amount').fill(amount)
    await page.getByLabel('Amount').press('Enter')
  }
  const address = await request('Ethereum', 50)
  await pay(address, 'USDC', '0')
  await expect(log).toContainText('Enter an amount above 0 with at most 6 decimals.')
  await pay('0x12', 'USDC', '50')
  await expect(log).toContainText('This is no address for USDC.')
  await pay(address, 'USDC', '50')
  await expect(log).toContainText('It waits for a block.')
  const addBlock = async (network: string) => {
    const before = await log.getByRole('listitem').count()
    await page.getByRole('button', { name: `Add a block to ${network}` }).click()
    await expect(log.getByRole('listitem')).toHaveCount(before + 1)
  }
  // A block that is taken back takes its payment along.
  await addBlock('Ethereum')
  await page.getByRole('button', { name: 'Take back the newest block of Ethereum' }).click()
  await expect(log).toContainText('The newest block of Ethereum was taken back.')
  await pay(address, 'USDC', '60')
  await expect(log).toContainText('Paid 60 USDC')
  for (let added = 0; added < 3; added += 1) await addBlock('Ethereum')
  await expect.poll(credited).toEqual([60])
  await expectAccessible(page, 'playCoins')

  if (!hasLitecoind) return
  const other = await request('Bitcoin', 100)
  await page.getByLabel('Address').fill(other)
  await expect(page.getByLabel('Coin')).toHaveValue('BTC')
  await pay(other, 'BTC', '0.002')
  await expect(log).toContainText('Paid 0.002 BTC')
  for (let added = 0; added < 2; added += 1) await addBlock('Bitcoin')
  await expect.poll(credited).toEqual([100, 60])
})
