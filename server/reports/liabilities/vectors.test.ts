import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import type { LiabilitiesFile, LiabilityProof } from '@pool/contract/reports/liabilities'
import { expect, test } from 'vitest'
import { idOf, keysOf } from '../../base/keys/keys.ts'
import { signPublished } from '../../records/audit/publish.ts'
import { readAgain } from '../../testing/liabilityReader.ts'
import { paddingOf, seedOf } from './hashes.ts'
import { newDay, openDay, type Shape } from './leaves.ts'
import { newLevel, nodeAt, pathIn, setNode, topOf } from './tree.ts'

const FOLDER = join(import.meta.dirname, '../../../docs/verify')
const PUBLISHED = join(FOLDER, 'liabilities.vectors.json')

type Key = {
  readonly id: string
  readonly publicKey: string
  readonly to: string | null
  readonly leaked: boolean
}
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

/** The vectors of a version as the product computes it today, with a key that is no secret. */
const madeOf = async (version: LiabilitiesFile['version']): Promise<readonly Vector[]> => {
  // Long: a table of vectors, each made from the right one by one change.
  const keys = keysOf([secret(7)])
  const [{ id = '', publicKey = '' } = {}] = keys.publicKeys
  const seed = seedOf(keys, DAY, id)
  const shape: Shape = { version, day: DAY, seed, size: 1_024, parts: version === 1 ? 1 : 8 }
  const people = PEOPLE.map(({ userId, place, available, held }) => ({
    userId,
    available,
    held,
    number: version === 1 ? place : place % 128,
    ...(place === 0
      ? { outgoing: 500n, invested: 5_000n, interest: 200n }
      : { outgoing: 0n, invested: 0n, interest: 0n }),
  }))
  const filling = newDay(shape)
  await filling.add(people)
  const level = await filling.filled()
  const top = topOf(level)
  const fields = { day: DAY, at: `${DAY}T00:40:00.000Z`, root: top.hash.toString('hex') }
  const sums = { total: String(top.sum), leaves: 1_024 }
  const beside = { coins: '60000', loans: '0' }
  const content: LiabilitiesFile =
    version === 1
      ? { version, ...fields, ...sums, ...beside }
      : version === 2
        ? { version, ...fields, ...sums, parts: 8, ...beside }
        : { version, ...fields, ...sums, parts: 8, ...beside, typed: '1000' }
  const signed = (file: string) => {
    const digest = createHash('sha256').update(file).digest('hex')
    return { file, signed: signPublished(keys, { name: `liabilities-${DAY}.json`, digest }) }
  }
  const published = (each: LiabilitiesFile) => signed(`${JSON.stringify(each, null, 2)}\n`)
  const { file, signed: signature } = published(content)
  const leavesOf = (at: number) =>
    openDay(shape)
      .partsOf(people[at] as (typeof people)[0])
      .map(({ place, owed, salt }) => ({
        place,
        owed: {
          available: String(owed.available),
          held: String(owed.held),
          outgoing: String(owed.outgoing),
          invested: String(owed.invested),
          interest: String(owed.interest),
        },
        salt: salt.toString('hex'),
        path: pathIn(level, place).map(({ hash, sum }) => ({
          hash: hash.toString('hex'),
          sum: String(sum),
        })),
      }))
  type Leaf = ReturnType<typeof leavesOf>[number]
  const shown = (account: string, leaves: readonly Leaf[]): LiabilityProof =>
    version === 1
      ? { version, day: DAY, account, ...(leaves[0] as Leaf), signed: signature }
      : { version, day: DAY, account, leaves: [...leaves], signed: signature }
  const proofOf = (at: number) => shown(people[at]?.userId ?? '', leavesOf(at))
  const [{ userId: owner }] = PEOPLE
  const [leaf, ...others] = leavesOf(0) as [Leaf, ...Leaf[]]
  /** The right proof with a change of one leaf. */
  const leafWith = (change: Partial<Leaf>) => shown(owner, [{ ...leaf, ...change }, ...others])
  const [rich = 'available'] = (
    ['available', 'held', 'outgoing', 'invested', 'interest'] as const
  ).filter((part) => leaf.owed[part] !== '0')
  const besideAt = leaf.path.findIndex(({ sum }) => sum !== '0')
  const freePlace =
    (leaf.place + 512) % 1_024 === others[0]?.place
      ? (leaf.place + 2) % 1_024
      : (leaf.place + 512) % 1_024
  const poor = rich === 'available' ? 'held' : 'available'
  const more = (part: typeof rich, by: bigint) => ({
    [part]: String(BigInt(leaf.owed[part]) + by),
  })
  const proof = proofOf(0)
  const right: Vector = {
    name: `a right proof of version ${version}`,
    account: owner,
    proof,
    file,
    keys: [{ id, publicKey, to: null, leaked: false }],
  }
  const path = (change: (each: Leaf['path'][number], step: number) => object) =>
    leafWith({ path: leaf.path.map((each, step) => ({ ...each, ...change(each, step) })) })
  const wrong = (name: string, fault: string, change: Partial<Vector>): Vector => ({
    ...right,
    name: `${name}, version ${version}`,
    fault,
    ...change,
  })
  const signedAs = (other: ReturnType<typeof signed>) => ({
    file: other.file,
    proof: { ...proof, signed: other.signed },
  })
  const signing = (change: Partial<Pick<LiabilitiesFile, 'total' | 'root' | 'day'>>) =>
    signedAs(published({ ...content, ...change } as LiabilitiesFile))
  const [stranger = right.keys[0]] = keysOf([secret(8)]).publicKeys.map((each) => ({
    id,
    publicKey: each.publicKey,
    to: null,
    leaked: false,
  }))
  return [
    right,
    ...[1, 2].map((at) => ({
      ...right,
      name: `a right proof of person ${at}, version ${version}`,
      account: PEOPLE[at]?.userId ?? '',
      proof: proofOf(at),
    })),
    wrong('a leaf of another account', 'account', { account: PEOPLE[1].userId }),
    wrong('the id alone exchanged', 'root', {
      account: PEOPLE[1].userId,
      proof: { ...proof, account: PEOPLE[1].userId },
    }),
    wrong('a smaller amount', 'root', {
      proof: leafWith({ owed: { ...leaf.owed, ...more(rich, -1n) } }),
    }),
    wrong('cents from one amount to another', 'root', {
      proof: leafWith({ owed: { ...leaf.owed, ...more(rich, -1n), ...more(poor, 1n) } }),
    }),
    wrong('a negative amount', 'form', {
      proof: leafWith({ owed: { ...leaf.owed, held: '-1' } }),
    }),
    wrong('another salt', 'root', { proof: leafWith({ salt: 'ab'.repeat(32) }) }),
    wrong('another place', 'root', { proof: leafWith({ place: freePlace }) }),
    wrong('a sum moved beside the path', 'root', {
      proof: path(({ sum }, step) => ({ sum: step === besideAt ? '0' : sum })),
    }),
    wrong('a sum that overflows', 'sum', {
      proof: path(({ sum }, step) => ({ sum: step === 9 ? String(2n ** 63n - 1n) : sum })),
    }),
    wrong('a shorter path', 'length', { proof: leafWith({ path: leaf.path.slice(1) }) }),
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
    wrong('a signed file with a field more', 'form', {
      ...signedAs(signed(file.replace('\n}\n', ',\n  "more": "1"\n}\n'))),
    }),
    wrong('a signed file in another order', 'form', {
      ...signedAs(published({ ...beside, ...content } as LiabilitiesFile)),
    }),
    wrong('a key that leaked', 'leaked', { keys: [{ id, publicKey, to: null, leaked: true }] }),
    wrong('a key that had ended', 'ended', {
      keys: [{ id, publicKey, to: '2026-11-25T23:59:59.000Z', leaked: false }],
    }),
    wrong('a key whose end is not told', 'ended', {
      keys: [{ id, publicKey, leaked: false } as Key],
    }),
    {
      ...right,
      name: `a key that ended on the day, version ${version}`,
      keys: [{ id, publicKey, to: `${DAY}T12:00:00.000Z`, leaked: false }],
    },
    wrong('a key that is unknown', 'key', { keys: [] }),
    ...(version === 1
      ? []
      : [
          wrong('a part that is left out', 'parts', { proof: shown(owner, others) }),
          wrong('a part told twice', 'parts', {
            proof: shown(owner, [others[0] ?? leaf, ...others]),
          }),
          wrong('the parts of another', 'root', { proof: shown(owner, leavesOf(1)) }),
          wrong('a proof of another version', 'form', { proof: { ...proof, version: 1 } as never }),
        ]),
  ]
}

const made = async (): Promise<readonly Vector[]> => [
  ...(await madeOf(1)),
  // The faults of version 2 are those of version 3.
  ...(await madeOf(2)).slice(0, 3),
  ...(await madeOf(3)),
]

const published = (): readonly Vector[] => JSON.parse(readFileSync(PUBLISHED, 'utf8')).vectors

test('published vectors are what the product computes', async () => {
  if (process.env.UPDATE_VECTORS)
    writeFileSync(PUBLISHED, `${JSON.stringify({ version: 1, vectors: await made() }, null, 2)}\n`)
  expect(published()).toEqual(await made())
})

type ProofVerdict = { readonly fault?: string; readonly owed?: bigint; readonly total?: bigint }
type Check = (files: readonly { bytes: Uint8Array }[], account: string) => Promise<ProofVerdict>

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
    if (fault && !['root', 'total', 'length', 'sum', 'parts'].includes(fault)) continue
    const leaves = proof.version === 1 ? [proof] : proof.leaves
    const amounts = leaves.flatMap(({ owed }) => Object.values(owed))
    const owed = amounts.reduce((sum, each) => sum + BigInt(each), 0n)
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
