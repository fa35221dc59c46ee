import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { dataDirectory } from '../server/testing/process.ts'
import { FULL, rounds } from '../server/testing/rounds.ts'
import { type Directory, LIMIT, openNode, times, underLoad } from './run.ts'

/** Clocks and clients misbehave while money moves. */

let directory: Directory
beforeEach(() => {
  directory = dataDirectory(inject('preparedData'))
})
afterEach(() => directory.remove())

test("the server's clock jumps a day forward and back", LIMIT, async () => {
  const file = join(directory.directory, 'clock')
  writeFileSync(file, '0')
  const clock = join(import.meta.dirname, 'clock.ts')
  const node = await openNode(directory, {
    CLOCK_FILE: file,
    NODE_OPTIONS: `--import=${clock}`,
    LOG_LEVEL: 'info',
  })
  const hour = 3_600_000
  // The times in its log show its clock.
  const hoursOff = () => {
    const time = node
      .product()
      .output()
      .match(/(?<="time":)\d+/g)
      ?.at(-1)
    return time === undefined ? undefined : Math.round((Number(time) - Date.now()) / hour) + 0
  }
  await underLoad({ nodes: [node], directory, kind: 'nuisance' }, ({ strike }) =>
    times(rounds({ full: 10, short: 1 }), async () => {
      for (const hours of [24, -24, 0])
        await strike({
          inject: async () => {
            writeFileSync(file, String(hours * hour))
            await expect.poll(hoursOff).toBe(hours)
          },
          isSeen: () => hoursOff() === hours,
        })
    }),
  )
})

const HEAD = 'POST /api/v1/public/transaction/withdraw HTTP/1.1\r\nhost: localhost\r\n'

test('slow and silent clients by the thousand lose nothing', LIMIT, async () => {
  const node = await openNode(directory)
  const port = Number(new URL(node.url).port)
  const sockets: Socket[] = []
  // They keep their end open.
  const open = async (beginning: string): Promise<void> => {
    const socket = connect({ port, host: 'localhost', allowHalfOpen: true }).on(
      'error',
      () => undefined,
    )
    sockets.push(socket)
    await once(socket, 'connect')
    if (beginning) socket.write(beginning)
  }
  const openMany = (count: number, beginning = '') =>
    Promise.all(Array.from({ length: count }, () => open(beginning)))
  const drip = (some: readonly Socket[]) => {
    for (const socket of some) if (!socket.destroyed) socket.write('a')
  }
  try {
    await underLoad({ nodes: [node], directory, kind: 'nuisance' }, async ({ strike }) => {
      const slow: Socket[] = []
      const many = rounds({ full: 10_000, short: 1_000 })
      await strike({
        inject: async () => {
          await openMany(100, `${HEAD}x-slow: `)
          await openMany(
            100,
            `${HEAD}content-type: application/json\r\ncontent-length: 60000\r\n\r\n"`,
          )
          slow.push(...sockets)
          for (let opened = 0; opened < many; opened += 100) await openMany(100)
          await times(3, async () => {
            drip(slow)
            await wait(1_000)
          })
        },
        isSeen: () => slow.length === 200 && sockets.length === 200 + many,
      })
      // The server closes each unfinished connection after a while. A client that sends more
      // notices.
      const held = () => {
        drip(Date.now() < patientUntil ? slow : sockets)
        return sockets.filter(({ destroyed }) => !destroyed).length
      }
      const patientUntil = Date.now() + 30_000
      if (FULL) await expect.poll(held, { timeout: 300_000, interval: 1_000 }).toBe(0)
    })
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})
