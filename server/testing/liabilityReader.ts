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
}
export type Shown = {
  readonly day: string
  readonly account: string
  readonly place: number
  readonly owed: Readonly<
    Record<'available' | 'held' | 'outgoing' | 'invested' | 'interest', string>
  >
  readonly salt: string
  readonly path: readonly { readonly hash: string; readonly sum: string }[]
}

const TOO_MUCH = 9_223_372_036_854_775_808n
const sha256 = (hex: string): string =>
  createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')
const ascii = (text: string): string => Buffer.from(text, 'latin1').toString('hex')
const eight = (amount: bigint): string => amount.toString(16).padStart(16, '0')

const leafHash = ({ day, account, owed, salt }: Shown): string =>
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

/** The faults of one proof against the file of its day. */
const faultsOf = (shown: Shown, { root, total, leaves }: DayFile): readonly string[] => {
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
  for (const [at, { day, root }] of files.entries())
    if (files.slice(0, at).some((other) => other.day === day && other.root !== root))
      faults.push(`${day}: two roots`)
  for (const shown of proofs) {
    const { day, account, salt, place } = shown
    const file = files.find((each) => each.day === day)
    if (!file) {
      faults.push(`${day} ${account}: no file`)
      continue
    }
    faults.push(...faultsOf(shown, file).map((fault) => `${day} ${account}: ${fault}`))
    const user = salts.get(salt)
    if (user !== undefined && user !== `${day} ${account}`)
      faults.push(`${day} ${account}: the salt of ${user}`)
    salts.set(salt, `${day} ${account}`)
    if (proofs.some((other) => other !== shown && other.day === day && other.place === place))
      faults.push(`${day} ${account}: a place of two`)
  }
  for (const { day } of files)
    for (const [account, cents] of owedTo) {
      const own = proofs.find((each) => each.day === day && each.account === account)
      const sum = Object.values(own?.owed ?? {}).reduce((all, each) => all + BigInt(each), 0n)
      if (!own) faults.push(`${day} ${account}: left out`)
      else if (sum !== cents) faults.push(`${day} ${account}: another amount`)
    }
  return faults
}
