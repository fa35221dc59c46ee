import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import type { LiabilitiesFile, LiabilityProof } from '@pool/contract/liabilities'
import { expect, test } from 'vitest'
import { idOf, keysOf } from '../keys/keys.ts'
import { signPublished } from '../signing/publish.ts'
import { readAgain } from '../testing/liabilityReader.ts'
import { leafOf, paddingOf, saltOf, seedOf } from './hashes.ts'
import { newLevel, nodeAt, pathIn, setNode, sizeOf, topOf } from './tree.ts'

const FOLDER = join(import.meta.dirname, '../../docs/verify')
const PUBLISHED = join(FOLDER, 'liabilities.vectors.json')

type Key = { readonly id: string; readonly publicKey: string; readonly leaked: boolean }
type Vector = {
  readonly name: string
  readonly account: string
  readonly proof: LiabilityProof
  readonly file: string
  readonly keys: readonly Key[]
  /** Undefined of a right proof. */
  readonly fault?: string
}

const DAY = '2026-11-27'
const PEOPLE = [
  { userId: '0190a000-0000-7000-8000-000000000001', place: 0, available: 43_000n, held: 2_000n },
  { userId: '0190a000-0000-7000-8000-000000000002', place: 1, available: 1n, held: 0n },
  { userId: '0190a000-0000-7000-8000-000000000003', place: 1_023, available: 0n, held: 0n },
] as const

const secret = (byte: number) => {
  const bytes = Buffer.alloc(32, byte)
  return { id: idOf(bytes), bytes }
}

/** The vectors that the product computes today, with a key that is no secret. */
const made = (): readonly Vector[] => {
  const keys = keysOf([secret(7)])
  const [{ id = '', publicKey = '' } = {}] = keys.publicKeys
  const seed = seedOf(keys, DAY, id)
  const level = newLevel(1_024)
  const people = PEOPLE.map(({ userId, place, available, held }) => ({
    ...{ userId, place, available, held },
    ...(place === 0
      ? { outgoing: 500n, invested: 5_000n, interest: 200n }
      : { outgoing: 0n, invested: 0n, interest: 0n }),
  }))
  for (let place = 0; place < sizeOf(level); place += 1)
    setNode(level, place, paddingOf(seed, place))
  for (const { place, ...owed } of people)
    setNode(level, place, leafOf(DAY, owed, saltOf(seed, owed.userId)))
  const top = topOf(level)
  const content: LiabilitiesFile = {
    ...{ version: 1, day: DAY, at: `${DAY}T00:40:00.000Z`, root: top.hash.toString('hex') },
    ...{ total: String(top.sum), leaves: 1_024, coins: '60000', loans: '0' },
  }
  const signed = (file: string) => {
    const digest = createHash('sha256').update(file).digest('hex')
    return { file, signed: signPublished(keys, { name: `liabilities-${DAY}.json`, digest }) }
  }
  const published = (each: LiabilitiesFile) => signed(`${JSON.stringify(each, null, 2)}\n`)
  const { file, signed: signature } = published(content)
  const proofOf = (at: number): LiabilityProof => {
    const { userId, place, ...owed } = people[at] ?? (people[0] as (typeof people)[0])
    return {
      ...{ version: 1, day: DAY, account: userId, place },
      owed: {
        available: String(owed.available),
        held: String(owed.held),
        outgoing: String(owed.outgoing),
        invested: String(owed.invested),
        interest: String(owed.interest),
      },
      salt: saltOf(seed, userId).toString('hex'),
      path: pathIn(level, place).map(({ hash, sum }) => ({
        hash: hash.toString('hex'),
        sum: String(sum),
      })),
      signed: signature,
    }
  }
  const proof = proofOf(0)
  const right: Vector = {
    ...{ name: 'a right proof', account: proof.account, proof, file },
    keys: [{ id, publicKey, leaked: false }],
  }
  const path = (change: (each: LiabilityProof['path'][number], step: number) => object) =>
    ({
      ...proof,
      path: proof.path.map((each, step) => ({ ...each, ...change(each, step) })),
    }) as never
  const wrong = (name: string, fault: string, change: Partial<Vector>): Vector => ({
    ...{ ...right, name, fault },
    ...change,
  })
  const signedAs = (other: ReturnType<typeof signed>) => ({
    ...{ file: other.file, proof: { ...proof, signed: other.signed } },
  })
  const signing = (change: Partial<LiabilitiesFile>) =>
    signedAs(published({ ...content, ...change }))
  const [stranger = right.keys[0]] = keysOf([secret(8)]).publicKeys.map((each) => ({
    ...{ id, publicKey: each.publicKey, leaked: false },
  }))
  return [
    right,
    ...[1, 2].map((at) => ({
      ...{ ...right, name: `a right proof at place ${PEOPLE[at]?.place}` },
      ...{ account: PEOPLE[at]?.userId ?? '', proof: proofOf(at) },
    })),
    wrong('a leaf of another account', 'account', { account: PEOPLE[1].userId }),
    wrong('the id alone exchanged', 'root', {
      ...{ account: PEOPLE[1].userId, proof: { ...proof, account: PEOPLE[1].userId } },
    }),
    wrong('a smaller amount', 'root', {
      proof: { ...proof, owed: { ...proof.owed, available: '42999' } },
    }),
    wrong('cents from one amount to another', 'root', {
      proof: { ...proof, owed: { ...proof.owed, available: '45000', held: '0' } },
    }),
    wrong('a negative amount', 'form', {
      proof: { ...proof, owed: { ...proof.owed, held: '-1' } },
    }),
    wrong('another salt', 'root', { proof: { ...proof, salt: 'ab'.repeat(32) } }),
    wrong('another place', 'root', { proof: { ...proof, place: 2 } }),
    wrong('a sum moved beside the path', 'root', {
      proof: path(({ sum }, step) => ({ sum: step === 0 ? '0' : sum })),
    }),
    wrong('a sum that overflows', 'sum', {
      proof: path(({ sum }, step) => ({ sum: step === 9 ? String(2n ** 63n - 1n) : sum })),
    }),
    wrong('a shorter path', 'length', { proof: { ...proof, path: proof.path.slice(1) } }),
    wrong('a signed total that is too small', 'total', signing({ total: '50700' })),
    wrong('a signed file with two totals', 'form', {
      ...signedAs(signed(file.replace('  "total"', '  "total": "90000",\n  "total"'))),
    }),
    wrong('a signed file with a number in another form', 'form', {
      ...signedAs(signed(file.replace(': 1024', ': 1024.0'))),
    }),
    wrong('a signed root of another tree', 'root', signing({ root: 'cd'.repeat(32) })),
    wrong('a signed file of another day', 'day', signing({ day: '2026-11-26' })),
    wrong('a file that was changed', 'signature', { file: file.replace('60000', '90000') }),
    wrong('a key of another', 'signature', { keys: stranger ? [stranger] : [] }),
    wrong('a key that leaked', 'leaked', { keys: [{ id, publicKey, leaked: true }] }),
    wrong('a key that is unknown', 'key', { keys: [] }),
  ]
}

