import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { WithTimeouts } from '../context.ts'
import { PORTION } from './streaming.ts'

/** Bytes that a client took, and the moment at which they were first so many. */
type Taken = { readonly bytes: number; readonly since: number }

/** Cuts connections whose client stops taking a response. Bytes in the kernel count as taken. */
export const cutStalled = (
  app: FastifyInstance,
  { timeouts: { stalled, portion } }: WithTimeouts,
): void => {
  const connections = new Map<Socket, Taken | undefined>()
  app.server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  const look = () => {
    const now = performance.now()
    for (const [socket, last] of connections) {
      const waiting = socket.writableLength
      const bytes = socket.bytesWritten - waiting
      if (waiting === 0) connections.set(socket, undefined)
      else if (last?.bytes !== bytes) connections.set(socket, { bytes, since: now })
      // Bytes that were written at once count when the last of them is taken.
      else if (now - last.since > stalled + (waiting / PORTION) * portion) socket.destroy()
    }
  }
  const looking = setInterval(look, stalled / 10)
  looking.unref()
  app.addHook('onClose', async () => clearInterval(looking))
}
