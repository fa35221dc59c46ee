import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'

/** A port of 127.0.0.1 that leads to a server's socket. It closes connections while it is shut. */
export type Door = {
  readonly port: number
  isShut: boolean
  /** Number of connections so far. */
  knocks: number
  /** Numbers of connections that it closes at once. */
  readonly refused: Set<number>
  /** Number of the connections that pass. */
  readonly passing: () => number
  /** Cuts the connection of this place among those that pass, or all. */
  readonly cut: (place?: number) => void
  /** Carries nothing more on its connections, new ones included, until the returned call. */
  readonly stand: () => () => void
  /** Carries nothing more on its connections, which neither end learns. New ones pass. */
  readonly forget: () => void
  readonly close: () => void
}

type Pair = readonly [Socket, Socket]

const pause = (pair: Pair) => {
  for (const socket of pair) socket.pause()
}

export const openDoor = async (at: { readonly host: string; readonly port: number }) => {
  const pairs = new Set<Pair>()
  let isStanding = false
  const listening = createServer((socket) => {
    socket.on('error', () => undefined)
    door.knocks += 1
    if (door.isShut || door.refused.has(door.knocks)) return socket.destroy()
    const to = dial(join(at.host, `.s.PGSQL.${at.port}`))
    const pair: Pair = [socket, to]
    pairs.add(pair)
    for (const [from, into] of [pair, [to, socket]] as const) {
      from.pipe(into).on('error', () => undefined)
      from.on('close', () => {
        pairs.delete(pair)
        into.destroy()
      })
    }
    if (isStanding) pause(pair)
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const cut = (place?: number) => {
    const cutPairs = place === undefined ? [...pairs] : [...pairs].slice(place, place + 1)
    for (const socket of cutPairs.flat()) socket.destroy()
  }
  const door: Door = {
    port: (listening.address() as AddressInfo).port,
    isShut: false,
    knocks: 0,
    refused: new Set(),
    passing: () => pairs.size,
    cut,
    stand: () => {
      isStanding = true
      for (const pair of pairs) pause(pair)
      return () => {
        isStanding = false
        for (const socket of [...pairs].flat()) socket.resume()
      }
    },
    forget: () => {
      for (const pair of pairs) pause(pair)
    },
    close: () => {
      cut()
      listening.close()
    },
  }
  return door
}