const published = (): readonly Vector[] => JSON.parse(readFileSync(PUBLISHED, 'utf8')).vectors

test('published vectors are what the product computes', () => {
  if (process.env.UPDATE_VECTORS)
    writeFileSync(PUBLISHED, `${JSON.stringify({ version: 1, vectors: made() }, null, 2)}\n`)
  expect(published()).toEqual(made())
})

type Found = { readonly fault?: string; readonly owed?: bigint; readonly total?: bigint }
type Check = (files: readonly { bytes: Uint8Array }[], account: string) => Promise<Found>

/** The function of the page that investors keep, without a browser around it. */
const offline = (): Check => {
  const page = readFileSync(join(FOLDER, 'liabilities.html'), 'utf8')
  const [, script = ''] = /<script>\n(.*?)<\/script>/s.exec(page) ?? []
  const realm = createContext({ crypto, TextEncoder, TextDecoder, Uint8Array, atob })
  runInContext(script, realm)
  return realm.checkProof
}

test('the offline page decides each vector alike', async () => {
  const check = offline()
  for (const { name, account, proof, file, keys, fault } of published()) {
    const bytes = [JSON.stringify({ version: 1, keys }), file, JSON.stringify(proof)].map(
      (text) => ({
        bytes: new TextEncoder().encode(text),
      }),
    )
    expect([name, (await check(bytes, account)).fault]).toEqual([name, fault])
    expect((await check(bytes.slice(1), account)).fault).toBe('files')
  }
  const [right] = published()
  expect(right?.fault).toBeUndefined()
})

test('a second reading agrees about paths', () => {
  for (const { name, account, proof, file, fault } of published()) {
    if (fault && !['root', 'total', 'length', 'sum'].includes(fault)) continue
    const owed = Object.values(proof.owed).reduce((sum, each) => sum + BigInt(each), 0n)
    const faults = readAgain([JSON.parse(file)], [proof], new Map([[account, owed]]))
    expect([name, faults.length > 0]).toEqual([name, fault !== undefined])
  }
})

test('no node passes for a leaf', () => {
  const keys = keysOf([secret(7)])
  const seed = seedOf(keys, DAY, keys.ids[0] ?? '')
  const level = newLevel(2)
  for (const place of [0, 1]) setNode(level, place, paddingOf(seed, place))
  const { hash, sum } = nodeAt(level, 0)
  const kinds = [hash, topOf(level).hash, createHash('sha256').update(hash).digest()]
  expect(new Set(kinds.map((each) => each.toString('hex'))).size).toBe(3)
  expect(sum).toBe(0n)
})
