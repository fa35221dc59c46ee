import { expect, test } from 'vitest'
import { idOf, keysOf } from '../../base/keys/keys.ts'
import { above, leafOf, seedOf } from './hashes.ts'
import { type NumberedLeaf, openDay } from './leaves.ts'
import { placesOf, shapeFor, splitOwed } from './parts.ts'

const bytes = Buffer.alloc(32, 9)
const keys = keysOf([{ id: idOf(bytes), bytes }])
const DAYS = Array.from({ length: 30 }, (_, at) => `2026-11-${String(at + 1).padStart(2, '0')}`)
const seedOn = (day: string) => seedOf(keys, day, keys.ids[0] ?? '')
const personAt = (at: number) => `0190a000-0000-7000-8000-${String(at).padStart(12, '0')}`
const nothing = { held: 0n, outgoing: 0n, invested: 0n, interest: 0n }
const person = (number: number, available: bigint): NumberedLeaf => ({
  userId: personAt(number),
  number,
  available,
  ...nothing,
})

/** The 320 accounts of one spy, with $10 each. */
const SPIES = Array.from({ length: 320 }, (_, at) => person(at, 10_00n))
const neighbours = Array.from({ length: 33 }, (_, at) =>
  person(SPIES.length + at, 1_234_567n + 765_431n * BigInt(at)),
)
const balances = new Set(neighbours.map(({ available }) => available))

/** The sums of each level, from the leaves to the two nodes below the root. */
const levelsOf = (leaves: readonly bigint[]): readonly (readonly bigint[])[] => {
  const levels = [leaves]
  for (let below = leaves; below.length > 2; below = levels.at(-1) ?? [])
    levels.push(below.flatMap((sum, at) => (at % 2 === 0 ? [sum + (below[at + 1] ?? 0n)] : [])))
  return levels
}

/** The balances of neighbours that stand in the paths of the spies on a day. */
const seenOn = (version: 1 | 2, day: string): readonly bigint[] => {
  const { parts, size } = version === 1 ? { parts: 1, size: 1_024 } : shapeFor(353)
  const shape = { version, day, seed: seedOn(day), size, parts }
  // A lot drew the places of version 1.
  const lots = placesOf(shape.seed, size)
  const { partsOf } = openDay(shape)
  const everybody = [...SPIES, ...neighbours].map((each) =>
    partsOf(version === 1 ? { ...each, number: lots.placeOf(each.number) } : each),
  )
  const leaves = Array.from({ length: size }, () => 0n)
  for (const { place, owed } of everybody.flat()) leaves[place] = owed.available
  const levels = levelsOf(leaves)
  return everybody
    .slice(0, SPIES.length)
    .flat()
    .flatMap(({ place }) => levels.map((each, height) => each[(place >>> height) ^ 1] ?? 0n))
    .filter((sum) => balances.has(sum))
}

test('paths of many accounts show no balance of another', () => {
  expect(new Set(seenOn(1, '2026-11-01')).size).toBeGreaterThan(5)
  const seen = new Set<bigint>()
  for (const day of DAYS) for (const sum of seenOn(2, day)) seen.add(sum)
  expect([...seen]).toEqual([])
})

test('parts come to the whole, and none is the whole', () => {
  const seed = seedOn('2026-11-01')
  for (let at = 0; at < 200; at += 1) {
    const owed = { available: BigInt(at), held: 3n, outgoing: 0n, invested: 77_777n, interest: 12n }
    const parts = splitOwed(seed, personAt(at), owed, 8)
    for (const amount of ['available', 'held', 'outgoing', 'invested', 'interest'] as const)
      expect(parts.reduce((sum, part) => sum + part[amount], 0n)).toBe(owed[amount])
    const sums = parts.map((part) => Object.values(part).reduce((sum, each) => sum + each, 0n))
    expect(sums.every((sum) => sum < 77_792n + BigInt(at))).toBe(true)
  }
  const cent = splitOwed(seed, personAt(1), { available: 1n, ...nothing }, 2)
  expect(cent.map(({ available }) => available)).toEqual([1n, 0n])
})

test.each([1_024, 2_048, 2 ** 15])('%i places are drawn once, and read both ways', (size) => {
  const [today, tomorrow] = [seedOn('2026-11-01'), seedOn('2026-11-02')].map((seed) =>
    placesOf(seed, size),
  )
  const numbers = Array.from({ length: size }, (_, number) => number)
  const drawn = numbers.map((number) => today?.placeOf(number) ?? -1)
  expect(new Set(drawn).size).toBe(size)
  expect(Math.max(...drawn)).toBe(size - 1)
  expect(drawn.map((place) => today?.numberAt(place))).toEqual(numbers)
  const same = numbers.filter((number) => tomorrow?.placeOf(number) === drawn[number])
  expect(same.length).toBeLessThan(20)
})

test('a million investors are in two million leaves', () => {
  expect(shapeFor(3)).toEqual({ parts: 8, size: 1_024 })
  expect(shapeFor(100_000)).toEqual({ parts: 8, size: 2 ** 20 })
  expect(shapeFor(400_000)).toEqual({ parts: 4, size: 2 ** 21 })
  expect(shapeFor(1_000_000)).toEqual({ parts: 2, size: 2 ** 21 })
})

test('a sum that does not fit is refused', () => {
  const half = { hash: Buffer.alloc(32), sum: 2n ** 62n }
  expect(above(half, { ...half, sum: 2n ** 62n - 1n }).sum).toBe(2n ** 63n - 1n)
  expect(() => above(half, half)).toThrow(RangeError)
  const owed = { available: 2n ** 62n, held: 0n, outgoing: 0n, invested: 2n ** 62n, interest: 0n }
  const leaf = { ...owed, userId: 'somebody' }
  expect(() => leafOf(DAYS[0] ?? '', leaf, Buffer.alloc(32))).toThrow(RangeError)
  const less = { ...leaf, available: -1n, invested: 0n }
  expect(() => leafOf(DAYS[0] ?? '', less, Buffer.alloc(32))).toThrow(RangeError)
})
