/** The acts of a walk: coins come in by a key that two people added, and are credited. */
import { expect, type Locator, type Page } from '@playwright/test'
import { setRate } from '@pool/contract/chain/rates'
import { cancel, deposit } from '@pool/contract/requests/requests'
import { listTransactions } from '@pool/contract/requests/transactions'
import {
  ANVIL_CHAIN,
  type Anvil,
  type PlayToken,
  playToken,
  startAnvil,
} from '../server/testing/anvil.ts'
import {
  hasLitecoind,
  LITECOIN_REGTEST,
  type Litecoind,
  startLitecoind,
} from '../server/testing/litecoind.ts'
import { chainsFile } from '../server/testing/playNode.ts'
import { violations } from './axe.ts'
import { type OwnProduct, startOwnProduct } from './ownProduct.ts'
import type { Session } from './people.ts'
import { expectAccessible, pressIn } from './steps.ts'

/** The account of Ethereum and that of Bitcoin, of the words of BIP 84's test vector. */
export const KEYS = {
  Ethereum:
    'xpub6DCoCpSuQZB2jawqnGMEPS63ePKWkwWPH4TU45Q7LPXWuNd8TMtVxRrgjtEshuqpK3mdhaWHPFsBngh5GFZaM6si3yZdUsT8ddYM3PwnATt',
  Bitcoin:
    'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
} as const
/** As staff read them. */
const SHOWN = { Ethereum: 'xpub6DCo…M3PwnATt', Bitcoin: 'xpub6Cat…jPC7PW6V' } as const
/** Their first addresses. */
const FIRST = {
  Ethereum: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  Bitcoin: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
} as const
/** A product that follows play nodes. */
export type Walk = {
  readonly own: OwnProduct
  readonly anvil: Anvil
  readonly usdc: PlayToken
  /** Undefined where it is not installed. */
  readonly litecoind: Litecoind | undefined
  readonly end: () => Promise<void>
}

/** Starts the nodes that this machine has, and a product that credits up to $100 itself. */
export const startWalk = async (): Promise<Walk> => {
  const anvil = await startAnvil()
  const usdc = await playToken(anvil, 6)
  const litecoind = hasLitecoind ? await startLitecoind() : undefined
  const CHAINS = chainsFile({
    Ethereum: {
      kind: 'evm',
      url: anvil.url,
      chainId: ANVIL_CHAIN,
      pollSeconds: 1,
      tokens: [{ symbol: 'USDC', contract: usdc.contract, decimals: 6 }],
    },
    ...(litecoind && {
      Bitcoin: {
        kind: 'bitcoin',
        url: litecoind.url,
        credentialsFile: litecoind.credentialsFile,
        genesis: LITECOIN_REGTEST,
        confirmations: 2,
        pollSeconds: 1,
      },
    }),
  })
  const own = await startOwnProduct({ CHAINS, AUTO_CONFIRM_UP_TO: '100' })
  return {
    own,
    anvil,
    usdc,
    litecoind,
    end: async () => {
      await own.remove()
      await anvil.stop()
      await litecoind?.stop()
    },
  }
}

export type Pages = {
  readonly investor: Session
  /** The investor's: in Spanish, and in English. */
  readonly phone: Page
  readonly desk: Page
  /** The admin's queue. */
  readonly queue: Page
}

const inGroups = (address: string): string => address.match(/.{1,4}/g)?.join(' ') ?? ''
/** The balance in both languages. */
export const expectBalance = async ({ phone, desk }: Pages, amount: string): Promise<void> => {
  await expect(desk.getByRole('region', { name: 'Account Balance' })).toContainText(amount)
  await expect(phone.getByRole('region', { name: 'Saldo de la cuenta' })).toContainText(amount)
}
const askedOf = (page: Page): Locator => page.getByRole('dialog', { name: 'Dirección de depósito' })
export const storyOf = (page: Page): Locator =>
  page.getByRole('dialog', { name: /^(Deposit|Depósito)$/ })

