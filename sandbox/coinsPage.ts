/** The page of the play coins: payments, and blocks. */
import type { PlayChain } from './chains.ts'
import { type Body, PageError, servePage } from './page/servePage.ts'

const MOST_CHARACTERS = 10_000

type Action = (chains: readonly PlayChain[], body: Body) => Promise<string>

const chainOf = (chains: readonly PlayChain[], { network }: Body): PlayChain => {
  const chain = chains.find((each) => each.network === network)
  if (!chain) throw new PageError('There is no such network.')
  return chain
}

/** The actions of the buttons. Each answers in a sentence, or throws one. */
const actions: Readonly<Record<string, Action>> = {
  '/pay': async (chains, { address = '', coin: symbol = '', amount = '' }) => {
    const coin = chains.flatMap(({ coins }) => coins).find((each) => each.symbol === symbol)
    if (!coin?.isAddress(address.trim())) throw new PageError(`This is no address for ${symbol}.`)
    const transaction = await coin.pay(address.trim(), amount.trim())
    return `Paid ${amount.trim()} ${symbol} in ${transaction}. It waits for a block.`
  },
  '/mine': async (chains, body) => {
    const chain = chainOf(chains, body)
    await chain.mine()
    return `A block was added to ${chain.network}.`
  },
  '/take-back': async (chains, body) => {
    const chain = chainOf(chains, body)
    if (!chain.takeBack) throw new PageError(`${chain.network} takes no block back.`)
    await chain.takeBack()
    return `The newest block of ${chain.network} was taken back.`
  },
}

type Served = {
  readonly port: number
  readonly product: string
  readonly signer: string
  /** Runs `npm run chains:check`, and returns the words of the terminal. */
  readonly compare: () => Promise<string>
}

/** Serves the page, with links to the product and the signer, and returns its URL. */
export const serveCoins = (
  chains: readonly PlayChain[],
  { port, compare, ...urls }: Served,
): Promise<string> => {
  const offered = chains.map(({ network, coins, takeBack }) => ({
    network,
    takesBack: takeBack !== undefined,
    coins: coins.map(({ symbol }) => symbol),
  }))
  return servePage({
    folder: 'page',
    port,
    mostCharacters: MOST_CHARACTERS,
    facts: () => ({ ...urls, chains: offered }),
    actions: {
      ...Object.fromEntries(
        Object.entries(actions).map(([path, act]) => [path, (body: Body) => act(chains, body)]),
      ),
      // Its last line is the verdict, or the reason why nothing was compared.
      '/compare': async () => (await compare()).trim().split('\n').at(-1) ?? '',
    },
  })
}
