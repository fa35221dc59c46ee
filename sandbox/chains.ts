/** The play coins, and the chains that carry them. */
import { ANVIL_CHAIN, type Anvil, ownedToken, startAnvil } from '../server/testing/anvil.ts'
import { hasLitecoind, LITECOIN_REGTEST, startLitecoind } from '../server/testing/litecoind.ts'
import { playSafe } from '../server/testing/playSafe.ts'
import { startSolana as startServer } from '../server/testing/solanaServer.ts'
import { hasSvm } from '../server/testing/solanaSvm.ts'
import { unitsFrom } from './page/amounts.ts'
import type { PublicFacts } from './signer/keys.ts'

export type PlayChain = {
  /** The network of the product that the chain stands for. */
  readonly network: 'Ethereum' | 'Bitcoin' | 'Solana'
  /** Its entry in the file of `CHAINS`. */
  readonly settings: object
  readonly coins: readonly PlayCoin[]
  readonly mine: () => Promise<unknown>
  /** Gives the signer coins of its own, where it pays from an address without deposits. */
  readonly fund?: (signer: PublicFacts) => Promise<readonly Payer[]>
  /** Takes the newest block off the chain. Missing where the product reads final blocks alone. */
  readonly takeBack?: () => Promise<unknown>
  readonly stop: () => Promise<void>
}

/** An address that the signer pays from, and the whole coins of its beginning. */
export type Payer = {
  readonly network: 'Ethereum'
  readonly class: 'PAYER' | 'SAFE'
  readonly address: string
  readonly coins: typeof FUNDS
}

export type PlayCoin = {
  readonly symbol: 'ETH' | 'USDC' | 'BTC' | 'SOL'
  readonly isAddress: (address: string) => boolean
  /** Pays and returns the transaction. `amount` is in whole coins, as decimals. */
  readonly pay: (address: string, amount: string) => Promise<string>
}

/** Whole coins of each address of the signer. */
const FUNDS = { ETH: '100', USDC: '100000' } as const

const startEthereum = async (): Promise<PlayChain> => {
  // Two blocks after its own make a payment final.
  const anvil: Anvil = await startAnvil(['--slots-in-an-epoch', '1', '--no-mining'])
  const usdc = await ownedToken(anvil, 6)
  const isAddress = (address: string) => /^0x[0-9a-fA-F]{40}$/.test(address)
  return {
    network: 'Ethereum',
    settings: {
      kind: 'evm',
      url: anvil.url,
      chainId: ANVIL_CHAIN,
      tokens: [{ symbol: 'USDC', contract: usdc.contract, decimals: 6 }],
      pollSeconds: 1,
      stuckAfterMinutes: 1_440,
      unfinalAfterMinutes: 1_440,
    },
    coins: [
      {
        symbol: 'ETH',
        isAddress,
        pay: (to, amount) => anvil.pay(to, unitsFrom(amount, 18)),
      },
      {
        symbol: 'USDC',
        isAddress,
        pay: (to, amount) => usdc.send(to, unitsFrom(amount, 6)),
      },
    ],
    mine: () => anvil.ask('anvil_mine', '0x1'),
    fund: async ({ evm: { payer, safe, multiSend } }) => {
      // The play Safe begins with as much ether.
      await playSafe(anvil, { address: safe, multiSend })
      await anvil.pay(payer, unitsFrom(FUNDS.ETH, 18))
      for (const address of [payer, safe]) await usdc.send(address, unitsFrom(FUNDS.USDC, 6))
      // The first comparison reads the final block, which must have them.
      await anvil.ask('anvil_mine', '0x3')
      return [
        { network: 'Ethereum', class: 'PAYER', address: payer, coins: FUNDS },
        { network: 'Ethereum', class: 'SAFE', address: safe, coins: FUNDS },
      ]
    },
    // A longer branch, as a node with fewer blocks is behind.
    takeBack: async () => {
      await anvil.ask('anvil_reorg', 1, [])
      await anvil.ask('anvil_mine', '0x1')
    },
    stop: anvil.stop,
  }
}

const startBitcoin = async (): Promise<PlayChain> => {
  const node = await startLitecoind()
  return {
    network: 'Bitcoin',
    settings: {
      kind: 'bitcoin',
      url: node.url,
      credentialsFile: node.credentialsFile,
      genesis: LITECOIN_REGTEST,
      confirmations: 2,
      pollSeconds: 1,
      stuckAfterMinutes: 1_440,
    },
    coins: [
      {
        symbol: 'BTC',
        isAddress: (address) => /^bc1q[0-9a-z]{38}$/.test(address),
        pay: async (to, amount) => {
          unitsFrom(amount, 8)
          return node.pay(to, amount)
        },
      },
    ],
    mine: () => node.mine(),
    takeBack: async () => {
      await node.ask('invalidateblock', await node.ask('getbestblockhash'))
      await node.mineEmpty(2)
    },
    stop: node.stop,
  }
}

const startSolana = async (): Promise<PlayChain> => {
  const { url, genesis, pay, produce } = await startServer()
  return {
    network: 'Solana',
    settings: { kind: 'solana', url, genesis, pollSeconds: 1, stuckAfterMinutes: 1_440 },
    coins: [
      {
        symbol: 'SOL',
        isAddress: (address) => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address),
        pay: (to, amount) => pay([to], unitsFrom(amount, 9)),
      },
    ],
    mine: async () => produce(),
    // It is a part of this process.
    stop: async () => undefined,
  }
}

/** Starts the chains that this machine can run, and adds each once it can be stopped. */
export const startChains = async (chains: PlayChain[]): Promise<void> => {
  chains.push(await startEthereum())
  if (hasLitecoind) chains.push(await startBitcoin())
  if (hasSvm) chains.push(await startSolana())
}
