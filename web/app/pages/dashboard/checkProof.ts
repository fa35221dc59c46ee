/** Checks a proof of liabilities in the browser, as docs/liabilities.md says step by step. */
import {
  CENTS_LIMIT,
  type LiabilitiesFile,
  type LiabilityProof,
  liabilitiesName,
  type OwedPart,
  owedParts,
  type ShownLeaf,
} from '@pool/contract/reports/liabilities'
import { type PoolKeys, signedText } from '@pool/contract/reports/poolKeys'

/** The first step that failed. `unsupported` is a browser that cannot check signatures. */
export type Fault =
  | 'form'
  | 'day'
  | 'account'
  | 'key'
  | 'leaked'
  | 'ended'
  | 'signature'
  | 'unsupported'
  | 'parts'
  | 'length'
  | 'sum'
  | 'root'
  | 'total'

/** A right proof. Amounts are cents. */
export type Included = {
  readonly day: string
  readonly at: Date
  readonly keyId: string
  readonly owed: Readonly<Record<OwedPart, bigint>>
  /** The sum of the amounts of the account. */
  readonly own: bigint
  readonly total: bigint
  /** Leaves of the account, and nodes from each to the root. */
  readonly parts: number
  readonly steps: number
}

type Bytes = Uint8Array<ArrayBuffer>

/** The fields of a day's file, in this order and none beside them. */
const FIELDS = {
  1: 'version day at root total leaves coins loans',
  2: 'version day at root total leaves parts coins loans',
  3: 'version day at root total leaves parts coins loans typed',
} as const satisfies Record<LiabilitiesFile['version'], string>

/** A process of the pool may use the key before for so long, until it starts again. */
const OVERLAP_MS = 86_400_000

const HASH = /^[0-9a-f]{64}$/
const CENTS = /^(0|[1-9]\d{0,18})$/

const ascii = (text: string): Bytes => new TextEncoder().encode(text)
const fromHex = (text: string): Bytes =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const toHex = (bytes: Bytes): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
const fromBase64 = (text: string): Bytes =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (each) =>
    each.charCodeAt(0),
  )
const eight = (amount: bigint): Bytes => fromHex(amount.toString(16).padStart(16, '0'))

const sha256 = async (...parts: readonly Bytes[]): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', await new Blob([...parts]).arrayBuffer()))

const isLeaf = (leaf: Partial<ShownLeaf> | null): boolean =>
  Number.isSafeInteger(leaf?.place) &&
  HASH.test(String(leaf?.salt)) &&
  owedParts.every((part) => CENTS.test(String(leaf?.owed?.[part]))) &&
  Array.isArray(leaf?.path) &&
  leaf.path.every(({ hash, sum }) => HASH.test(String(hash)) && CENTS.test(String(sum)))

/** The leaves of a proof. A proof of version 1 is one leaf. */
const leavesOf = (proof: LiabilityProof): readonly ShownLeaf[] =>
  proof.version === 1 ? [proof] : proof.leaves

const isProof = (value: unknown): value is LiabilityProof => {
  const proof = value as LiabilityProof | null
  return (
    (proof?.version === 1 ||
      ((proof?.version === 2 || proof?.version === 3) && Array.isArray(proof.leaves))) &&
    typeof proof.day === 'string' &&
    typeof proof.account === 'string' &&
    leavesOf(proof).every(isLeaf)
  )
}

/** True for as many leaves as the file says, each at another place. */
const hasItsParts = (leaves: readonly ShownLeaf[], file: LiabilitiesFile): boolean =>
  leaves.length === (file.version === 1 ? 1 : file.parts) &&
  new Set(leaves.map(({ place }) => place)).size === leaves.length

/** A field told twice, or a number in another form, could be another one to another program. */
const hasOneReading = (text: string, file: LiabilitiesFile): boolean =>
  text === `${JSON.stringify(file, null, 2)}\n`

const readFile = (bytes: Bytes): LiabilitiesFile | undefined => {
  try {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    const file = JSON.parse(text) as LiabilitiesFile
    const isKnown =
      file.version === 1 ||
      ((file.version === 2 || file.version === 3) && Number.isSafeInteger(file.parts))
    const isWhole = isKnown && HASH.test(file.root) && CENTS.test(file.total)
    const isOrdered = isWhole && Object.keys(file).join(' ') === FIELDS[file.version]
    return isOrdered && hasOneReading(text, file) ? file : undefined
  } catch {
    return undefined
  }
}

