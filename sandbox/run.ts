/** Starts play chains, the product with them, an outside signer, and their pages, until Ctrl-C. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { login, register } from '@pool/contract/accounts/users'
import { approveProposal, askProposal } from '@pool/contract/agreements/proposals'
import { addKey } from '@pool/contract/chain/addressKeys'
import { setRate } from '@pool/contract/chain/rates'
import { createWallets } from '@pool/contract/chain/wallets'
import { readCapital } from '@pool/contract/coins/capital'
import { newAddress } from '../server/testing/addresses.ts'
import { chainsFile } from '../server/testing/playNode.ts'
import { dataDirectory } from '../server/testing/process.ts'
import { ask } from '../server/testing/request.ts'
import { hasSvm } from '../server/testing/solanaSvm.ts'
import { type Payer, type PlayChain, startChains } from './chains.ts'
import { serveCoins } from './coinsPage.ts'
import type { PublicFacts } from './signer/keys.ts'
import { type Signer, startSigner } from './startSigner.ts'

const WALLETS = 20
/** Rates in dollars that make amounts easy to check. */
const RATES = { ETH: '2000', BTC: '50000', SOL: '100' } as const
/** Whole coins of the operator's capital, and how often its payment is looked for. */
const CAPITAL = '100000'
const LOOKS = 60
const PORT = Number(process.env.PORT || 3000)
const [PAGE_PORT, SIGNER_PORT] = PORT === 0 ? [0, 0] : [PORT + 1, PORT + 2]
/** Some decisions take two super admins. */
const SECOND = 'second@example.com'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

type Product = { readonly url: string }
type Login = { readonly username: string; readonly password: string }

type Said = { readonly successful: boolean; readonly narration: string }

/** Rejects with the sentence of a refusal. */
const must = async <Answer extends Said>(asked: Promise<Answer>): Promise<Answer> => {
  const answer = await asked
  if (!answer.successful) throw new Error(answer.narration)
  return answer
}

const signIn = async (product: Product, payload: Login): Promise<string> =>
  (await must(ask(product, login, { payload }))).body.token

/**
 * Does what a super admin does first: adds keys of the signer, or wallets where no key derives
 * them, and sets rates.
 */
const prepare = async (
  product: Product,
  admin: Login,
  { bitcoin, evm }: PublicFacts,
): Promise<void> => {
  const token = await signIn(product, admin)
  for (const { network: networkName, coins } of chains) {
    const key = { Bitcoin: bitcoin, Ethereum: evm.key, Solana: undefined }[networkName]
    const addresses = Array.from({ length: WALLETS }, () => newAddress(networkName))
    await must<Said>(
      key === undefined
        ? ask(product, createWallets, { token, payload: { networkName, addresses } })
        : ask(product, addKey, { token, payload: { networkName, key } }),
    )
    for (const { symbol: coin } of coins)
      if (coin !== 'USDC')
        await must(ask(product, setRate, { token, payload: { coin, dollars: RATES[coin] } }))
  }
}

/** Adds a second super admin. */
const addSecond = async (product: Product, password: string): Promise<void> => {
  const detail = { firstName: 'Second', lastName: 'Admin', email: SECOND }
  await must(ask(product, register, { payload: { username: SECOND, password, detail } }))
  const { code, text } = await directory.command('user', 'grant', SECOND, 'SUPER_ADMIN')
  if (code !== 0) throw new Error(text)
}

type Agree = (payload: object) => Promise<void>

/** Signs in two super admins, of whom one asks and the other approves. */
const agreeing = async (
  product: Product,
  [first, second]: readonly [Login, Login],
): Promise<Agree> => {
  const [asker, approver] = [await signIn(product, first), await signIn(product, second)]
  return async (payload) => {
    const asked = await must(ask(product, askProposal, { token: asker, payload }))
    const params = { id: asked.body.id }
    await must(ask(product, approveProposal, { token: approver, params }))
  }
}

/** Names the addresses that the signer pays from, and books what they had before. */
const addPayers = async (agree: Agree, payers: readonly Payer[]): Promise<void> => {
  for (const { network: networkName, class: kind, address, coins } of payers) {
    const reason = 'The outside signer pays from it'
    await agree({ kind: 'OWN_ADDRESS', networkName, address, class: kind, reason })
    for (const [asset, amount] of Object.entries(coins)) {
      const opening = { networkName, asset, account: kind.toLowerCase(), amount }
      await agree({ kind: 'OPENING', ...opening, reason: 'The play coins of the beginning' })
    }
  }
}

