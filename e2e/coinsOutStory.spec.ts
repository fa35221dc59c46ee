import { expect } from '@playwright/test'
import { newAddress } from '../server/testing/addresses.ts'
import { hasAnvil } from '../server/testing/anvil.ts'
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
 * Coins leave, as the play nodes show it: first by a batch that completes a withdrawal, then past
 * all batches. The books tell, withdrawals pause, and two people let them go on.
 */

test.skip(!hasAnvil, 'npm has no Anvil for this machine')

let sandbox: PlaySandbox
let first: Session
let second: Session
test.beforeAll(async () => {
  sandbox = await startSandbox()
  first = await sandbox.superAdmin()
  second = await sandbox.secondSuperAdmin()
})
test.afterAll(() => sandbox?.stop())

const WHY = 'las monedas de una red no coinciden con nuestros libros'

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
    await asks(phone, { networkName: 'Ethereum', address: newAddress('Ethereum') })
    await approves(desk, investor)
    const file = await makesBatch(desk, 'Ethereum', fromTheSafe)
    const batch = desk.url()
    await desk.goto('/admin')
    await desk.getByText('To send', { exact: true }).click()
    await desk.getByRole('link', { name: 'In a batch' }).press('Enter')
    await expect(desk).toHaveURL(batch)
    await takesToSigner(beside, sandbox, file)
    await signs(beside)
    await expect(log(beside)).toContainText('It waits for a block.')
    await sandbox.addBlocks('Ethereum', 3)
    await expect(rows(phone, /retirada/i, 'COMPLETADA')).toHaveCount(1)
    expect(await compares(beside, sandbox)).toBe('The coins equal the books.')
    await desk.goto('/admin/reconciliation')
    await expect(main.getByRole('status').first()).toContainText('The coins equal the books.')
    const ether = desk.getByRole('region', { name: 'ETH on Ethereum' })
    await expect(ether.getByRole('row', { name: /^Safe/ })).toHaveText('Safe100100')
    await expectAccessible(desk, 'storyWhole')
  })

  await test.step('coins that no batch explains are told', async () => {
    await beside.goto(sandbox.signer)
    await beside.getByLabel('To', { exact: true }).fill(newAddress('Ethereum'))
    await beside.getByLabel('Coin').selectOption('USDC')
    await beside.getByLabel('Amount').fill('1500')
    await beside.getByRole('button', { name: 'Pay by hand' }).press('Enter')
    await expect(log(beside)).toContainText('No batch of the pool explains it.')
    await sandbox.addBlocks('Ethereum', 3)
    await desk.goto('/admin/chains')
    const alarms = desk.getByRole('list', { name: 'Payouts that went wrong' })
    await expect(alarms).toContainText('Left without a batch')
    await expect(alarms).toContainText('Paid: 1500 USDC to')
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
    await expectAccessible(desk, 'storyBreak')
    const reader = await open(auditor, '/admin/reconciliation?lang=es', { at, own: {} })
    await expect(reader.getByRole('main')).toContainText('Las retiradas están en pausa')
    await expect(reader.getByRole('main').getByRole('button')).toHaveCount(0)
    await reader.goto('/admin/chains?lang=es')
    await expect(reader.getByText('Salió sin lote')).toBeVisible()
    await expect(reader.getByRole('button', { name: /Pedir que se resuelva/ })).toHaveCount(0)
  })

  await test.step('two super admins let withdrawals go on', async () => {
    await main.getByRole('button', { name: 'Let withdrawals go on' }).press('Enter')
    const dialog = desk.getByRole('dialog', { name: 'Let withdrawals go on?' })
    await dialog.getByLabel('Reason').fill('The thief is known, and the key is changed')
    await pressIn(dialog, 'Ask a second super admin')
    await expect(dialog).toHaveCount(0)
    await approvesProposal(/^Let withdrawals go on with a difference of \$1,500\.00/)
    await asks(phone, { networkName: 'Ethereum', address: newAddress('Ethereum') })
    expect(await compares(beside, sandbox)).toBe('Coins differ from the books.')
  })

  await test.step('two super admins settle the coins', async () => {
    await desk.goto('/admin/chains')
    const alarms = desk.getByRole('list', { name: 'Payouts that went wrong' })
    await alarms.getByRole('button', { name: 'Ask to settle: Left without a batch' }).press('Enter')
    const dialog = desk.getByRole('dialog', { name: 'Settle 1500 USDC that left without a batch?' })
    await dialog.getByLabel('What was done').fill('Stolen. The pool bears it')
    await expectAccessible(desk, 'storySettle', '[role=dialog]')
    await pressIn(dialog, 'Ask a second super admin')
    await expect(dialog).toHaveCount(0)
    await expect(alarms).toContainText('To settle')
    await approvesProposal(/^Settle 1500 USDC that left Ethereum without a batch/)
    await desk.reload()
    await expect(alarms).toContainText('Stolen. The pool bears it')
    await expectAccessible(desk, 'storySettled')
    // Its movement is posted by the next look at the chain.
    await expect
      .poll(() => compares(beside, sandbox), { timeout: 120_000 })
      .toBe('The coins equal the books.')
  })
})