/** A super admin compares what an admin added, in Spanish, on a phone and by keyboard alone. */
export const compareKeys = async (own: OwnProduct, page: Page, adder: Session): Promise<void> => {
  const section = page.getByRole('region', { name: 'Esperan a una segunda persona' })
  const dialog = page.getByRole('dialog')
  for (const network of ['Ethereum', 'Bitcoin'] as const) {
    await own.addWaitingKey(adder, network, KEYS[network])
    const line = section.getByRole('listitem').filter({ hasText: network })
    await expect(line).toContainText(`Añadir la clave ${SHOWN[network]} en ${network}`)
    await line.getByRole('button', { name: /^Comparar/ }).press('Enter')
    await expect(dialog.getByRole('listitem')).toHaveCount(5)
    await expect(dialog.getByRole('listitem').first()).toHaveText(inGroups(FIRST[network]))
    expect(await violations(page, '[role=dialog]')).toEqual([])
    await dialog.getByRole('checkbox').press('Space')
    await pressIn(dialog, 'Confirmar clave')
    await expect(dialog).toHaveCount(0)
  }
}

/** Investors get the addresses of a key one after the other, and staff see how many. */
export const expectDerived = async (own: OwnProduct, page: Page, adder: Session): Promise<void> => {
  const card = page
    .getByRole('region', { name: 'Claves' })
    .getByRole('listitem')
    .filter({ hasText: 'Clave en Ethereum' })
  await expect(card).toContainText('Disponibles por delante20')
  await expect(card).toContainText(adder.username)
  const asked: { by: Session; id: string }[] = []
  for (const expected of [FIRST.Ethereum, '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0']) {
    const by = await own.person()
    const payload = { userId: by.userId, amount: 50, networkName: 'Ethereum' }
    const { address, transactionId: id } = await own.call(deposit, by, payload)
    expect(address).toBe(expected)
    asked.push({ by, id })
  }
  await expect(card).toContainText('Dadas seguidas, sin pagar2')
  expect(await violations(page, 'main')).toEqual([])
  // The queue of the walk is to have its own requests alone.
  for (const { by, id } of asked) await own.call(cancel, by, {}, { id })
}

/** Asks on the phone by keyboard. Returns the dialog that stays, and the address in it. */
const ask = async (
  page: Page,
  { amount, network, coin }: { amount: string; network: string; coin?: string },
): Promise<{ dialog: Locator; address: string }> => {
  await page
    .getByRole('button', { name: /^Depositar/ })
    .first()
    .press('Enter')
  const form = page.getByRole('dialog', { name: 'Iniciar depósito' })
  await form.getByLabel('Importe').fill(amount)
  await form.getByLabel('Red').selectOption(network)
  if (coin) await form.getByLabel('Moneda').selectOption(coin)
  await form.getByRole('button', { name: 'Iniciar depósito' }).press('Enter')
  const dialog = askedOf(page)
  await expect(dialog).toContainText('Aún no se ha visto ningún pago')
  await expect(dialog).toContainText('Cuando la red haya confirmado un pago, se abona')
  return { dialog, address: (await dialog.locator('code').first().textContent()) ?? '' }
}

/** The story of the newest transaction at the desk. */
export const openStory = async (own: OwnProduct, { desk, investor }: Pages): Promise<Locator> => {
  const [newest] = await own.call(listTransactions, investor)
  await desk.goto(`/dashboard?transaction=${newest?.id}`)
  return storyOf(desk)
}

/** Dollars as coins, exactly as asked for, which the product credits itself. */
export const payInDollars = async ({ own, anvil, usdc }: Walk, pages: Pages): Promise<void> => {
  const { dialog, address } = await ask(pages.phone, {
    amount: '60',
    network: 'Ethereum',
    coin: 'USDC',
  })
  await expect(dialog).toContainText('60 USDC')
  // The product credits it, so no sentence promises that an admin confirms it.
  await expect(dialog).not.toContainText('administrador confirma')
  const story = await openStory(own, pages)
  await expect(story).toContainText('No payment has been seen yet')
  await usdc.send(address, 60_000_000n)
  await expect(dialog).toContainText('Confirmándose')
  await expect(story).toContainText('Confirming')
  await expect(story).toContainText('Worth $60.00')
  await anvil.ask('anvil_mine', '0x50')
  await expect(dialog).toContainText('Abonado')
  await expect(dialog).toContainText('$60.00 está en tu saldo.')
  await expect(story).toContainText('Credited')
  await pages.phone.keyboard.press('Escape')
  await pages.desk.keyboard.press('Escape')
  await expectBalance(pages, '$60.00')
}