/** The fault of the signature of a day's file. */
const signatureFault = async (
  { day, signed }: LiabilityProof,
  bytes: Bytes,
  keys: unknown,
): Promise<Fault | undefined> => {
  const known = (keys as Partial<PoolKeys> | null)?.keys ?? []
  const key = known.find(({ id }) => id === signed?.keyId)
  if (!key) return 'key'
  if (key.leaked !== false) return 'leaked'
  if (key.to !== null && !(Date.parse(day) <= Date.parse(key.to) + OVERLAP_MS)) return 'ended'
  const text = signedText({ name: liabilitiesName(day), digest: toHex(await sha256(bytes)) })
  try {
    const raw = fromBase64(key.publicKey)
    const publicKey = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify'])
    const signature = fromBase64(signed.signature)
    const isRight = await crypto.subtle.verify('Ed25519', publicKey, signature, ascii(text))
    return isRight ? undefined : 'signature'
  } catch {
    return 'unsupported'
  }
}

type OwnLeaf = ShownLeaf & Pick<LiabilityProof, 'day' | 'account'>

const leafHash = async ({ day, account, owed, salt }: OwnLeaf): Promise<Bytes> =>
  sha256(
    ascii('pool liability leaf v1\n'),
    ascii(day),
    await sha256(ascii('pool liability account v1\n'), ascii(account)),
    ...owedParts.map((part) => eight(BigInt(owed[part]))),
    fromHex(salt),
  )

/** The fault of the way from a leaf to the root of the file. */
const pathFault = async (
  proof: OwnLeaf,
  { leaves, root, total }: LiabilitiesFile,
): Promise<Fault | undefined> => {
  let { place } = proof
  if (leaves !== 2 ** proof.path.length || place < 0 || place >= leaves) return 'length'
  const own = owedParts.reduce((all, part) => all + BigInt(proof.owed[part]), 0n)
  if (own >= CENTS_LIMIT) return 'sum'
  let [hash, sum] = [await leafHash(proof), own]
  for (const beside of proof.path) {
    const other = BigInt(beside.sum)
    if (other >= CENTS_LIMIT || sum + other >= CENTS_LIMIT) return 'sum'
    const nodes = [
      [hash, eight(sum)],
      [fromHex(beside.hash), eight(other)],
    ]
    if (place % 2 === 1) nodes.reverse()
    hash = await sha256(ascii('pool liability node v1\n'), ...nodes.flat())
    sum += other
    place = Math.floor(place / 2)
  }
  if (toHex(hash) !== root) return 'root'
  return String(sum) === total ? undefined : 'total'
}

/** Finds what a proof shows about an account, or its first fault (docs/product.md 5.43). */
export const checkProof = async (
  given: { readonly proof: unknown; readonly file: Bytes; readonly keys: unknown },
  account: string,
): Promise<Included | { readonly fault: Fault }> => {
  // A page without TLS has none.
  if (!crypto.subtle) return { fault: 'unsupported' }
  const { proof } = given
  const file = readFile(given.file)
  if (!isProof(proof) || !file || file.version !== proof.version) return { fault: 'form' }
  const { day, account: of, signed } = proof
  if (file.day !== day) return { fault: 'day' }
  if (of !== account) return { fault: 'account' }
  const fault = await signatureFault(proof, given.file, given.keys)
  if (fault) return { fault }
  const leaves = leavesOf(proof)
  if (!hasItsParts(leaves, file)) return { fault: 'parts' }
  for (const leaf of leaves) {
    const wrong = await pathFault({ ...leaf, day, account }, file)
    if (wrong) return { fault: wrong }
  }
  const owed = Object.fromEntries(
    owedParts.map((part) => [
      part,
      leaves.reduce((sum, each) => sum + BigInt(each.owed[part]), 0n),
    ]),
  ) as Record<OwedPart, bigint>
  return {
    day,
    at: new Date(file.at),
    keyId: signed.keyId,
    owed,
    total: BigInt(file.total),
    own: owedParts.reduce((sum, part) => sum + owed[part], 0n),
    parts: leaves.length,
    steps: Math.log2(file.leaves),
  }
}
