import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'

/** A port of 127.0.0.1 that leads to a server's socket. It closes connections while it is shut. */
export type Door = {
  readonly port: number
  isShut: boolean
  /** Number of connections so far. */
  knocks: number
  readonly close: () => void
}

export const openDoor = async (at: { readonly host: string; readonly port: number }) => {
  const sockets = new Set<Socket>()
  const listening = createServer((socket) => {
    door.knocks += 1
    if (door.isShut) return socket.destroy()
    const to = dial(join(at.host, `.s.PGSQL.${at.port}`))
    for (const [from, into] of [
      [socket, to],
      [to, socket],
    ] as const) {
      sockets.add(from)
      from.pipe(into).on('error', () => undefined)
      from.on('close', () => into.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const door: Door = {
    port: (listening.address() as AddressInfo).port,
    isShut: false,
    knocks: 0,
    close: () => {
      for (const socket of sockets) socket.destroy()
      listening.close()
    },
  }
  return door
}
