import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { type PoolKey, signedText } from '@pool/contract/poolKeys'
import { expect, test } from 'vitest'
import { canJudge, judge, type Means, unpacked } from './judge.ts'
import { isZip, readZip } from './readZip.ts'

const GOLDEN = join(import.meta.dirname, '../../../../server/statements/golden')
const statement = new Uint8Array(readFileSync(join(GOLDEN, 'statement-v1.json.golden')))

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const KEY: PoolKey = {
  ...{ id: '1a2b3c4d', algorithm: 'Ed25519', from: '2026-01-01T00:00:00.000Z', to: null },
  ...{ publicKey: String(publicKey.export({ format: 'jwk' }).x), leaked: false },
}
const NAME = 'statement.json'
const signatureOf = (bytes: Uint8Array, name = NAME) => {
  const digest = createHash('sha256').update(bytes).digest('hex')
  const signature = sign(null, Buffer.from(signedText({ name, digest })), privateKey)
  return { name, digest, keyId: KEY.id, signature: signature.toString('base64url') }
}
const asBytes = (value: object) => new TextEncoder().encode(JSON.stringify(value))
const beside = (value: object) => ({ name: 'signature.json', bytes: asBytes(value) })

type File = { readonly name: string; readonly bytes: Uint8Array }

/** An archive as the pool makes them, with a comment at its end. */
const zipped = (files: readonly File[], method: 0 | 8 = 8): Uint8Array<ArrayBuffer> => {
  const numbers = (...sized: readonly (readonly [bytes: 2 | 4, value: number])[]) =>
    Buffer.concat(
      sized.map(([size, value]) => {
        const bytes = Buffer.alloc(size)
        bytes.writeUIntLE(value, 0, size)
        return bytes
      }),
    )
  let [contents, directory] = [Buffer.alloc(0), Buffer.alloc(0)]
  for (const { name, bytes } of files) {
    const packed = method === 8 ? deflateRawSync(bytes) : Buffer.from(bytes)
    // Version, flags, method, time, sum, both sizes, and lengths of name and extra field.
    const facts = [
      ...[numbers([2, 20], [2, 0], [2, method], [4, 0], [4, 0])],
      ...[numbers([4, packed.length], [4, bytes.length], [2, name.length], [2, 0])],
    ]
    const entry = numbers([4, 0x02014b50], [2, 20])
    const place = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, contents.length])
    directory = Buffer.concat([directory, entry, ...facts, place, Buffer.from(name)])
    const local = numbers([4, 0x04034b50])
    contents = Buffer.concat([contents, local, ...facts, Buffer.from(name), packed])
  }
  const count = files.length
  const end = numbers(
    ...([
      [4, 0x06054b50],
      [2, 0],
      [2, 0],
      [2, count],
      [2, count],
    ] as const),
    ...([
      [4, directory.length],
      [4, contents.length],
      [2, 5],
    ] as const),
  )
  return new Uint8Array(Buffer.concat([contents, directory, end, Buffer.from('hello')]))
}

const means = (key: PoolKey = KEY): Means => ({ keys: [key], listed: async () => undefined })
const found = async (files: Parameters<typeof judge>[0], by = means()) =>
  (await judge(files, by)).map(({ name, is }) => [name, is])

test('a signed file is genuine, in an archive too', async () => {
  expect(await canJudge()).toBe(true)
  const files = [{ name: NAME, bytes: statement }, beside(signatureOf(statement))]
  expect(await found(files)).toEqual([[NAME, 'genuine']])
  for (const method of [0, 8] as const) {
    const zip = zipped(files, method)
    expect(isZip(zip)).toBe(true)
    expect(await found(await unpacked([{ name: 'any name.zip', bytes: zip }]))).toEqual([
      [NAME, 'genuine'],
    ])
  }
})

test('a changed byte or signature is refused', async () => {
  const changed = statement.slice()
  changed[500] = (changed[500] ?? 0) ^ 1
  const signature = signatureOf(statement)
  expect(await found([{ name: NAME, bytes: changed }, beside(signature)])).toEqual([
    [NAME, 'changed'],
  ])
  // A forger may give the digest of the changed file.
  const { digest } = signatureOf(changed)
  expect(await found([{ name: NAME, bytes: changed }, beside({ ...signature, digest })])).toEqual([
    [NAME, 'changed'],
  ])
  for (const forged of ['A'.repeat(86), 'short', '*'])
    expect(
      await found([{ name: NAME, bytes: statement }, beside({ ...signature, signature: forged })]),
    ).toEqual([[NAME, 'changed']])
})

test('a changed name is refused', async () => {
  const bytes = statement
  const signature = signatureOf(statement)
  expect(await judge([{ name: 'other.json', bytes }, beside(signature)], means())).toMatchObject([
    { name: 'other.json', is: 'renamed', signedName: NAME },
  ])
  // The name within the signature is no way around.
  const renamed = { ...signature, name: 'other.json' }
  expect(await found([{ name: 'other.json', bytes }, beside(renamed)])).toEqual([
    ['other.json', 'changed'],
  ])
})

test('unknown and leaked keys prove nothing', async () => {
  const files = [{ name: NAME, bytes: statement }, beside(signatureOf(statement))]
  expect(await found(files, means({ ...KEY, id: '00000000' }))).toEqual([[NAME, 'unknownKey']])
  expect(await found(files, means({ ...KEY, leaked: true }))).toEqual([[NAME, 'leakedKey']])
  const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x
  expect(await found(files, means({ ...KEY, publicKey: String(other) }))).toEqual([
    [NAME, 'changed'],
  ])
})

test('a file alone is looked for among the listed', async () => {
  const file = { name: NAME, bytes: statement }
  expect(await found([file])).toEqual([[NAME, 'unsigned']])
  const listed = async (name: string) => (name === NAME ? signatureOf(statement) : undefined)
  expect(await found([file], { keys: [KEY], listed })).toEqual([[NAME, 'genuine']])
})

test('a damaged archive is not read', async () => {
  const zip = zipped([{ name: 'a', bytes: statement }])
  for (const cut of [zip.slice(0, 40), zip.slice(0, -30), zip.slice(200)])
    await expect(readZip(cut)).rejects.toThrow()
})
