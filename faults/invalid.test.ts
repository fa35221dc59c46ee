import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { dataDirectory } from '../server/testing/process.ts'
import { bounds, type Kind } from './bounds.ts'
import { killOfBoth, killOfDatabase, killOfServer, stopOfServer } from './kinds.ts'
import {
  complaints,
  type Directory,
  type Fault,
  LIMIT,
  type Node,
  openNode,
  strikeOnce,
  underLoad,
} from './run.ts'

/** A run that strikes nothing, sees nothing or waits for ever must fail. */

let directory: Directory
let node: Node
beforeAll(async () => {
  directory = dataDirectory(inject('preparedData'))
  node = await openNode(directory)
})
afterAll(() => directory.remove())

const withoutEffect = (fault: Fault): Fault => ({ ...fault, inject: async () => undefined })

const faults: Readonly<Record<string, () => Fault>> = {
  'a kill of the server': () => killOfServer(node),
  'a stop of the server': () => stopOfServer(node),
  'a kill of PostgreSQL': () => killOfDatabase(directory),
  'a kill of both': () => killOfBoth(node, directory),
}

test.each(Object.entries(faults))('%s without an effect is no fault', async (_, fault) => {
  const watch = { sees: async () => undefined }
  await expect(strikeOnce(withoutEffect(fault()), watch)).rejects.toThrow(
    'The run is invalid: the fault was not observed.',
  )
  await expect(strikeOnce({ ...fault(), isSeen: () => true }, watch)).rejects.toThrow(
    'was there before it was injected',
  )
})

test('a run without an effective fault is invalid', LIMIT, async () => {
  const run = underLoad({ nodes: [node], directory, kind: 'restart' }, ({ strike }) =>
    strike(withoutEffect(killOfServer(node))),
  )
  await expect(run).rejects.toThrow('The run is invalid: the fault was not observed.')
})

test('runs without strikes or looks, or with gaps, are named', () => {
  const run = { strikes: [2_000], looks: 1, longestGap: 15_000 }
  for (const kind of Object.keys(bounds) as Kind[]) expect(complaints(kind, run)).toEqual([])
  expect(complaints('nuisance', { ...run, strikes: [] })).toEqual([
    'The run is invalid: nothing was struck.',
  ])
  expect(complaints('nuisance', { ...run, looks: 0 })).toEqual([
    'The run is invalid: nothing was looked at while the faults lasted.',
  ])
  const slow = { ...run, longestGap: 15_001 }
  expect(complaints('restart', slow)).toEqual([])
  expect(complaints('nuisance', slow)).toEqual([
    'Nothing was acknowledged for 15001 ms; 15000 ms are allowed.',
  ])
  expect(complaints('restart', { ...run, longestGap: 19_001 })).toEqual([
    'Nothing was acknowledged for 19001 ms; 19000 ms are allowed.',
  ])
})
