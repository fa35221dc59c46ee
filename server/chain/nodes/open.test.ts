import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import { openNode } from './open.ts'

/** A node that answers about block 7 when it is told to, and at once about others. */
const held: ServerResponse[] = []
const HASH = `0x${'ab'.repeat(32)}`
const answer = (response: ServerResponse) => {
  const result = { hash: HASH, number: '0x7', parentHash: HASH, timestamp: '0x1' }
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result }))
}
const server = createServer(async (request, response) => {
  let body = ''
  for await (const part of request) body += String(part)
  if (body.includes('"0x7"')) held.push(response)
  else answer(response)
})
let settings: EvmSettings
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  settings = {
    kind: 'evm',
    network: 'Ethereum',
    chainId: 1,
    tokens: [],
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pollSeconds: 1,
    stuckAfterMinutes: 5,
    unfinalAfterMinutes: 60,
    smallUpTo: 0,
  }
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('a call under way outlives the object of its node', async () => {
  let isOver = false
  const called = openNode(settings).hashAt(7)
  const over = () => {
    isOver = true
  }
  called.then(over, over)
  while (held.length === 0 && !isOver) await new Promise(setImmediate)
  for (let turn = 0; turn < 20; turn += 1) {
    collectGarbage()
    await new Promise(setImmediate)
  }
  // The thread takes its messages in order, so it has heard of an end by now.
  await openNode(settings).hashAt(8)
  for (const response of held) answer(response)
  expect(await called).toBe(HASH)
})
