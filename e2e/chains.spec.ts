import { expect } from '@playwright/test'
import { approveProposal, listProposals } from '@pool/contract/agreements/proposals'
import { listChains } from '@pool/contract/chain/chains'
import { createWallet } from '@pool/contract/chain/wallets'
import { listUnseen } from '@pool/contract/coins/unseen'
import { deposit } from '@pool/contract/requests/requests'
import { newAddress } from '../server/testing/addresses.ts'
import { ANVIL_CHAIN, type Anvil, hasAnvil, startAnvil } from '../server/testing/anvil.ts'
import { type BlockDoor, openBlockDoor } from '../server/testing/blockDoor.ts'
import { chainsFile, freePort } from '../server/testing/playNode.ts'
import { test } from './fixtures.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import { expectAccessible, openPage } from './steps.ts'

/** Staff see what the operator's nodes say. */

test.skip(!hasAnvil, 'npm has no Anvil for this machine')

let anvil: Anvil
let door: BlockDoor
let own: OwnProduct

test.beforeAll(async () => {
  anvil = await startAnvil()
  door = await openBlockDoor(anvil.url)
  const CHAINS = chainsFile({
    Ethereum: { kind: 'evm', url: door.url, chainId: ANVIL_CHAIN, pollSeconds: 1 },
    Polygon: {
      kind: 'evm',
      url: `http://user:secret@127.0.0.1:${await freePort()}`,
      chainId: 137,
      pollSeconds: 1,
    },
  })
  own = await startOwnProduct({ CHAINS })
})
test.afterAll(async () => {
  await own?.remove()
  await anvil?.stop()
})

test('staff see which nodes can be used', async ({ open }) => {
  const admin = await own.superAdmin()
  const page = await open(admin, '/admin', { at: own })
  await openPage(page, /^Networks/)
  await expect(page).toHaveURL('/admin/networks')
  const networks = page.getByRole('list', { name: /^(Networks with a node|Redes con un nodo)$/ })
  const line = (name: string) => networks.getByRole('listitem').filter({ hasText: name })
  await expect(line('Ethereum')).toContainText('Fine')
  await expect(line('Ethereum')).toContainText(/Newest block \d+/)
  await expect(line('Polygon')).toContainText('Away')
  await expect(line('Polygon')).toContainText('ECONNREFUSED')
  await expect(page.getByRole('main')).not.toContainText('secret')
  await expectAccessible(page, 'chains')

  await test.step('a payment appears before it is final', async () => {
    const address = newAddress('Ethereum')
    await own.call(createWallet, admin, { address, networkName: 'Ethereum' })
    await anvil.pay(address, 1_500_000_000_000_000_000n)
    const payment = page.getByRole('list', { name: 'Payments that the nodes saw' })
    await expect(payment).toContainText('1.5 ETH')
    await expect(payment).toContainText('Confirming')
    await expect(payment).toContainText('No investor has this address')
    await anvil.ask('anvil_mine', '0x50')
    await expect(payment).toContainText('Confirmed')
    await expectAccessible(page, 'payments')
  })

  await test.step('coins without a payment are settled with a reason', async () => {
    const unseen = page.getByRole('list', { name: 'Unmatched arrivals' })
    await expect(page.getByText('No unmatched arrivals')).toBeVisible()
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
    await expectAccessible(page, 'unmatched')
    await unseen.getByRole('button', { name: 'Settle 1 ETH' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Settle an arrival' })
    await dialog.getByRole('button', { name: 'Settle' }).press('Enter')
    await expect(dialog).toContainText('Say what was done')
    await dialog.getByLabel('What was done').fill('A present of the network, kept apart')
    await dialog.getByRole('button', { name: 'Settle' }).press('Enter')
    await expect(dialog).toHaveCount(0)
    await expect(unseen).toContainText('A present of the network, kept apart')
  })

  await test.step('a block that cannot be read is skipped by two', async () => {
    const second = await own.person(['SUPER_ADMIN'])
    const from = Number(await anvil.ask<string>('eth_blockNumber')) + 1
    door.broken.add(from)
    await anvil.ask('anvil_mine', '0x50')
    await expect(line('Ethereum')).toContainText(`Block ${from} could not be read`)
    await expectAccessible(page, 'unread')
    await line('Ethereum')
      .getByRole('button', { name: `Ask to skip block ${from} of Ethereum` })
      .press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Skip blocks of Ethereum?' })
    await expect(dialog.getByLabel('Last block to skip')).toHaveValue(String(from))
    await expectAccessible(page, 'skip')
    await dialog.getByLabel('Reason').fill('The provider lost this block for good')
    await dialog.getByRole('button', { name: 'Ask a second super admin' }).press('Enter')
    await expect(dialog).toHaveCount(0)
    const [proposal] = await own.call(listProposals, second)
    await own.call(approveProposal, second, undefined, { id: proposal?.id ?? '' })
    const skips = page.getByRole('list', { name: 'Skipped blocks of Ethereum' })
    await expect(skips).toContainText('Skipped')
    await expect(skips).toContainText('The provider lost this block for good')
    await expect(line('Ethereum')).toContainText('Fine')
    await expectAccessible(page, 'skipped')
  })

  await page.goto('/admin/networks?lang=es')
  await expect(line('Polygon')).toContainText('Ausente')

  // Another chain comes up behind the URL that was right before.
  const { port } = new URL(anvil.url)
  await anvil.stop()
  anvil = await startAnvil(['--chain-id', '7', '--port', port])
  await expect
    .poll(() => own.call(listChains, admin))
    .toContainEqual(expect.objectContaining({ network: 'Ethereum', state: 'OTHER_CHAIN' }))
  await page.reload()
  await expect(line('Ethereum')).toContainText('Otra red')
})
