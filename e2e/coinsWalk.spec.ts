import { expect, type Locator, type Page } from '@playwright/test'
import { setRate } from '@pool/contract/chain/rates'
import { hasAnvil } from '../server/testing/anvil.ts'
import {
  compareKeys,
  expectBalance,
  expectDerived,
  openStory,
  type Pages,
  payInBitcoin,
  payInDollars,
  payShort,
  startWalk,
  storyOf,
  type Walk,
} from './coinsActs.ts'
import { test } from './fixtures.ts'
import { decide, expectAccessible } from './steps.ts'
import { PHONE } from './widths.ts'

/**
 * Coins come in by a key that two people added, are invested, and leave by a reorganisation. The
 * investor has a phone in Spanish, used by keyboard, and a desk in English; staff have both, too.
 */

test.skip(!hasAnvil, 'npm has no Anvil for this machine')

let walk: Walk
test.beforeAll(async () => {
  walk = await startWalk()
})
test.afterAll(() => walk?.end())

/** Coins that came while no request waited: the small payment needs no person. */
const payUnasked = async ({ own, anvil }: Walk, pages: Pages, address: string): Promise<void> => {
  const { desk, queue, phone } = pages
  const before = walk.litecoind ? 480 : 308
  await anvil.pay(address, 40_000_000_000_000_000n)
  await anvil.pay(address, 500_000_000_000_000_000n)
  await anvil.ask('anvil_mine', '0x50')
  await expectBalance(pages, `$${before + 80}.00`)
  const large = queue.getByRole('button', { name: /^Deposit of \$1,000\.00/ })
  // The small one may be new for a moment, too.
  await expect(async () => {
    const fresh = queue.getByRole('button', { name: /^\d+ new$/ })
    if (await fresh.isVisible()) await fresh.click()
    await expect(large).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await large.click()
  const panel = queue.getByRole('region', { name: /^Deposit ·/ })
  await expect(panel).toContainText('These coins came while no request waited')
  await expect(panel).toContainText('0.5 ETH')
  await expectAccessible(queue, 'unannounced')
  const story = await openStory(own, pages)
  await expect(story).toContainText('Opened for coins without a request')
  await expect(story.getByRole('button', { name: 'Copy address' })).toHaveCount(0)
  await expect(story.getByRole('button', { name: /^Cancel/ })).toHaveCount(0)
  await phone.goto(desk.url())
  await expect(storyOf(phone)).toContainText('Abierto por monedas sin solicitud')
  await expectAccessible(phone, 'unannouncedStory', '[role=dialog]')
  await panel.getByRole('button', { name: /^Approve/ }).click()
  await expect(story).toContainText('Credited')
  await expect(storyOf(phone)).toContainText('Abonado')
  await desk.keyboard.press('Escape')
  await phone.keyboard.press('Escape')
  await expectBalance(pages, `$${(before + 1_080).toLocaleString('en')}.00`)
}

/** Invests all but $328.00, on the phone. */
const invest = async (pages: Pages): Promise<void> => {
  await pages.phone.getByRole('button', { name: /^Invertir Gana/ }).press('Enter')
  const dialog = pages.phone.getByRole('dialog', { name: 'Realizar inversión' })
  await dialog.getByLabel('Importe').fill(walk.litecoind ? '1232' : '1060')
  await dialog.getByLabel('Duración').selectOption('5')
  await dialog.getByRole('button', { name: 'Realizar inversión' }).press('Enter')
  await expect(dialog).toHaveCount(0)
  await expectBalance(pages, '$328.00')
}

/** Both payments without a request leave the chain, and their investor owes for them. */
const seeThemGo = async ({ anvil }: Walk, pages: Pages): Promise<void> => {
  const { desk, phone } = pages
  await anvil.ask('anvil_reorg', 82, [])
  await anvil.ask('anvil_mine', '0x1')
  const debt = desk.getByRole('region', { name: 'You owe $752.00' })
  await expect(debt).toContainText('Withdrawals wait until then.')
  await expect(phone.getByRole('region', { name: 'Debes $752.00' })).toBeVisible()
  await expectBalance(pages, '$0.00')
  await expectAccessible(desk, 'owes')
  await expectAccessible(phone, 'owesSpanish')
  const history = desk.getByRole('region', { name: 'Transactions' })
  await expect(history).toContainText('REVERSED')
  await expect(history).toContainText('reversal')
  for (const [page, name, words, button] of [
    [desk, /^Withdraw/, 'You owe $752.00', 'Withdrawals wait'],
    [phone, /^Retirar/, 'Debes $752.00', 'Las retiradas esperan'],
  ] as const) {
    await page.getByRole('button', { name }).first().press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('status')).toContainText(words)
    await expect(dialog.getByRole('button', { name: button })).toBeDisabled()
    await page.keyboard.press('Escape')
  }
}

const claimOf = (page: Page): Locator =>
  page
    .getByRole('list', { name: /^(Deposits that were taken back|Depósitos anulados)$/ })
    .getByRole('listitem')
    .filter({ hasText: '$1,000.00' })

/** Asks a second super admin, who decides in Spanish on a phone, to write a debt off. */
const writeOff = async (networks: Page, deciding: Page): Promise<void> => {
  const claim = claimOf(networks)
  await expect(claim).toContainText('0.5 ETH')
  await expectAccessible(networks, 'claims')
  const claims = networks.getByRole('list', { name: 'Deposits that were taken back' })
  for (const line of await claims.getByRole('listitem').filter({ hasText: ' open' }).all())
    await expect(line.getByRole('button', { name: 'Write off' })).toBeVisible()
  await claim.getByRole('button', { name: 'Write off' }).press('Enter')
  const asking = networks.getByRole('dialog', { name: /^Write off \$/ })
  await asking.getByRole('button', { name: 'Ask for approval' }).press('Enter')
  await expect(asking).toContainText('Please give a reason.')
  await asking.getByLabel('Reason').fill('A deep reorganisation')
  await expectAccessible(networks, 'writeOff', '[role=dialog]')
  await asking.getByRole('button', { name: 'Ask for approval' }).press('Enter')
  await expect(asking).toHaveCount(0)
  await deciding.goto('/admin')
  await deciding.getByRole('button', { name: /^Cancelar \$/ }).click()
  await expectAccessible(deciding, 'writeOffQueued')
  await decide(deciding.getByRole('button', { name: 'Aprobar', exact: true }))
  await expect(claim).toContainText('written off')
}

/** An auditor reads what the nodes say, the payments and the claims, and has nothing to press. */
const audit = async (page: Page): Promise<void> => {
  const main = page.getByRole('main')
  const networks = page.getByRole('list', { name: 'Redes con un nodo' })
  await expect(networks.getByRole('listitem').filter({ hasText: 'Ethereum' })).toContainText(
    'En orden',
  )
  const payments = page.getByRole('list', { name: 'Pagos que han visto los nodos' })
  await expect(payments.getByRole('listitem').filter({ hasText: '60 USDC' })).toContainText(
    'Confirmado',
  )
  await expect(payments.getByRole('listitem').filter({ hasText: '0.5 ETH' })).toContainText(
    'Anulado',
  )
  await expect(claimOf(page)).toContainText('cancelados')
  await expect(main.getByRole('button', { name: /Cancelar deuda|Resolver/ })).toHaveCount(0)
  for (const role of ['textbox', 'checkbox'] as const)
    await expect(main.getByRole(role)).toHaveCount(0)
  await expectAccessible(page, 'auditorChains')
}

test('coins come by a key, are invested and leave', async ({ open }) => {
  // It waits for some forty answers of nodes, jobs and streams.
  test.slow()
  const { own } = walk
  const [admin, second] = [await own.person(['ADMIN']), await own.superAdmin()]
  await own.call(setRate, admin, { coin: 'ETH', dollars: '2000' })
  const spanish = { at: own, viewport: PHONE }
  const comparing = await open(second, '/admin?tab=wallets&lang=es', spanish)
  await test.step('two people add a key', async () => {
    await compareKeys(own, comparing, admin)
    await expectDerived(own, comparing, admin)
  })
  const investor = await own.person()
  const pages: Pages = {
    investor,
    phone: await open(investor, '/dashboard?lang=es', spanish),
    desk: await open(await own.sessionOf(investor), '/dashboard', { at: own }),
    queue: await open(admin, undefined, { at: own }),
  }
  await test.step('exact coins are credited by the product', async () => {
    await payInDollars(walk, pages)
    await payInBitcoin(walk, pages, admin)
  })
  await test.step('coins that fall short are credited as they came', async () => {
    const address = await payShort(walk, pages)
    await payUnasked(walk, pages, address)
  })
  await invest(pages)
  await test.step('a reorganisation takes coins back', () => seeThemGo(walk, pages))
  const first = await own.person(['SUPER_ADMIN'])
  await writeOff(await open(first, '/admin/networks', { at: own }), comparing)
  await audit(await open(await own.person(['AUDITOR']), '/admin/networks?lang=es', spanish))
})
