/** Starts play chains, the product with them, and the page of the play coins, until Ctrl-C. */
import { randomBytes } from 'node:crypto'
import { setRate } from '@pool/contract/rates'
import { login } from '@pool/contract/users'
import { createWallets } from '@pool/contract/wallets'
import { newAddress } from '../server/testing/addresses.ts'
import { chainsFile } from '../server/testing/playNode.ts'
import { dataDirectory } from '../server/testing/process.ts'
import { ask } from '../server/testing/request.ts'
import { type PlayChain, startChains } from './chains.ts'
import { servePage } from './servePage.ts'

const WALLETS = 20
/** Rates in dollars that make amounts easy to check. */
const RATES = { ETH: '2000', BTC: '50000' } as const
const PORT = Number(process.env.PORT || 3000)
const PAGE_PORT = PORT === 0 ? 0 : PORT + 1

const say = (text: string): void => void process.stdout.write(`${text}\n`)

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

const directory = dataDirectory()
let chains: readonly PlayChain[] = []
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
  chains = await startChains()
  const admin = {
    username: process.env.SUPER_ADMIN_EMAIL || 'admin@example.com',
    password: process.env.SUPER_ADMIN_PASSWORD || randomBytes(12).toString('base64url'),
  }
  say('Starting the product …')
  const product = await directory.start({
    PORT: String(PORT),
    CHAINS: chainsFile(
      Object.fromEntries(chains.map(({ network, settings }) => [network, settings])),
    ),
    AUTO_CONFIRM_UP_TO: '1000',
    DAY_SECONDS: process.env.DAY_SECONDS || '60',
    SUPER_ADMIN_EMAIL: admin.username,
    SUPER_ADMIN_PASSWORD: admin.password,
  })
  product.process.once('exit', (code) => {
    if (!stopping) process.stderr.write(product.output())
    void stop(code ?? 1)
  })
  await prepare(product, admin, chains)
  const page = await servePage(chains, { port: PAGE_PORT, product: product.url })
  say(`Pool         ${product.url}`)
  say(`Play coins   ${page}`)
  say(`Super admin  ${admin.username}`)
  say(`Password     ${admin.password}`)
  say('Payments up to $1,000.00 are credited by the product, a day lasts a minute, and all of it')
  say('is gone after Ctrl-C.')
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  await stop(1)
}
