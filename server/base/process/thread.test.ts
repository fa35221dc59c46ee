import { expect, test } from 'vitest'
import { NodeFault } from '../../chain/nodes/fault.ts'
import { longestTurn, MOST_OF_A_TURN } from '../../testing/turns.ts'
import { openThread } from './thread.ts'

const threadOf = (mostMs = 60_000, mostMegabytes = 256) =>
  openThread<typeof import('../../testing/threadWork.ts')>(
    new URL('../../testing/threadWork.ts', import.meta.url),
    { mostMs, mostMegabytes },
    [NodeFault],
  )

test('a thread keeps the state of its module between calls', async () => {
  const thread = threadOf()
  expect([await thread.call('count'), await thread.call('count')]).toEqual([1, 2])
})

test('an error of a thread keeps its class and fields', async () => {
  const failing = threadOf().call('fail', 'two blocks')
  await expect(failing).rejects.toBeInstanceOf(NodeFault)
  await expect(failing).rejects.toMatchObject({ state: 'BEHIND', message: 'two blocks' })
})

test('work beyond its processor time ends its thread', async () => {
  const thread = threadOf(500)
  await thread.call('count')
  const turn = await longestTurn(async () => {
    const [computed, counted] = await Promise.allSettled([
      thread.call('compute'),
      thread.call('count'),
    ])
    expect(computed).toMatchObject({ reason: { bound: 'processor' } })
    expect(counted).toMatchObject({ reason: { bound: 'processor' } })
  })
  expect(turn).toBeLessThan(MOST_OF_A_TURN)
  expect(await thread.call('count')).toBe(1)
})

test('work beyond its memory ends without the process', async () => {
  const thread = threadOf(60_000, 64)
  await expect(thread.call('remember')).rejects.toMatchObject({ bound: 'memory' })
  expect(await thread.call('count')).toBe(1)
})
