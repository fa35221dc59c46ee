import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './metrics.ts'

/** Serves `GET /metrics` on its own port, without authentication. */
export const serveMetrics = async (
  { text }: Pick<Metrics, 'text'>,
  { host, port }: { host: string; port: number },
) => {
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics')
      return void response.writeHead(404).end()
    text().then(
      ({ type, content }) =>
        response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(content),
      () => response.writeHead(500).end(),
    )
  })
  server.listen({ host, port })
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
