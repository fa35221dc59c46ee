import { health } from '@pool/contract/base/health'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { dataDirectory } from '../server/testing/process.ts'
import { ask } from '../server/testing/request.ts'
import { rounds } from '../server/testing/rounds.ts'
import { killOfBoth, killOfDatabase, killOfServer, stopOfServer } from './kinds.ts'
import { asGuest, type Directory, LIMIT, moment, openNode, times, underLoad } from './run.ts'

/** Processes are killed or stopped while money moves. */

let directory: Directory
beforeEach(() => {
  directory = dataDirectory(inject('preparedData'))
})
afterEach(() => directory.remove())

test('kill -9 of the server loses nothing', LIMIT, async () => {
  const node = await openNode(directory)
  const figures = await underLoad({ nodes: [node], directory, kind: 'restart' }, ({ strike }) =>
    times(rounds({ full: 50, short: 2 }), async () => {
      await moment(800)
      await strike(killOfServer(node))
    }),
  )
  expect(figures.resolved + figures.unknown).toBeGreaterThan(0)
})

test('kill -9 of PostgreSQL loses nothing', LIMIT, async () => {
  const node = await openNode(directory)
  const figures = await underLoad({ nodes: [node], directory, kind: 'restart' }, ({ strike }) =>
    times(rounds({ full: 20, short: 1 }), async () => {
      await moment(800)
      await strike(killOfDatabase(directory))
    }),
  )
  expect(figures.resolved + figures.unknown).toBeGreaterThan(0)
})

test('kill -9 of server and PostgreSQL at once loses nothing', LIMIT, async () => {
  const node = await openNode(directory)
  await underLoad({ nodes: [node], directory, kind: 'restart' }, ({ strike }) =>
    times(rounds({ full: 20, short: 1 }), async () => {
      await moment(800)
      await strike(killOfBoth(node, directory))
    }),
  )
})

test('SIGTERM under load with doubled requests loses nothing', LIMIT, async () => {
  const node = await openNode(directory)
  await underLoad({ nodes: [node], directory, kind: 'restart', repeatAll: true }, ({ strike }) =>
    times(rounds({ full: 20, short: 1 }), async () => {
      await moment(800)
      await strike(stopOfServer(node))
    }),
  )
})

test('killing one of two servers repeatedly loses nothing', LIMIT, async () => {
  // The first one owns the embedded database. The other two are guests, so either can die.
  const owner = await openNode(directory)
  const guest = asGuest(directory)
  const guests = [await openNode(directory, guest), await openNode(directory, guest)] as const
  const repeatAt = guests.map(({ url }) => url)
  await underLoad({ nodes: guests, directory, kind: 'oneOfTwo', repeatAt }, ({ load, strike }) =>
    times(rounds({ full: 20, short: 1 }), async () => {
      await moment(800)
      const killed = killOfServer(guests[0])
      await strike({ ...killed, recover: () => load.goesOn().then(guests[0].start) })
    }),
  )
  expect((await ask(owner.product(), health)).status).toBe(200)
})
