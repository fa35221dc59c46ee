import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from '@playwright/test'
import { deposit } from '@pool/contract/requests'
import { listTransactions } from '@pool/contract/transactions'
import { login, register } from '@pool/contract/users'
import { hasAnvil } from '../server/testing/anvil.ts'
import { hasLitecoind } from '../server/testing/litecoind.ts'
import { ask } from '../server/testing/request.ts'
import { test } from './fixtures.ts'
import { looksGood } from './steps.ts'

/** `npm run sandbox:chains`: a newcomer pays a deposit with play coins. */

test.skip(!hasAnvil, 'npm has no Anvil for this machine')

let sandbox: ChildProcess
let said = ''
test.beforeAll(async () => {
  sandbox = spawn(process.execPath, ['sandbox/run.ts'], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  sandbox.stdout?.on('data', (part: Buffer) => {
    said += String(part)
  })
  const ready = () => sandbox.exitCode !== null || said.includes('gone after Ctrl-C')
  await expect.poll(ready, { timeout: 120_000 }).toBe(true)
  expect(said).toContain('gone after Ctrl-C')
})
test.afterAll(async () => {
  if (sandbox?.exitCode !== null || sandbox.signalCode !== null) return
  const ended = once(sandbox, 'exit')
  sandbox.kill('SIGINT')
  expect(await ended).toEqual([0, null])
})

const urlOf = (name: string): string => new RegExp(`${name} +(http://\\S+)`).exec(said)?.[1] ?? ''

test('play coins are paid, confirmed and credited', async ({ context }) => {
  const product = { url: urlOf('Pool') }
  const person = { username: 'newcomer@example.com', password: 'a long enough password' }
  await ask(product, register, {
    payload: {
      ...person,
      detail: { firstName: 'New', lastName: 'Comer', email: person.username },
    },
  })
  const { token, userId } = (await ask(product, login, { payload: person })).body
  const request = async (networkName: string, amount: number) =>
    (await ask(product, deposit, { token, payload: { userId, amount, networkName } })).body.address
  const credited = async () =>
    (await ask(product, listTransactions, { token })).body
      .filter(({ status }) => status === 'APPROVED')
      .map(({ amount }) => amount)

  const page = await context.newPage()
  await page.goto(urlOf('Play coins'))
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
  await looksGood(page, 'playCoins')

  if (!hasLitecoind) return
  const other = await request('Bitcoin', 100)
  await page.getByLabel('Address').fill(other)
  await expect(page.getByLabel('Coin')).toHaveValue('BTC')
  await pay(other, 'BTC', '0.002')
  await expect(log).toContainText('Paid 0.002 BTC')
  for (let added = 0; added < 2; added += 1) await addBlock('Bitcoin')
  await expect.poll(credited).toEqual([100, 60])
})
