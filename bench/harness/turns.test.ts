import { expect, test } from 'vitest'
import { inTurns, overTurns, spreadOf } from './turns.ts'

test('product and yardstick alternate after a round of each', async () => {
  const order: string[] = []
  const record = (name: string) => async () => {
    order.push(name)
    return order.length
  }
  const measured = await inTurns(record('product'), record('yardstick'), 3).catch(() => undefined)
  // A busy machine gives no figure, and the rounds were the same.
  expect(order.join(' ')).toBe(Array(4).fill('product yardstick').join(' '))
  if (measured)
    expect(measured.turns).toEqual([
      [3, 4],
      [5, 6],
      [7, 8],
    ])
})

test('a figure of turns is the median with its spread', () => {
  const turns = [10, 1, 4, 2, 8].map((product) => [product, 2] as const)
  expect(overTurns(turns, ([product, yardstick]) => product / yardstick)).toEqual({
    value: 2,
    spread: (4 - 1) / 2,
  })
  expect(spreadOf([5, 5, 5])).toBe(0)
})
