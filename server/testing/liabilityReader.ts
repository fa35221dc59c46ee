/**
 * A second reading of docs/liabilities.md, written from that page alone: it imports nothing of the
 * product. It judges what an outsider can get: files of days, and proofs that investors show.
 */
import { createHash } from 'node:crypto'

export type DayFile = {
  readonly day: string
  readonly root: string
  readonly total: string
  readonly leaves: number
  /** The parts of each investor. A file without them has one. */
  readonly parts?: number
}
type Leaf = {
  readonly place: number
  readonly owed: Readonly<
    Record<'available' | 'held' | 'outgoing' | 'invested' | 'interest', string>
  >
  readonly salt: string
  readonly path: readonly { readonly hash: string; readonly sum: string }[]
}
type Own = { readonly day: string; readonly account: string }
export type Shown = Own & (Leaf | { readonly leaves: readonly Leaf[] })

const leavesIn = (shown: Shown): readonly (Own & Leaf)[] => {
  const { day, account } = shown
  return ('leaves' in shown ? shown.leaves : [shown]).map((leaf) => ({ ...leaf, day, account }))
}

const TOO_MUCH = 9_223_372_036_854_775_808n
const sha256 = (hex: string): string =>
  createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')
const ascii = (text: string): string => Buffer.from(text, 'latin1').toString('hex')
const eight = (amount: bigint): string => amount.toString(16).padStart(16, '0')

const leafHash = ({ day, account, owed, salt }: Own & Leaf): string =>
  sha256(
    [
      ascii('pool liability leaf v1\n'),
      ascii(day),
      sha256(ascii(`pool liability account v1\n${account}`)),
      ...[owed.available, owed.held, owed.outgoing, owed.invested, owed.interest].map((text) =>
        eight(BigInt(text)),
      ),
      salt,
    ].join(''),
  )

/** The faults of one leaf against the file of its day. */
const faultsOf = (shown: Own & Leaf, { root, total, leaves }: DayFile): readonly string[] => {
  const amounts = Object.values(shown.owed).map(BigInt)
  let hash = leafHash(shown)
  let sum = amounts.reduce((all, each) => all + each, 0n)
  let place = shown.place
  if (leaves !== 2 ** shown.path.length || place < 0 || place >= leaves) return ['wrong length']
  if (sum >= TOO_MUCH || amounts.some((each) => each < 0n)) return ['sum overflows']
  for (const entry of shown.path) {
    const beside = BigInt(entry.sum)
    const ends = [hash + eight(sum), entry.hash + eight(beside)]
    if (place % 2 === 1) ends.reverse()
    hash = sha256(ascii('pool liability node v1\n') + ends.join(''))
    sum += beside
    if (beside < 0n || sum >= TOO_MUCH) return ['sum overflows']
    place = (place - (place % 2)) / 2
  }
  return [
    ...(hash === root ? [] : ['another root']),
    ...(String(sum) === total ? [] : ['another total']),
  ]
}

/**
 * Every fault in what an outsider got, each with its day and its account. `owedTo` has the cents
 * that each account knows that it is owed on a day: an account without a proof was left out.
 */
export const readAgain = (
  files: readonly DayFile[],
  proofs: readonly Shown[],
  owedTo: ReadonlyMap<string, bigint>,
): readonly string[] => {
  const faults: string[] = []
  const salts = new Map<string, string>()
  const places = new Set<string>()
  for (const [at, { day, root }] of files.entries())
    if (files.slice(0, at).some((other) => other.day === day && other.root !== root))
      faults.push(`${day}: two roots`)
  for (const shown of proofs) {
    const { day, account } = shown
    const file = files.find((each) => each.day === day)
    if (!file) {
      faults.push(`${day} ${account}: no file`)
      continue
    }
    const leaves = leavesIn(shown)
    if (leaves.length !== (file.parts ?? 1)) faults.push(`${day} ${account}: wrong parts`)
    for (const leaf of leaves) {
      faults.push(...faultsOf(leaf, file).map((fault) => `${day} ${account}: ${fault}`))
      const user = salts.get(leaf.salt)
      if (user !== undefined) faults.push(`${day} ${account}: the salt of ${user}`)
      salts.set(leaf.salt, `${day} ${account}`)
      const at = `${day} ${leaf.place}`
      if (places.has(at)) faults.push(`${day} ${account}: a place of two`)
      places.add(at)
    }
  }
  for (const { day } of files)
    for (const [account, cents] of owedTo) {
      const own = proofs.find((each) => each.day === day && each.account === account)
      const amounts = own ? leavesIn(own).flatMap(({ owed }) => Object.values(owed)) : []
      const sum = amounts.reduce((all, each) => all + BigInt(each), 0n)
      if (!own) faults.push(`${day} ${account}: left out`)
      else if (sum !== cents) faults.push(`${day} ${account}: another amount`)
    }
  return faults
}
