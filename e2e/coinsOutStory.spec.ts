import { readFileSync } from 'node:fs'
import { expect } from '@playwright/test'
import { newAddress } from '../server/testing/addresses.ts'
import { hasAnvil } from '../server/testing/anvil.ts'
import { hasLitecoind } from '../server/testing/litecoind.ts'
import { test } from './fixtures.ts'
import {
  approves,
  asks,
  compares,
  fromTheSafe,
  log,
  makesBatch,
  signs,
  takesToSigner,
} from './payoutActs.ts'
import type { Session } from './people.ts'
import { type PlaySandbox, startSandbox } from './playSandbox.ts'
import { decide, expectAccessible, pressIn, rows } from './steps.ts'
import { PHONE } from './widths.ts'

/**
 * `npm run sandbox:chains`: play coins come in, and leave by batches that are signed outside. Then
 * they leave past all batches: withdrawals pause, until two people let them go on.
 */

test.skip(!hasAnvil, 'npm has no Anvil for this machine')
// One sandbox serves all of them, and the last one pauses its withdrawals.
test.describe.configure({ mode: 'serial' })

let sandbox: PlaySandbox
let first: Session
let second: Session
test.beforeAll(async () => {
  sandbox = await startSandbox()
  first = await sandbox.superAdmin()
  second = await sandbox.secondSuperAdmin()
})
test.afterAll(() => sandbox?.stop())

const WHY = 'monedas de una red no coinciden con nuestros libros'

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