/** Pays the operator's capital to an own address on the play chain, and books the payment. */
const bringCapital = async (
  product: Product,
  admin: Login,
  agree: Agree,
  [payer]: readonly Payer[],
): Promise<void> => {
  const chain = chains.find(({ network }) => network === payer?.network)
  const usdc = chain?.coins.find(({ symbol }) => symbol === 'USDC')
  if (!chain || !usdc || !payer) return
  const token = await signIn(product, admin)
  await usdc.pay(payer.address, CAPITAL)
  for (let looks = 0; looks < LOOKS; looks += 1) {
    await chain.mine()
    const { body } = await must(ask(product, readCapital, { token }))
    const [paid] = body.payments
    if (paid) {
      const { id: paymentId, network: networkName, asset, coins, evidence, dollars: amount } = paid
      const coinsOf = { paymentId, networkName, asset, coins, evidence, amount }
      return agree({ kind: 'PUT_IN_CAPITAL', ...coinsOf, reason: 'Play capital on the chain' })
    }
    await wait(1_000)
  }
  throw new Error('The play capital did not come in.')
}

// Settings of another product must not reach this one.
for (const name of Object.keys(process.env))
  if (/^(DATABASE_|PGHOST|POOL_|SMTP_|PRICE_|RATE_|SECOND_|WORKERS|DATA_DIR|PUBLIC_URL)/.test(name))
    delete process.env[name]

/** Of the product and the commands beside it. */
const shared: Record<string, string> = {}
const directory = dataDirectory(undefined, shared)
const chains: PlayChain[] = []
let signer: Signer | undefined
let stopping = false
const stop = async (code: number): Promise<void> => {
  if (stopping) return
  stopping = true
  await signer?.stop()
  await directory.remove()
  await Promise.all(chains.map((chain) => chain.stop()))
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop(0))

try {
  await startChains(chains)
  const admin = {
    username: process.env.SUPER_ADMIN_EMAIL || 'admin@example.com',
    password: process.env.SUPER_ADMIN_PASSWORD || randomBytes(12).toString('base64url'),
  }
  if (!hasSvm) print('litesvm has no program for this machine, so there is no play SOL.')
  const settings = Object.fromEntries(chains.map((each) => [each.network, each.settings]))
  signer = await startSigner({
    directory: join(directory.directory, 'signer'),
    port: SIGNER_PORT,
    chains: settings,
  })
  const { facts } = signer
  const payers: Payer[] = []
  for (const { fund } of chains) payers.push(...((await fund?.(facts)) ?? []))
  shared.CHAINS = chainsFile(settings)
  print('Starting the product …')
  const product = await directory.start({
    PORT: String(PORT),
    AUTO_CONFIRM_UP_TO: '1000',
    DAY_SECONDS: '60',
    PLAY_CAPITAL: '0',
    SUPER_ADMIN_EMAIL: admin.username,
    SUPER_ADMIN_PASSWORD: admin.password,
  })
  product.process.once('exit', (code) => {
    if (!stopping) process.stderr.write(product.output())
    void stop(code ?? 1)
  })
  await prepare(product, admin, facts)
  await addSecond(product, admin.password)
  const agree = await agreeing(product, [admin, { ...admin, username: SECOND }])
  await addPayers(agree, payers)
  await bringCapital(product, admin, agree, payers)
  const links = { product: product.url, signer: signer.url }
  const compare = async () => (await directory.command('chainsCheck')).text
  const coinsPage = await serveCoins(chains, { port: PAGE_PORT, compare, ...links })
  signer.tell({ product: product.url, coinsPage })
  print(`Pool           ${product.url}`)
  print(`Play coins     ${coinsPage}`)
  print(`Signer         ${signer.url}`)
  print(`Super admin    ${admin.username}`)
  print(`A second one   ${SECOND}`)
  print(`Their password ${admin.password}`)
  print(
    'Payments up to $1,000.00 are credited by the product. An Ethereum payment needs three blocks,',
  )
  print('a Bitcoin one two, a Solana one one. All of it is gone after Ctrl-C.')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  await stop(1)
}
