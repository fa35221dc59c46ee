/** Serves the pages of the sandbox. They are no part of the product. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** A mistake of the person at a page, in a sentence. */
export class PageError extends Error {}

export type Body = Readonly<Partial<Record<string, string>>>

export type Page = {
  /** The folder of its `index.html` and `script.js`, below `sandbox/`. */
  readonly folder: string
  /** 0 takes a free one. */
  readonly port: number
  readonly mostCharacters: number
  /** The answer to `GET /facts`, which its script asks for first. */
  readonly facts: () => object
  /** The buttons by path. Each answers a sentence or an object, or throws a `PageError`. */
  readonly actions: Readonly<Record<string, (body: Body) => Promise<string | object>>>
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
}

const fileOf = (name: string) => ({
  type: `${TYPES[name.split('.').at(-1) ?? '']}; charset=utf-8`,
  text: readFileSync(join(import.meta.dirname, '..', name), 'utf8'),
})

const readBody = async (request: IncomingMessage, mostCharacters: number): Promise<Body> => {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    parts.push(part as Buffer)
    length += (part as Buffer).length
    if (length > mostCharacters) throw new PageError('The request is too long.')
  }
  return JSON.parse(Buffer.concat(parts).toString()) as Body
}

/** A mistake is said on the page, a fault of the node on the terminal. */
const sentenceOf = (error: unknown): string => {
  if (error instanceof PageError) return error.message
  process.stderr.write(`${String(error)}\n`)
  return 'The play chain refused that. Are there that many coins, and is the address right?'
}

const HOSTS = /^(localhost|127\.0\.0\.1):\d+$/

/**
 * Serves a page on loopback and returns its URL. Other sites cannot press its buttons: a call
 * needs a type that browsers do not send across sites, and a host of this machine.
 */
export const servePage = async (page: Page): Promise<string> => {
  const files = new Map([
    ['/', fileOf(`${page.folder}/index.html`)],
    ...['page/style.css', 'page/shared.js', `${page.folder}/script.js`].map(
      (name) => [`/${name}`, fileOf(name)] as const,
    ),
  ])
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { method, url = '', headers } = request
    if (!HOSTS.test(headers.host ?? '')) return response.writeHead(403).end()
    const file = files.get(url)
    if (method === 'GET' && file)
      return response
        .writeHead(200, {
          'content-type': file.type,
          'content-security-policy': "default-src 'self'; img-src data:; frame-ancestors 'none'",
        })
        .end(file.text)
    if (method === 'GET' && url === '/facts') return inJson(response, page.facts())
    const action = page.actions[url]
    if (method !== 'POST' || !action || headers['content-type'] !== 'application/json')
      return response.writeHead(404).end()
    const said = await readBody(request, page.mostCharacters).then(action).catch(sentenceOf)
    return inJson(response, typeof said === 'string' ? { text: said } : said)
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(page.port, '127.0.0.1')
  await once(server, 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

const inJson = (response: ServerResponse, value: object) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
