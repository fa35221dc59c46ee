import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type NodeRequest = {
  readonly method: string
  readonly params: readonly unknown[]
  readonly id: number
}

/** Answers of a node that no real one gives: lies, stalls and half answers. */
export type Script = (
  asked: NodeRequest,
  response: ServerResponse,
  request: IncomingMessage,
) => unknown

/**
 * Starts a server on loopback, for the process of the test. A script's result is the answer.
 * Undefined means that the script answers by itself, or never.
 */
export const startFakeNode = async (script: Script): Promise<{ readonly url: string }> => {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString()) as NodeRequest
    const result = await script(body, response, request)
    if (result !== undefined) response.end(JSON.stringify({ id: body.id, result }))
  })
    .on('connection', (socket) => socket.unref())
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Calls that stall must not keep the process of the tests.
  server.unref()
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
