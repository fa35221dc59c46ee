import { expect } from '@playwright/test'
import { listChains } from '@pool/contract/chains'
import { invest } from '@pool/contract/investments'
import { setRate } from '@pool/contract/rates'
import { deposit } from '@pool/contract/requests'
import { listTransactions } from '@pool/contract/transactions'
import { listUnseen } from '@pool/contract/unseen'
import { createWallet } from '@pool/contract/wallets'
import { newAddress } from '../server/testing/addresses.ts'
import { ANVIL_CHAIN, type Anvil, hasAnvil, startAnvil } from '../server/testing/anvil.ts'
import { chainsFile, freePort } from '../server/testing/playNode.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import { chooseInMenu, looksGood } from './steps.ts'
import { PHONE } from './widths.ts'

/** Investors and staff see what the operator's nodes say. */

test.skip(!hasAnvil, 'npm has no Anvil for this machine')

let anvil: Anvil
let own: OwnProduct

test.beforeAll(async () => {
  anvil = await startAnvil()
  const CHAINS = chainsFile({
    Ethereum: { kind: 'evm', url: anvil.url, chainId: ANVIL_CHAIN, pollSeconds: 1 },
    Polygon: {
      kind: 'evm',
      url: `http://user:secret@127.0.0.1:${await freePort()}`,
      chainId: 137,
      pollSeconds: 1,
    },
  })
  own = await startOwnProduct({ CHAINS, AUTO_CONFIRM_UP_TO: '100' })
})
test.afterAll(async () => {
  await own?.remove()
  await anvil?.stop()
})