/** Play bitcoin, one in time and one after its quote has ended. */
export const payInBitcoin = async (
  { own, litecoind: node }: Walk,
  pages: Pages,
  admin: Session,
): Promise<void> => {
  if (!node) return
  await own.call(setRate, admin, { coin: 'BTC', dollars: '50000' })
  const first = await ask(pages.phone, { amount: '100', network: 'Bitcoin' })
  expect(first.address).toBe(FIRST.Bitcoin)
  await expect(first.dialog).toContainText('0.002 BTC')
  const story = await openStory(own, pages)
  await node.pay(first.address, '0.002')
  await expect(first.dialog).toContainText('Sin confirmar')
  await expect(story).toContainText('Unconfirmed')
  // A dialog that is opened again asks for no second payment.
  await expect(first.dialog).toContainText('no envíes nada más')
  await expect(first.dialog.getByRole('timer')).toHaveCount(0)
  await node.mine()
  await expect(first.dialog).toContainText('1 de 2 bloques')
  await expect(story).toContainText('1 of 2 blocks')
  await node.mine()
  await expect(first.dialog).toContainText('$100.00 está en tu saldo.')
  await pages.phone.keyboard.press('Escape')
  await pages.desk.keyboard.press('Escape')
  await expectBalance(pages, '$160.00')

  const late = await ask(pages.phone, { amount: '90', network: 'Bitcoin' })
  await expect(late.dialog).toContainText('0.0018 BTC')
  await own.endQuotes(pages.investor.userId)
  await own.call(setRate, admin, { coin: 'BTC', dollars: '40000' })
  const ended = await openStory(own, pages)
  await expect(ended).toContainText('0.0018 BTC at $50,000.00')
  await node.pay(late.address, '0.0018')
  await expect(late.dialog).toContainText('Vale $72.00')
  await expect(ended).toContainText('Worth $72.00')
  await node.mine(2)
  await expect(late.dialog).toContainText('$72.00 está en tu saldo.')
  await pages.phone.keyboard.press('Escape')
  await pages.desk.keyboard.press('Escape')
  await expectBalance(pages, '$232.00')
}

/** Less than was asked for, which a person decides beside the evidence. */
export const payShort = async ({ anvil }: Walk, { phone, queue }: Pages): Promise<string> => {
  const { dialog, address } = await ask(phone, {
    amount: '250',
    network: 'Ethereum',
    coin: 'ETH',
  })
  await anvil.pay(address, 124_000_000_000_000_000n)
  await expect(dialog).toContainText('0.124 ETH')
  await expect(dialog).toContainText('Confirmándose')
  await expect(dialog).toContainText('Vale $248.00')
  await expectAccessible(phone, 'depositSeen', '[role=dialog]')
  await queue.goto('/admin')
  await queue.getByRole('button', { name: /^Deposit of \$250\.00/ }).click()
  const panel = queue.getByRole('region', { name: /^Deposit ·/ })
  const use = panel.getByRole('button', { name: /^Use 0\.124 ETH/ })
  await use.press('Enter')
  await expect(panel).toContainText('This payment has too few confirmations yet.')
  await expectAccessible(queue, 'paymentChosen')
  await anvil.ask('anvil_mine', '0x50')
  await expect(use).toHaveText('Use 0.124 ETH (Confirmed)')
  await expect(panel).not.toContainText('too few confirmations')
  await expect(panel).toContainText('$248.00 is credited instead of $250.00.')
  await expect(dialog).toContainText('Confirmado')
  await panel.getByRole('button', { name: /^Approve/ }).click()
  await expect(panel).toHaveCount(0)
  await expect(dialog).toContainText('Abonado')
  await expect(dialog).toContainText('$248.00 está en tu saldo.')
  await phone.keyboard.press('Escape')
  return address
}
