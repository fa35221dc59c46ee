import { createHash, createHmac } from 'node:crypto'
import { readCsv } from '@pool/contract/base/readCsv'
import { liabilitiesFileSchema, PROOF_DAYS } from '@pool/contract/reports/liabilities'
import { beforeAll, expect, test } from 'vitest'
import { type Keys, keysOf, type Secret } from '../../base/keys/keys.ts'
import { dayFrom } from '../../testing/loans.ts'
import { investorWith, testProduct } from '../../testing/product.ts'
import { tamper } from '../../testing/tamper.ts'
import { leavesFile } from './leavesFile.ts'
import { makeLiabilities } from './make.ts'
import { readFile } from './proof.ts'

const product = testProduct()
const TODAY = dayFrom(0)
const SECRET = Buffer.alloc(32, 7)
const secret: Secret = { id: '32a88c3c', bytes: SECRET }
let keys: Keys
let investor: string

beforeAll(async () => {
  keys = keysOf([secret])
  investor = (await investorWith(product, 1_000)).id
  await investorWith(product, 0.01)
  await makeLiabilities({ ...product.context, keys })
})

const linesOf = async (day = TODAY) => {
  const parts: string[] = []
  for await (const part of leavesFile({ db: product.context.db, keys }, day)) parts.push(part)
  const [heading, ...records] = readCsv(parts.join(''))
  return records.map(
    ({ cells }) =>
      new Map(cells.map((cell, at) => [heading?.cells[at] ?? '', cell] as const)) as ReadonlyMap<
        string,
        string
      >,
  )
}

// Written from docs/liabilities.md alone.
const sha256 = (...parts: readonly (string | Buffer)[]): Buffer =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()
const eight = (cents: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(cents)
  return bytes
}
const AMOUNTS = ['available', 'held', 'outgoing', 'invested', 'interest']
const leafOf = (line: ReadonlyMap<string, string>) => {
  const amounts = AMOUNTS.map((name) => BigInt(line.get(name) ?? ''))
  const account = sha256('pool liability account v1\n', line.get('account') ?? '')
  const salt = Buffer.from(line.get('salt') ?? '', 'hex')
  return {
    sum: amounts.reduce((all, each) => all + each, 0n),
    hash: sha256('pool liability leaf v1\n', TODAY, account, ...amounts.map(eight), salt),
  }
}

test('an auditor builds the root from the leaves', async () => {
  const lines = await linesOf()
  let level = lines
    .toSorted((one, other) => Number(one.get('place')) - Number(other.get('place')))
    .map((line, place) => {
      expect(line.get('place')).toBe(String(place))
      const told = Buffer.from(line.get('hash') ?? '', 'hex')
      if (!line.get('account')) return { sum: 0n, hash: told }
      const leaf = leafOf(line)
      expect(leaf.hash.equals(told)).toBe(true)
      return leaf
    })
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, at) => {
      const [left, right] = level.slice(at * 2, at * 2 + 2) as [
        (typeof level)[number],
        (typeof level)[number],
      ]
      return {
        sum: left.sum + right.sum,
        hash: sha256(
          'pool liability node v1\n',
          left.hash,
          eight(left.sum),
          right.hash,
          eight(right.sum),
        ),
      }
    })
  const file = liabilitiesFileSchema.parse(
    JSON.parse((await readFile(product.context.db, TODAY)) ?? ''),
  )
  expect(level[0]?.hash.toString('hex')).toBe(file.root)
  expect(String(level[0]?.sum)).toBe(file.total)
})

test('every secret comes from the key file', async () => {
  const key = createHmac('sha256', SECRET).update('pool liability salts v1').digest()
  const seed = createHmac('sha256', key).update(TODAY).digest()
  const lines = await linesOf()
  const own = lines.filter((line) => line.get('account') === investor)
  expect(own.map((line) => line.get('part'))).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
  const account = sha256('pool liability account v1\n', investor)
  for (const line of own)
    expect(line.get('salt')).toBe(
      sha256(
        'pool liability salt v2\n',
        seed,
        account,
        Buffer.of(Number(line.get('part'))),
      ).toString('hex'),
    )
  const padding = lines.filter((line) => line.get('account') === '')
  expect(padding).toHaveLength(1_024 - 16)
  for (const line of padding) {
    const place = Buffer.alloc(4)
    place.writeUInt32BE(Number(line.get('place')))
    expect(line.get('hash')).toBe(
      sha256('pool liability padding v1\n', seed, place).toString('hex'),
    )
  }
})

test('a day without leaves is refused with its reason', async () => {
  await expect(linesOf(dayFrom(-1))).rejects.toThrow(/Nothing was published on/)
  await tamper(product.database, 'DELETE FROM liability_leaves')
  await expect(linesOf()).rejects.toThrow(`They are there for ${PROOF_DAYS} days.`)
})