test('a deposit is seen, confirmed and credited as it came', async ({ open }) => {
  const [investor, admin] = [await own.person(), await own.person(['ADMIN'])]
  const address = newAddress('Ethereum')
  await own.call(createWallet, admin, { address, networkName: 'Ethereum' })
  await own.call(setRate, admin, { coin: 'ETH', dollars: '2000' })
  // The investor asks on a phone, and leaves the dialog open.
  const page = await open(investor, '/dashboard', { at: own, viewport: PHONE })
  await page
    .getByRole('button', { name: /^Deposit/ })
    .first()
    .press('Enter')
  const ask = page.getByRole('dialog', { name: 'Initiate Deposit' })
  await ask.getByLabel('Amount').fill('250')
  await ask.getByRole('button', { name: 'Deposit' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Deposit Address' })
  await expect(dialog).toContainText('No payment has been seen yet')
  await expect(dialog).toContainText('Once its network has confirmed a payment, it is credited')
  await anvil.pay(address, 124_000_000_000_000_000n)
  await expect(dialog).toContainText('0.124 ETH')
  await expect(dialog).toContainText('In a block, not final')
  await expect(dialog).toContainText('Counts as $248.00')
  await looksGood(page, 'depositSeen', '[role=dialog]')

  // Staff find it beside the decision.
  const queue = await open(admin, '/admin', { at: own })
  await queue.getByRole('button', { name: /^Deposit of \$250\.00/ }).click()
  const panel = queue.getByRole('region', { name: /^Deposit ·/ })
  const use = panel.getByRole('button', { name: /^Use 0\.124 ETH/ })
  await use.press('Enter')
  await expect(panel).toContainText('This payment has too few confirmations yet.')
  await looksGood(queue, 'paymentChosen')
  await anvil.ask('anvil_mine', '0x50')
  await expect(use).toHaveText('Use 0.124 ETH (Confirmed)')
  await expect(panel).not.toContainText('too few confirmations')
  await expect(panel).toContainText('$248.00 is credited instead of $250.00.')
  await expect(dialog).toContainText('Confirmed')
  await panel.getByRole('button', { name: /^Approve/ }).click()
  await expect(panel).toHaveCount(0)
  await expect(dialog).toContainText('Credited')
  await expect(dialog).toContainText('$248.00 is in your balance.')
  await page.keyboard.press('Escape')
  const balance = page.getByRole('region', { name: 'Account Balance' })
  await expect(balance).toContainText('$248.00')

  await test.step('coins without a request are credited or wait', async () => {
    await anvil.pay(address, 40_000_000_000_000_000n)
    await anvil.pay(address, 500_000_000_000_000_000n)
    await anvil.ask('anvil_mine', '0x50')
    // The small payment needs no person.
    await expect(balance).toContainText('$328.00')
    const large = queue.getByRole('button', { name: /^Deposit of \$1,000\.00/ })
    // The small one may be new for a moment, too.
    await expect(async () => {
      const fresh = queue.getByRole('button', { name: /^\d+ new$/ })
      if (await fresh.isVisible()) await fresh.click()
      await expect(large).toBeVisible({ timeout: 1_000 })
    }).toPass()
    await large.click()
    await expect(panel).toContainText('These coins came while no request waited')
    await expect(panel).toContainText('0.5 ETH')
    await looksGood(queue, 'unannounced')
    const [newest] = await own.call(listTransactions, investor)
    await page.goto(`/dashboard?transaction=${newest?.id}`)
    const story = page.getByRole('dialog', { name: 'Deposit' })
    await expect(story).toContainText('Opened for coins without a request')
    await expect(story.getByRole('button', { name: 'Copy address' })).toHaveCount(0)
    await expect(story.getByRole('button', { name: /^Cancel/ })).toHaveCount(0)
    await looksGood(page, 'unannouncedStory', '[role=dialog]')
    await panel.getByRole('button', { name: /^Approve/ }).click()
    await expect(balance).toContainText('$1,328.00')
    await expect(story).toContainText('Credited')
    await page.keyboard.press('Escape')
  })

  await test.step('coins that go leave a debt that two write off', async () => {
    const { userId } = investor
    await own.call(invest, investor, { userId, amount: 1_000, durationDays: 5 })
    await expect(balance).toContainText('$328.00')
    // Both payments without a request leave the chain.
    await anvil.ask('anvil_reorg', 82, [])
    const debt = page.getByRole('region', { name: 'You owe $752.00' })
    await expect(debt).toContainText('Withdrawals wait until then.')
    await expect(balance).toContainText('$0.00')
    await looksGood(page, 'owes')
    const history = page.getByRole('region', { name: 'Transactions' })
    await expect(history).toContainText('REVERSED')
    await expect(history).toContainText('reversal')
    await page
      .getByRole('button', { name: /^Withdraw/ })
      .first()
      .press('Enter')
    const withdraw = page.getByRole('dialog')
    await expect(withdraw.getByRole('status')).toContainText('$752.00 is owed')
    await expect(withdraw.getByRole('button', { name: 'Withdrawals wait' })).toBeDisabled()
    await page.keyboard.press('Escape')

    const [first, second] = [await own.superAdmin(), await own.person(['SUPER_ADMIN'])]
    const networks = await open(first, '/admin/chains', { at: own })
    const claims = networks.getByRole('list', { name: 'Deposits that were taken back' })
    const open1000 = claims.getByRole('listitem').filter({ hasText: '$1,000.00' })
    await expect(open1000).toContainText('0.5 ETH')
    await looksGood(networks, 'claims')
    for (const line of await claims.getByRole('listitem').filter({ hasText: ' open' }).all())
      await expect(line.getByRole('button', { name: 'Write off' })).toBeVisible()
    await open1000.getByRole('button', { name: 'Write off' }).press('Enter')
    const asking = networks.getByRole('dialog', { name: /^Write off \$/ })
    await asking.getByRole('button', { name: 'Ask for it' }).press('Enter')
    await expect(asking).toContainText('Please give a reason.')
    await asking.getByLabel('Reason').fill('A deep reorganisation')
    await looksGood(networks, 'writeOff', '[role=dialog]')
    await asking.getByRole('button', { name: 'Ask for it' }).press('Enter')
    await expect(asking).toHaveCount(0)
    const deciding = await open(second, '/admin', { at: own })
    await deciding.getByRole('button', { name: /^Write off \$/ }).click()
    await looksGood(deciding, 'writeOffQueued')
    await deciding.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect(open1000).toContainText('written off')
  })
})

test('staff see which nodes can be used', async ({ open }) => {
  const admin = await own.superAdmin()
  const page = await open(admin, '/admin', { at: own })
  await chooseInMenu(page, /^Networks/)
  await expect(page).toHaveURL('/admin/chains')
  const networks = page.getByRole('list', { name: /^(Networks with a node|Redes con un nodo)$/ })
  const line = (name: string) => networks.getByRole('listitem').filter({ hasText: name })
  await expect(line('Ethereum')).toContainText('Fine')
  await expect(line('Ethereum')).toContainText(/Newest block \d+/)
  await expect(line('Polygon')).toContainText('Away')
  await expect(line('Polygon')).toContainText('ECONNREFUSED')
  await expect(page.getByRole('main')).not.toContainText('secret')
  await looksGood(page, 'chains')

  await test.step('a payment appears before it is final', async () => {
    const address = newAddress('Ethereum')
    await own.call(createWallet, admin, { address, networkName: 'Ethereum' })
    await anvil.pay(address, 1_500_000_000_000_000_000n)
    const payment = page.getByRole('list', { name: 'Payments that the nodes saw' })
    await expect(payment).toContainText('1.5 ETH')
    await expect(payment).toContainText('In a block, not final')
    await expect(payment).toContainText('No investor has this address')
    await anvil.ask('anvil_mine', '0x50')
    await expect(payment).toContainText('Confirmed')
    await looksGood(page, 'payments')
  })

  await test.step('coins without a payment are settled with a reason', async () => {
    const unseen = page.getByRole('list', { name: 'Arrived unseen' })
    await expect(page.getByText('Nothing arrived unseen')).toBeVisible()
    const address = newAddress('Ethereum')
    const investor = await own.person()
    await own.call(createWallet, admin, { address, networkName: 'Ethereum' })
    const asked = { userId: investor.userId, amount: 20, networkName: 'Ethereum' }
    const shown = await own.call(deposit, investor, asked)
    const compared = async () => {
      await own.runJob('unseen-ethereum')
      const chain = (await own.call(listChains, admin)).find(
        ({ network }) => network === 'Ethereum',
      )
      return chain?.balancesAt ?? null
    }
    await expect.poll(compared).not.toBeNull()
    const before = BigInt(await anvil.ask<string>('eth_getBalance', shown.address, 'latest'))
    const after = `0x${(before + 10n ** 18n).toString(16)}`
    await anvil.ask('anvil_setBalance', shown.address, after)
    await anvil.ask('anvil_mine', '0x50')
    await expect
      .poll(async () => {
        await compared()
        return (await own.call(listUnseen, admin)).length
      })
      .toBe(1)
    await page.reload()
    await expect(line('Ethereum')).toContainText('Balances compared')
    await expect(unseen).toContainText('At least 1 ETH')
    await expect(unseen).toContainText('To settle')
    await expect(unseen.getByRole('link', { name: 'Its investor' })).toBeVisible()
    await looksGood(page, 'unseen')
    await unseen.getByRole('button', { name: 'Settle 1 ETH' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Settle an arrival' })
    await dialog.getByRole('button', { name: 'Settle' }).press('Enter')
    await expect(dialog).toContainText('Say what was done')
    await dialog.getByLabel('What was done').fill('A present of the network, kept apart')
    await dialog.getByRole('button', { name: 'Settle' }).press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(unseen).toContainText('A present of the network, kept apart')
  })

  await page.goto('/admin/chains?lang=es')
  await expect(line('Polygon')).toContainText('Ausente')

  // Another chain comes up behind the URL that was right before.
  const { port } = new URL(anvil.url)
  await anvil.stop()
  anvil = await startAnvil(['--chain-id', '7', '--port', port])
  await expect
    .poll(() => own.call(listChains, admin))
    .toContainEqual(expect.objectContaining({ network: 'Ethereum', state: 'OTHER_CHAIN' }))
  await page.reload()
  await expect(line('Ethereum')).toContainText('Otra cadena')
})
