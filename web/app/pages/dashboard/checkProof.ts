/** Checks a proof of liabilities in the browser, as docs/liabilities.md says step by step. */
import {
  CENTS_LIMIT,
  type LiabilitiesFile,
  type LiabilityProof,
  liabilitiesName,
  type OwedPart,
  owedParts,
} from '@pool/contract/liabilities'
import { type PoolKeys, signedText } from '@pool/contract/poolKeys'

/** The first step that failed. `unsupported` is a browser that cannot check signatures. */
export type Fault =
  | 'form'
  | 'day'
  | 'account'
  | 'key'
  | 'leaked'
  | 'signature'
  | 'unsupported'
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
  /** Nodes from the leaf to the root. */
  readonly steps: number
}

type Bytes = Uint8Array<ArrayBuffer>

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

const isProof = (value: unknown): value is LiabilityProof => {
  const proof = value as Partial<LiabilityProof> | null
  return (
    proof?.version === 1 &&
    typeof proof.day === 'string' &&
    typeof proof.account === 'string' &&
    Number.isSafeInteger(proof.place) &&
    HASH.test(String(proof.salt)) &&
    owedParts.every((part) => CENTS.test(String(proof.owed?.[part]))) &&
    Array.isArray(proof.path) &&
    proof.path.every(({ hash, sum }) => HASH.test(String(hash)) && CENTS.test(String(sum)))
  )
}

/** A field told twice, or a number in another form, could be another one to another program. */
const hasOneReading = (text: string, file: LiabilitiesFile): boolean =>
  text === `${JSON.stringify(file, null, 2)}\n`

const readFile = (bytes: Bytes): LiabilitiesFile | undefined => {
  try {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
    const file = JSON.parse(text) as LiabilitiesFile
    const isWhole = file.version === 1 && HASH.test(file.root) && CENTS.test(file.total)
    return isWhole && hasOneReading(text, file) ? file : undefined
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

const leafHash = async ({ day, account, owed, salt }: LiabilityProof): Promise<Bytes> =>
  sha256(
    ascii('pool liability leaf v1\n'),
    ascii(day),
    await sha256(ascii('pool liability account v1\n'), ascii(account)),
    ...owedParts.map((part) => eight(BigInt(owed[part]))),
    fromHex(salt),
  )

/** The fault of the way from the leaf, with its cents, to the root of the file. */
const pathFault = async (
  proof: LiabilityProof,
  own: bigint,
  { leaves, root, total }: LiabilitiesFile,
): Promise<Fault | undefined> => {
  let { place } = proof
  if (leaves !== 2 ** proof.path.length || place < 0 || place >= leaves) return 'length'
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
  if (!isProof(proof) || !file) return { fault: 'form' }
  if (file.day !== proof.day) return { fault: 'day' }
  if (proof.account !== account) return { fault: 'account' }
  const owed = Object.fromEntries(
    owedParts.map((part) => [part, BigInt(proof.owed[part])]),
  ) as Record<OwedPart, bigint>
  const own = owedParts.reduce((sum, part) => sum + owed[part], 0n)
  const fault =
    (await signatureFault(proof, given.file, given.keys)) ?? (await pathFault(proof, own, file))
  if (fault) return { fault }
  return {
    ...{ day: proof.day, at: new Date(file.at), keyId: proof.signed.keyId, owed, own },
    ...{ total: BigInt(file.total), steps: proof.path.length },
  }
}
