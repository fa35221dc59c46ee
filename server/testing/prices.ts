import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A source of prices on a port of its own, which answers as it is told. */
export type PriceServer = {
  readonly url: string
  /** Answers with this JSON text from now on. */
  readonly says: (text: string) => void
  /** Answers in this way from now on. */
  readonly does: (listener: RequestListener) => void
  readonly close: () => Promise<void>
}

export const startPriceServer = async (text = ''): Promise<PriceServer> => {
  const say =
    (text: string): RequestListener =>
    (_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(text)
    }
  let listener = say(text)
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    says: (text) => {
      listener = say(text)
    },
    does: (given) => {
      listener = given
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
