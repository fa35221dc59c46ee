import { expect, test } from 'vitest'
import { ApiError } from './errors.ts'
import { submitter } from './submit.ts'

/** A server with the given responses, and the keys that it received. */
const server = (...answers: readonly ('yes' | ApiError)[]) => {
  const keys: string[] = []
  const send = async (_: object, key: string): Promise<string> => {
    const answer = answers[Math.min(keys.push(key) - 1, answers.length - 1)]
    if (answer === undefined || answer instanceof ApiError) throw answer
    return answer
  }
  return { keys, send }
}
const timeout = new ApiError('', { kind: 'timeout' })
const refused = new ApiError('', { kind: 'answer', status: 409 })

test('two presses at once make one call', async () => {
  const { keys, send } = server('yes')
  const submit = submitter(send)
  expect(await Promise.all([submit({ amount: 10 }), submit({ amount: 10 })])).toEqual([
    'yes',
    'yes',
  ])
  expect(keys).toHaveLength(1)
})

test('a submit repeats its key after a timeout', async () => {
  const { keys, send } = server(timeout, timeout, 'yes')
  const submit = submitter(send)
  await expect(submit({ amount: 10 })).rejects.toBe(timeout)
  await expect(submit({ amount: 20 })).rejects.toBe(timeout)
  await submit({ amount: 10 })
  expect(keys[2]).toBe(keys[0])
  expect(keys[1]).not.toBe(keys[0])
})

test('a definite response retires the key', async () => {
  const { keys, send } = server(refused, 'yes', 'yes')
  const submit = submitter(send)
  await expect(submit({})).rejects.toBe(refused)
  await submit({})
  await submit({})
  expect(new Set(keys).size).toBe(3)
})
