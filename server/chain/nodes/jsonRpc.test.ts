import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { type Script, startFakeNode } from '../../testing/fakeNode.ts'
import { chainsFile } from '../../testing/playNode.ts'
import { openRpc, type Place } from './jsonRpc.ts'

const call = { method: 'answer', schema: z.unknown() }

const rpcTo = async (script: Script, more: Partial<Place> = {}) =>
  openRpc({ url: (await startFakeNode(script)).url, ...more })

test('numbers whose digits matter stay text', async () => {
  const rpc = await rpcTo(
    (_, response) =>
      void response.end(
        '{"id":0,"result":{"value": 20999999.97690001,"n":3,"asm":"\\"value\\":1","value2":1.5}}',
      ),
    { exact: ['value'] },
  )
  expect(await rpc.ask(call)).toEqual({
    value: '20999999.97690001',
    n: 3,
    asm: '"value":1',
    value2: 1.5,
  })
})

test('named lists keep every digit of their numbers', async () => {
  const rpc = await rpcTo(
    (_, response) =>
      void response.end(
        '{"id":0,"result":{"value":[20000000000000001, 3,0],"n":[1],"asm":"\\"value\\":[1]","none":{"value":[]}}}',
      ),
    { exact: ['value'] },
  )
  expect(await rpc.ask(call)).toEqual({
    value: ['20000000000000001', '3', '0'],
    n: [1],
    asm: '"value":[1]',
    none: { value: [] },
  })
})

test('credentials travel in a header and stay there', async () => {
  const seen: (string | undefined)[] = []
  const { url } = await startFakeNode((_, response, { headers }) => {
    seen.push(headers.authorization)
    response.statusCode = 401
    response.end('user:hunter22 is wrong')
  })
  const withPassword = url.replace('//', '//user:hunter22@')
  await expect(openRpc({ url: withPassword }).ask(call)).rejects.toThrow(/^HTTP 401$/)
  expect(seen).toEqual([`Basic ${Buffer.from('user:hunter22').toString('base64')}`])
})

test('credentials in a file are read at each call', async () => {
  const seen: (string | undefined)[] = []
  const { url } = await startFakeNode((_, __, { headers }) => {
    seen.push(headers.authorization)
    return 1
  })
  const file = join(dirname(chainsFile({})), 'cookie')
  const rpc = openRpc({ url, credentialsFile: file })
  await expect(rpc.ask(call)).rejects.toMatchObject({
    state: 'AWAY',
    message: 'The file of the credentials cannot be read (ENOENT)',
  })
  for (const text of ['__cookie__:one\n', '__cookie__:two']) {
    writeFileSync(file, text)
    await rpc.ask(call)
  }
  expect(seen.map((each) => Buffer.from(each?.slice(6) ?? '', 'base64').toString())).toEqual([
    '__cookie__:one',
    '__cookie__:two',
  ])
})

test.each<[string, (calls: number) => { readonly status?: number; readonly text: string }]>([
  ['one answer for all', () => ({ text: '{"id":null,"error":{"code":-32600,"message":"no"}}' })],
  ['words in each answer', () => ({ text: '[{"id":0,"error":{"message":"batch too large"}}]' })],
  ['a status', () => ({ status: 413, text: 'Too large' })],
])('batches are halved where a node refuses one by %s', async (_, refuse) => {
  const sizes: number[] = []
  const rpc = await rpcTo((asked, response) => {
    const all = (Array.isArray(asked) ? asked : [asked]) as { id: number; params: unknown[] }[]
    sizes.push(all.length)
    const { status = 200, text } =
      all.length > 7
        ? refuse(all.length)
        : { text: JSON.stringify(all.map(({ id, params: [result] }) => ({ id, result }))) }
    response.statusCode = status
    response.end(Array.isArray(asked) ? text : text.slice(1, -1))
  })
  const numbers = Array.from({ length: 30 }, (_, at) => at)
  const calls = numbers.map((at) => ({ ...call, params: [at] }))
  expect(await rpc.askAll(calls)).toEqual(numbers)
  // The node is not asked for more again.
  const before = sizes.length
  expect(await rpc.askAll(calls)).toEqual(numbers)
  expect(Math.max(...sizes.slice(before))).toBeLessThanOrEqual(7)
})

