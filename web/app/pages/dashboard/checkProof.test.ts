import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkProof } from './checkProof.ts'

const { vectors } = JSON.parse(
  readFileSync(
    join(import.meta.dirname, '../../../../docs/verify/liabilities.vectors.json'),
    'utf8',
  ),
) as {
  readonly vectors: readonly {
    readonly name: string
    readonly account: string
    readonly proof: unknown
    readonly file: string
    readonly keys: unknown
    readonly fault?: string
  }[]
}

const check = ({ account, proof, file, keys }: (typeof vectors)[number]) =>
  checkProof({ proof, file: new TextEncoder().encode(file), keys: { version: 1, keys } }, account)

test.each(vectors)('the browser decides the vector of $name', async (vector) => {
  const found = await check(vector)
  expect('fault' in found ? found.fault : undefined).toBe(vector.fault)
})

test('a right proof tells amounts, parts and steps', async () => {
  const [right] = vectors
  if (!right) throw new Error('the vectors begin with a right one')
  expect(await check(right)).toMatchObject({ own: 50_700n, total: 50_701n, parts: 1, steps: 10 })
  const parts = vectors.find(({ name }) => name === 'a right proof of version 3')
  if (!parts) throw new Error('a vector of version 3 is right')
  expect(await check(parts)).toMatchObject({ own: 50_700n, total: 50_701n, parts: 8, steps: 10 })
})

test('anything else is no proof', async () => {
  const [right] = vectors
  if (!right) throw new Error('the vectors begin with a right one')
  for (const proof of [null, 1, 'x', {}, { ...(right.proof as object), path: 'x' }])
    expect(await check({ ...right, proof })).toEqual({ fault: 'form' })
  for (const file of ['', 'null', '{}', '[1'])
    expect(await check({ ...right, file })).toEqual({ fault: 'form' })
  expect(await check({ ...right, keys: null })).toEqual({ fault: 'key' })
})