test('a withdrawal in bitcoin is signed outside, once', async ({ open, context }) => {
  test.skip(!hasLitecoind, 'Debian’s package litecoind is not installed')
  const investor = await sandbox.investor()
  const deposited = await sandbox.depositAddress(investor, 'Bitcoin', 500)
  await sandbox.pay(deposited, 'BTC', '0.01')
  await sandbox.addBlocks('Bitcoin', 2)
  await expect.poll(() => sandbox.credited(investor)).toEqual([500])

  const address = newAddress('Bitcoin')
  const own = await open(investor, '/dashboard', {
    at: sandbox,
    viewport: PHONE,
    own: { locale: 'es-ES' },
  })
  await asks(own, { networkName: 'Bitcoin', address })
  const staff = await open(first, '/admin', { at: sandbox })
  await approves(staff, investor)
  await expect(rows(own, /retirada/i, 'APROBADA')).toHaveCount(1)
  const file = await makesBatch(staff, 'Bitcoin', (dialog) =>
    dialog.getByLabel('Fee rate in sat/vB').fill('5'),
  )

  const signer = await context.newPage()
  await takesToSigner(signer, sandbox, file)
  await expect(rows(signer, address)).toContainText('0.002 BTC')
  await expect(rows(signer, '(change, to the signer itself)')).toHaveCount(1)
  await expectAccessible(signer, 'signer')
  await signs(signer)
  await expect(log(signer)).toContainText('It waits for a block.')
  const [id = ''] = /[0-9a-f]{64}/.exec((await log(signer).textContent()) ?? '') ?? []
  await signs(signer)
  await expect(log(signer)).toHaveText(`The node has ${id} already. Nothing more is paid.`)
  await expect(staff.getByText('Seen on the network', { exact: true })).toBeVisible()
  await expect(rows(own, /retirada/i, 'EN PROCESO')).toHaveCount(1)
  await sandbox.addBlocks('Bitcoin', 6)
  await expect(staff.getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect(rows(own, /retirada/i, 'COMPLETADA')).toHaveCount(1)
  await signs(signer)
  await expect(log(signer)).toHaveText(`${id} is in a block already. Nothing more is paid.`)
  expect(await compares(signer, sandbox)).toBe('The coins match the books.')
})

test('coins are paid, stolen, missed and accounted for', async ({ open, context }) => {
  test.setTimeout(600_000)
  const [investor, auditor] = [await sandbox.investor(), await sandbox.auditor(first, second)]
  const deposited = await sandbox.depositAddress(investor, 'Ethereum', 500)
  await sandbox.pay(deposited, 'USDC', '500')
  await sandbox.addBlocks('Ethereum', 3)
  await expect.poll(() => sandbox.credited(investor)).toEqual([500])
  const at = sandbox
  const phone = await open(investor, '/dashboard', {
    at,
    viewport: PHONE,
    own: { locale: 'es-ES' },
  })
  const desk = await open(first, '/admin', { at })
  const beside = await context.newPage()
  const main = desk.getByRole('main')
  /** The other super admin approves a proposal, by keyboard. */
  const approvesProposal = async (name: RegExp) => {
    const queue = await open(second, '/admin', { at, own: {} })
    await queue.getByRole('button', { name }).press('Enter')
    await decide(queue.getByRole('button', { name: 'Approve', exact: true }))
  }

  await test.step('a batch completes the withdrawal', async () => {
    const address = newAddress('Ethereum')
    await asks(phone, { networkName: 'Ethereum', address })
    await approves(desk, investor)
    const file = await makesBatch(desk, 'Ethereum', fromTheSafe)
    const batch = desk.url()
    await desk.goto('/admin')
    await desk.getByText('To send', { exact: true }).click()
    await desk.getByRole('link', { name: 'In a batch' }).press('Enter')
    await expect(desk).toHaveURL(batch)
    const reading = await open(investor, '/dashboard', { at, own: {} })
    await rows(reading, /withdrawal/i)
      .getByRole('link')
      .first()
      .click()
    const story = reading.getByRole('dialog', { name: 'Withdrawal' })
    await expect(story).toContainText('100 USDC at $1')
    await expect(story).toContainText('The coins will be sent soon.')
    await expectAccessible(reading, 'payoutWaits', '[role=dialog]')

    await takesToSigner(beside, sandbox, file)
    await expect(rows(beside, address.toLowerCase())).toContainText('100 USDC')
    const nonce = beside.getByText('It is for number 0 of the Safe')
    await expect(nonce).toContainText('number is 0.')
    await signs(beside)
    await expect(log(beside)).toContainText('It waits for a block.')
    const [id = ''] = /0x[0-9a-f]{64}/.exec((await log(beside).textContent()) ?? '') ?? []
    await sandbox.addBlocks('Ethereum', 1)
    await expect(story).toContainText(
      'The payment is in a block. It has arrived once the network confirms it.',
    )
    await expect(story).toContainText('Confirming')
    const link = story.getByRole('link', { name: id }).first()
    await expect(link).toHaveAttribute('href', `https://etherscan.io/tx/${id}`)
    await expectAccessible(reading, 'payoutSeen', '[role=dialog]')
    await sandbox.addBlocks('Ethereum', 2)
    await expect(story).toContainText('Arrived. The network has confirmed it.')
    await expectAccessible(reading, 'payoutArrived', '[role=dialog]')
    const downloading = reading.waitForEvent('download')
    await story.getByRole('button', { name: 'Save the receipt' }).press('Enter')
    const receipt = readFileSync(await (await downloading).path(), 'utf8')
    const transaction = new URL(reading.url()).searchParams.get('transaction') ?? 'none'
    for (const part of ['$100.00', '100 USDC', '$1', address, id, transaction])
      expect(receipt).toContain(part)
    await reading.goto(`/dashboard?transaction=${transaction}&lang=es`)
    await expect(reading.getByRole('dialog', { name: 'Retirada' })).toContainText('Ha llegado.')

    await expect(desk.getByText('Completed', { exact: true }).first()).toBeVisible()
    await signs(beside)
    await expect(log(beside)).toContainText('this number of the Safe is used')
    await takesToSigner(beside, sandbox, file)
    await expect(nonce).toContainText('number is 1.')
    await expect(rows(phone, /retirada/i, 'COMPLETADA')).toHaveCount(1)
    expect(await compares(beside, sandbox)).toBe('The coins match the books.')
    await desk.goto('/admin/reconciliation')
    await expect(main.getByRole('status').first()).toContainText('The coins match the books.')
    const ether = desk.getByRole('region', { name: 'ETH on Ethereum' })
    await expect(ether.getByRole('row', { name: /^Safe/ })).toHaveText('Safe100100')
  })

  await test.step('the signer says what it does not sign', async () => {
    await beside.goto(sandbox.signer)
    await beside.getByLabel('Or its text, pasted or dropped here').fill('to,amount')
    await expect(log(beside)).toContainText('The signer knows no such file.')
    await expect(beside.getByRole('button', { name: 'Sign and send' })).toBeHidden()
  })

  await test.step('coins that no batch explains are told', async () => {
    await desk.goto('/admin/networks')
    await expect(desk.getByText('No payout went wrong')).toBeVisible()
    const thief = newAddress('Ethereum')
    const byHand = beside.getByRole('button', { name: 'Pay by hand' })
    await beside.getByLabel('To', { exact: true }).fill(thief)
    await beside.getByLabel('Coin').selectOption('USDC')
    await beside.getByLabel('Amount').fill('1000000')
    await byHand.press('Enter')
    await expect(log(beside)).toContainText('The chain refuses it: the coins are not there')
    await beside.getByLabel('Amount').fill('1500')
    await byHand.press('Enter')
    await expect(log(beside)).toContainText('No batch of the pool explains it.')
    await sandbox.addBlocks('Ethereum', 3)
    const alarms = desk.getByRole('list', { name: 'Payouts that went wrong' })
    await expect(alarms).toContainText('Left without a batch')
    await expect(alarms).toContainText('Paid 1500 USDC to')
    await expect(alarms).toContainText(thief.slice(0, 8))
    await expect(alarms.getByText('Confirmed').first()).toBeVisible()
    expect(await compares(beside, sandbox)).toBe(
      'Coins differ from the books. Withdrawals are paused.',
    )
  })

  await test.step('every screen says why withdrawals wait', async () => {
    const retirar = phone.getByRole('button', { name: /^Retirar/ }).first()
    await retirar.press('Enter')
    const dialog = phone.getByRole('dialog')
    await expect(dialog.getByRole('status').first()).toContainText(WHY)
    await expectAccessible(phone, 'storyPausedPhone', '[role=dialog]')
    await phone.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await desk.goto('/admin')
    const banner = desk.getByRole('status').first()
    await expect(banner).toContainText('differ from our books')
    await banner.getByRole('link', { name: 'See the reconciliation' }).press('Enter')
    await expect(main.getByRole('status').first()).toContainText(
      'differ from the books by $1,500.00',
    )
    await expect(main).toContainText('Break: -1500 USDC')
    const reader = await open(auditor, '/admin/reconciliation?lang=es', { at, own: {} })
    await expect(reader.getByRole('main')).toContainText('Las retiradas están en pausa')
    await expect(reader.getByRole('main').getByRole('button')).toHaveCount(0)
    await reader.goto('/admin/networks?lang=es')
    await expect(reader.getByText('Salió sin lote')).toBeVisible()
    await expect(reader.getByRole('button', { name: /Pedir que se resuelva/ })).toHaveCount(0)
    await expectAccessible(reader, 'storyAlarmEs')
  })

  await test.step('two super admins let withdrawals go on', async () => {
    await main.getByRole('button', { name: 'Resume withdrawals' }).press('Enter')
    const dialog = desk.getByRole('dialog', { name: 'Resume withdrawals?' })
    await dialog.getByLabel('Reason').fill('The thief is known, and the key is changed')
    await pressIn(dialog, 'Ask a second super admin')
    await expect(dialog).toHaveCount(0)
    await approvesProposal(/^Let withdrawals go on with a difference of \$1,500\.00/)
    await asks(phone, { networkName: 'Ethereum', address: newAddress('Ethereum') })
    expect(await compares(beside, sandbox)).toBe('Coins differ from the books.')
  })

  await test.step('two super admins settle the coins', async () => {
    await desk.goto('/admin/networks')
    const alarms = desk.getByRole('list', { name: 'Payouts that went wrong' })
    await expectAccessible(desk, 'storyAlarm')
    const ask = alarms.getByRole('button', { name: 'Ask to settle: Left without a batch' })
    await ask.press('Enter')
    const dialog = desk.getByRole('dialog', { name: 'Settle 1500 USDC that left without a batch?' })
    await dialog.getByLabel('What was done').fill('Stolen. The pool bears it')
    await expectAccessible(desk, 'storySettle', '[role=dialog]')
    await pressIn(dialog, 'Ask a second super admin')
    await expect(dialog).toHaveCount(0)
    await expect(alarms).toContainText('To settle')
    await ask.press('Enter')
    await dialog.getByLabel('What was done').fill('Again')
    await pressIn(dialog, 'Ask a second super admin')
    await expect(dialog.getByRole('alert')).toContainText('already')
    await desk.keyboard.press('Escape')
    await approvesProposal(/^Settle 1500 USDC that left Ethereum without a batch/)
    await desk.reload()
    await expect(alarms).toContainText('Stolen. The pool bears it')
    await expectAccessible(desk, 'storySettled')
    // Its movement is posted by the next look at the chain.
    await expect
      .poll(() => compares(beside, sandbox), { timeout: 120_000 })
      .toBe('The coins match the books.')
  })
})
