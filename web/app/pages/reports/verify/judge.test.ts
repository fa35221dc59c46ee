import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { type PoolKey, signedText } from '@pool/contract/reports/poolKeys'
import { expect, test } from 'vitest'
import { canJudge, endsAt, judge, type PoolSignatures, unpacked } from './judge.ts'
import { isZip, readZip } from './readZip.ts'

const GOLDEN = join(import.meta.dirname, '../../../../../server/reports/statements/golden')
const statement = new Uint8Array(readFileSync(join(GOLDEN, 'statement-v1.json.golden')))

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const KEY: PoolKey = {
  id: '1a2b3c4d',
  algorithm: 'Ed25519',
  from: '2026-01-01T00:00:00.000Z',
  to: null,
  publicKey: String(publicKey.export({ format: 'jwk' }).x),
  leaked: false,
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
      numbers([2, 20], [2, 0], [2, method], [4, 0], [4, 0]),
      numbers([4, packed.length], [4, bytes.length], [2, name.length], [2, 0]),
    ]
    const entry = numbers([4, 0x02014b50], [2, 20])
    const place = numbers([2, 0], [2, 0], [2, 0], [4, 0], [4, contents.length])
    directory = Buffer.concat([directory, entry, ...facts, place, Buffer.from(name)])
    const local = numbers([4, 0x04034b50])
    contents = Buffer.concat([contents, local, ...facts, Buffer.from(name), packed])
  }
  const count = files.length
  const end = numbers(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, directory.length],
    [4, contents.length],
    [2, 5],
  )
  return new Uint8Array(Buffer.concat([contents, directory, end, Buffer.from('hello')]))
}

/** An archive with bytes put in at a place. Its end tells where the directory begins then. */
const withBytes = (zip: Uint8Array, place: number, more: Uint8Array): Uint8Array<ArrayBuffer> => {
  const longer = new Uint8Array([...zip.slice(0, place), ...more, ...zip.slice(place)])
  const [view, end] = [new DataView(longer.buffer), longer.length - 22 - 5]
  const directory = view.getUint32(end + 16, true) + more.length
  view.setUint32(end + 16, directory, true)
  if (place === 0) view.setUint32(directory + 42, more.length, true)
  return longer
}

const means = (key: PoolKey = KEY): PoolSignatures => ({
  keys: [key],
  listed: async () => undefined,
})
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

test('an ended key signs no later file', async () => {
  const ended = means({ ...KEY, to: '2026-03-31T12:00:00.000Z' })
  const id = '0190a1b2-0000-7000-8000-000000000000'
  const verdictOf = async (name: string) => {
    const files = [{ name, bytes: statement }, beside(signatureOf(statement, name))]
    expect(await found(files)).toEqual([[name, 'genuine']])
    const [[, is] = []] = await found(files, ended)
    return is
  }
  for (const name of [
    'loans-2026-04-01.csv',
    'liabilities-2026-03-31.json',
    'statement.json',
    `statement-2026-03-${id}.json`,
    `statement-2025-${id}-en.pdf`,
    'pool-coins-2026-03.csv',
    `statement-2026-until-2026-04-01T115959999Z-${id}.json`,
  ])
    expect([name, await verdictOf(name)]).toEqual([name, 'genuine'])
  for (const name of [
    'loans-2026-04-02.csv',
    'liabilities-2027-01-01.json',
    'pool-statement-2026.json',
    `statement-2026-04-${id}.json`,
    `statement-2026-${id}-en.pdf`,
    `statement-2026-until-2026-04-01T120001000Z-${id}.json`,
  ])
    expect([name, await verdictOf(name)]).toEqual([name, 'endedKey'])
})

test('a statement of a running period tells its end', () => {
  const until = 'pool-statement-2026-11-until-2026-11-28T041500123Z.json'
  expect(endsAt(until)?.toISOString()).toBe('2026-11-28T04:15:00.000Z')
  for (const name of ['pool-statement-2026-11.json', 'notes-until-today.json'])
    expect(endsAt(name)).toBeNull()
})

test('a file alone is looked for among the listed', async () => {
  const file = { name: NAME, bytes: statement }
  expect(await found([file])).toEqual([[NAME, 'unsigned']])
  const listed = async (name: string) => (name === NAME ? signatureOf(statement) : undefined)
  expect(await found([file], { keys: [KEY], listed })).toEqual([[NAME, 'genuine']])
})

test('an archive has no second reading', async () => {
  const forged = new TextEncoder().encode('{"closing":"1000000.00"}')
  const name = { name: NAME, bytes: statement }
  const hidden = zipped([{ name: NAME, bytes: forged }])
  // Another program takes the last of two files, or one that no directory names.
  for (const files of [
    [name, { name: NAME, bytes: forged }],
    [name, { name: NAME.toUpperCase(), bytes: forged }],
  ])
    await expect(readZip(zipped(files))).rejects.toThrow('a name one file')
  const whole = zipped([name])
  const local = hidden.slice(0, hidden.length - (46 + NAME.length + 22 + 5))
  for (const place of [0, whole.length - (46 + NAME.length + 22 + 5)])
    await expect(readZip(withBytes(whole, place, local))).rejects.toThrow(RangeError)
  // A file goes by another name, or another way, for who reads from the start.
  for (const [place, byte] of [
    [30, 'x'.charCodeAt(0)],
    [8, 0],
    [18, 0],
    [22, 0],
  ] as const) {
    const changed = whole.slice()
    changed[place] = byte
    await expect(readZip(changed)).rejects.toThrow(RangeError)
  }
  await expect(readZip(new Uint8Array([...whole, ...whole.slice(-27)]))).rejects.toThrow(RangeError)
})

test('a damaged archive is not read', async () => {
  const zip = zipped([{ name: 'a', bytes: statement }])
  for (const cut of [zip.slice(0, 40), zip.slice(0, -30), zip.slice(200)])
    await expect(readZip(cut)).rejects.toThrow()
})