test('a call of a batch without answer is a fault', async () => {
  const rpc = await rpcTo((_, response) => void response.end('[{"id":1,"result":1}]'))
  await expect(rpc.askAll([call, call])).rejects.toMatchObject({ state: 'LYING' })
})

test('a URL may have a % that begins no escape', async () => {
  const { url } = await startFakeNode(() => 5)
  const rpc = openRpc({ url: `${url.replace('//', '//user:50%off@')}/100%` })
  expect(await rpc.ask(call)).toBe(5)
})

test('words of a node lose the secrets of its URL', async () => {
  const { url } = await startFakeNode(
    ({ id }, response) =>
      void response.end(
        JSON.stringify({
          id,
          error: { code: -1, message: 'no key sEcrEt1 for /v2/sEcrEt1?t=tOkEn9' },
        }),
      ),
  )
  const failing = openRpc({ url: `${url}/v2/sEcrEt1?t=tOkEn9` }).ask(call)
  await expect(failing).rejects.toMatchObject({ code: -1 })
  await expect(failing).rejects.not.toThrow(/sEcrEt1|tOkEn9/)
})

test('a redirect is not followed', async () => {
  let followed = 0
  const other = await startFakeNode(() => {
    followed += 1
    return 1
  })
  const rpc = await rpcTo(
    (_, response) => void response.writeHead(307, { location: other.url }).end(),
  )
  await expect(rpc.ask(call)).rejects.toMatchObject({ state: 'AWAY' })
  expect(followed).toBe(0)
})

test('a node that never answers is away', async () => {
  const rpc = await rpcTo(() => undefined, { timeout: 50 })
  await expect(rpc.ask(call)).rejects.toMatchObject({
    state: 'AWAY',
    message: 'The node did not answer in time',
  })
})

test('a stop ends a call under way', async () => {
  const stopping = new AbortController()
  const rpc = await rpcTo(() => void stopping.abort(), { stopping: stopping.signal })
  await expect(rpc.ask(call)).rejects.toMatchObject({ state: 'AWAY' })
})

test('a connection that closes between two calls is opened again', async () => {
  const known = new Set<unknown>()
  const rpc = await rpcTo((_, __, { socket }) => {
    // The node closes a connection at the moment at which the next call comes.
    if (known.has(socket)) return void socket.destroy()
    known.add(socket)
    return 'fine'
  })
  expect([await rpc.ask(call), await rpc.ask(call)]).toEqual(['fine', 'fine'])
})

const lies: [string, Script, RegExp][] = [
  ['without JSON', (_, response) => void response.end('<html>'), /not JSON/],
  ['beyond its most bytes', () => 'x'.repeat(2_000), /more than 1000 bytes/],
  ['to another call', (_, response) => void response.end('[{"id":7,"result":1}]'), /no answer/],
  ['of nothing', (_, response) => void response.end('null'), /no answer/],
]
test.each(lies)('an answer %s is a lie', async (_name, script, words) => {
  const answer = (await rpcTo(script, { mostBytes: 1_000 })).ask(call)
  await expect(answer).rejects.toMatchObject({ state: 'LYING' })
  await expect(answer).rejects.toThrow(words)
})

test('an answer of another form is a lie', async () => {
  const rpc = await rpcTo(() => ({ height: '7' }))
  await expect(
    rpc.ask({ method: 'head', schema: z.object({ height: z.number() }) }),
  ).rejects.toMatchObject({ state: 'LYING', message: expect.stringContaining('head: height') })
})

test('answers of a batch come in the order of calls', async () => {
  const { url } = await startFakeNode((asked, response) => {
    const calls = asked as unknown as { id: number; params: unknown[] }[]
    const answers = calls.map(({ id, params }) =>
      id === 1 ? { id, error: { code: -5, message: 'no' } } : { id, result: params[0] },
    )
    response.end(JSON.stringify(answers.reverse()))
  })
  const calls = ['a', 'b', 'c'].map((text) => ({ ...call, params: [text] }))
  expect(await openRpc({ url }).askAll(calls)).toMatchObject(['a', { code: -5 }, 'c'])
})
