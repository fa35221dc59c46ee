import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PageError, type PlayChain } from './chains.ts'

const fileOf = (name: string, type: string) => ({
  type: `${type}; charset=utf-8`,
  text: readFileSync(join(import.meta.dirname, 'page', name), 'utf8'),
})

type Body = Readonly<Partial<Record<'address' | 'coin' | 'amount' | 'network', string>>>

const MOST_CHARACTERS = 10_000

const readBody = async (request: IncomingMessage): Promise<Body> => {
  let text = ''
  for await (const part of request) {
    text += String(part)
    if (text.length > MOST_CHARACTERS) throw new PageError('The request is too long.')
  }
  return JSON.parse(text) as Body
}

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

/** A mistake is said on the page, a fault of the node on the terminal. */
const sentenceOf = (error: unknown): string => {
  if (error instanceof PageError) return error.message
  process.stderr.write(`${String(error)}\n`)
  return 'The play chain refused that. Are there that many coins, and is the address right?'
}

const HOSTS = /^(localhost|127\.0\.0\.1):\d+$/

/**
 * Serves the page on loopback and returns its URL. Other sites cannot press its buttons: a call
 * needs a type that browsers do not send across sites, and a host of this machine.
 */
export const servePage = async (
  chains: readonly PlayChain[],
  { port, product }: { readonly port: number; readonly product: string },
): Promise<string> => {
  const offered = chains.map(({ network, coins, takeBack }) => ({
    network,
    takesBack: takeBack !== undefined,
    coins: coins.map(({ symbol }) => symbol),
  }))
  const files: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
    '/': fileOf('index.html', 'text/html'),
    '/style.css': fileOf('style.css', 'text/css'),
    '/script.js': fileOf('script.js', 'text/javascript'),
    '/chains': {
      type: 'application/json',
      text: JSON.stringify({ product, chains: offered }),
    },
  }
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { method, url = '', headers } = request
    if (!HOSTS.test(headers.host ?? '')) return response.writeHead(403).end()
    const file = files[url]
    if (method === 'GET' && file)
      return response
        .writeHead(200, {
          'content-type': file.type,
          'content-security-policy': "default-src 'self'; img-src data:; frame-ancestors 'none'",
        })
        .end(file.text)
    const action = actions[url]
    if (method !== 'POST' || !action || headers['content-type'] !== 'application/json')
      return response.writeHead(404).end()
    const text = await readBody(request)
      .then((body) => action(chains, body))
      .catch(sentenceOf)
    return response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ text }))
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}`
}
