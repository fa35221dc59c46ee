import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { TIMEOUTS } from '../../base/process/timeouts.ts'
import { type Product, startProduct } from '../../testing/product.ts'

/** More bytes than a kernel holds for a client. */
const LARGE = 24 * 1_024 * 1_024
/** Connections of the thief. */
const MANY = 20

let product: Product
let port: number
beforeAll(async () => {
  product = await startProduct({}, { timeouts: { ...TIMEOUTS, stalled: 300, portion: 1 } })
  product.app.get('/large', () => Buffer.alloc(LARGE))
  await product.app.listen({ host: '127.0.0.1', port: 0 })
  port = (product.app.server.address() as AddressInfo).port
})
afterAll(() => product.close())

const ask = (socket: Socket, path: string) =>
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept-encoding: identity\r\n\r\n`)

/** Connects without reading. */
const connectTo = async (): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.pause()
  await once(socket, 'connect')
  return socket
}

const connections = (): Promise<number> =>
  new Promise((resolve, reject) =>
    product.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

test('responses that their client stops taking are cut', async () => {
  const patient = await connectTo()
  const stalled = await Promise.all(Array.from({ length: MANY }, connectTo))
  for (const socket of stalled) ask(socket, '/large')
  await vi.waitFor(async () => expect(await connections()).toBe(1), { timeout: 30_000 })
  // A connection that waits for nothing stays.
  ask(patient, '/api/v1/health')
  patient.resume()
  const [bytes] = await once(patient, 'data')
  expect(String(bytes)).toMatch(/^HTTP\/1.1 200 /)
  for (const socket of [...stalled, patient]) socket.destroy()
})
