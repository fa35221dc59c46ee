import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BitcoinSettings } from '../../base/configuration/chainsFile.ts'
import { longestTurn, MOST_OF_A_TURN } from '../../testing/turns.ts'
import { openNode } from './open.ts'

const HASH = 'ab'.repeat(32)
const SCRIPT = `0014${'cd'.repeat(20)}`
/** Transactions of a block of 60 MB. */
const TRANSACTIONS = 40_000
const PORTION = 65_536

const transactionOf = (number: number) => ({
  txid: number.toString(16).padStart(64, '0'),
  vin: [{ txid: HASH, vout: number, scriptSig: { asm: '', hex: 'ef'.repeat(500) } }],
  vout: [
    { value: 0.5, n: 0, scriptPubKey: { hex: number === 7 ? SCRIPT : `6a${'00'.repeat(40)}` } },
  ],
})

const answerOf = (result: unknown): string => JSON.stringify({ id: 0, result })

/** A node whose block has as many bytes as one of the largest chains. */
const startNode = async () => {
  const tx = Array.from({ length: TRANSACTIONS }, (_, number) => transactionOf(number))
  const about = {
    hash: HASH,
    height: 5,
    confirmations: 1,
    time: 1,
    nTx: TRANSACTIONS,
    previousblockhash: HASH,
  }
  // Digits matter, so the node writes numbers.
  const block = Buffer.from(answerOf({ ...about, tx }))
  expect(block.length).toBeGreaterThan(48_000_000)
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += String(part)
    if (!body.includes('"getblock"')) return void response.end(answerOf(HASH))
    const portions = function* () {
      for (let at = 0; at < block.length; at += PORTION) yield block.subarray(at, at + PORTION)
    }
    Readable.from(portions()).pipe(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

let node: Awaited<ReturnType<typeof startNode>>
beforeAll(async () => {
  node = await startNode()
})
afterAll(() => void node.server.close())

test('blocks of 60 MB are read while others are served', async () => {
  const settings = { kind: 'bitcoin', network: 'Bitcoin', url: node.url } as BitcoinSettings
  const opened = openNode(settings, { timeout: 60_000 })
  // As many addresses as a large pool has.
  const receivers = new Map(
    Array.from({ length: 100_000 }, (_, at) => [
      `0014${at.toString(16).padStart(40, '0')}`,
      `${at}`,
    ]),
  ).set(SCRIPT, 'ours')
  const read = async () => {
    const watched = { receivers, inputs: new Set<string>() }
    const blocks = await Promise.all([1, 2].map(() => opened.block(5, watched)))
    for (const block of blocks)
      expect(block?.payments).toMatchObject([{ address: 'ours', units: 50_000_000n }])
  }
  expect(await longestTurn(read)).toBeLessThan(MOST_OF_A_TURN)
})
