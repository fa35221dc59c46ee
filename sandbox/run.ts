/** Starts play chains, the product with them, and the page of the play coins, until Ctrl-C. */
import { randomBytes } from 'node:crypto'
import { setRate } from '@pool/contract/rates'
import { login } from '@pool/contract/users'
import { createWallets } from '@pool/contract/wallets'
import { newAddress } from '../server/testing/addresses.ts'
import { chainsFile } from '../server/testing/playNode.ts'
import { dataDirectory } from '../server/testing/process.ts'
import { ask } from '../server/testing/request.ts'
import { hasSvm } from '../server/testing/solanaSvm.ts'
import { type PlayChain, startChains } from './chains.ts'
import { servePage } from './servePage.ts'

const WALLETS = 20
/** Rates in dollars that make amounts easy to check. */
const RATES = { ETH: '2000', BTC: '50000', SOL: '100' } as const
const PORT = Number(process.env.PORT || 3000)
const PAGE_PORT = PORT === 0 ? 0 : PORT + 1

const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Does what a super admin does first: adds wallets, and sets rates. */
const prepare = async (
  product: { readonly url: string },
  admin: { readonly username: string; readonly password: string },
  chains: readonly PlayChain[],
): Promise<void> => {
  const { token } = (await ask(product, login, { payload: admin })).body
  const must = async (answer: Promise<{ successful: boolean; narration: string }>) => {
    const { successful, narration } = await answer
    if (!successful) throw new Error(narration)
  }
  for (const { network: networkName, coins } of chains) {
    const addresses = Array.from({ length: WALLETS }, () => newAddress(networkName))
    await must(ask(product, createWallets, { token, payload: { networkName, addresses } }))
    for (const { symbol: coin } of coins)
      if (coin !== 'USDC')
        await must(ask(product, setRate, { token, payload: { coin, dollars: RATES[coin] } }))
  }
}

// Settings of another product must not reach this one.
for (const name of Object.keys(process.env))
  if (/^(DATABASE_|PGHOST|POOL_|SMTP_|PRICE_|RATE_|SECOND_|WORKERS|DATA_DIR|PUBLIC_URL)/.test(name))
    delete process.env[name]

const directory = dataDirectory()
const chains: PlayChain[] = []
let stopping = false
const stop = async (code: number): Promise<void> => {
  if (stopping) return
  stopping = true
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
  print('Starting the product …')
  const product = await directory.start({
    PORT: String(PORT),
    CHAINS: chainsFile(
      Object.fromEntries(chains.map(({ network, settings }) => [network, settings])),
    ),
    AUTO_CONFIRM_UP_TO: '1000',
    DAY_SECONDS: '60',
    SUPER_ADMIN_EMAIL: admin.username,
    SUPER_ADMIN_PASSWORD: admin.password,
  })
  product.process.once('exit', (code) => {
    if (!stopping) process.stderr.write(product.output())
    void stop(code ?? 1)
  })
  await prepare(product, admin, chains)
  const page = await servePage(chains, { port: PAGE_PORT, product: product.url })
  print(`Pool         ${product.url}`)
  print(`Play coins   ${page}`)
  print(`Super admin  ${admin.username}`)
  print(`Password     ${admin.password}`)
  print(
    'Payments up to $1,000.00 are credited by the product. An Ethereum payment needs three blocks,',
  )
  print('a Bitcoin one two, a Solana one one. All of it is gone after Ctrl-C.')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  await stop(1)
}
