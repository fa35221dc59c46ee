import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Time in milliseconds for connections and requests on their way when the server stops. */
const DRAIN_MS = 500
const CUT_EVERY_MS = 50

/**
 * Stops without losing a request. Accepts what was sent, then closes the port. After that it cuts
 * idle and silent connections, which would keep the process running.
 */
export const drainConnections = (app: FastifyInstance): void => {
  const connections = new Set<Socket>()
  app.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  const cut = () => {
    app.server.closeIdleConnections()
    // Browsers open connections early. Node counts one without a byte as an open request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
  }
  app.addHook('preClose', async () => {
    if (!app.server.listening) return
    await wait(DRAIN_MS)
    const cutting = setInterval(cut, CUT_EVERY_MS)
    app.server.once('close', () => clearInterval(cutting))
    cutting.unref()
  })
}
