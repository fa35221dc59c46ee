/** Judges dropped files by their signatures (docs/verifying.md). Nothing of them is sent. */
import { type FileSignature, type PoolKey, signedText } from '@pool/contract/reports/poolKeys'
import { isZip, type Packed, readZip } from './readZip.ts'

/** Genuine, or why not. */
export type Finding =
  | 'genuine'
  /** A byte, the name or the signature is another. */
  | 'changed'
  /** The bytes are those of a file with another name. */
  | 'renamed'
  /** The pool does not have this key. */
  | 'unknownKey'
  /** Others may have the key. */
  | 'leakedKey'
  /** The pool had stopped to use the key when such a file could be made. */
  | 'endedKey'
  | 'unsigned'

export type Verdict = {
  readonly name: string
  readonly is: Finding
  /** SHA-256 in hex. */
  readonly digest: string
  readonly key?: PoolKey | undefined
  /** The name that was signed, of a renamed file. */
  readonly signedName?: string
}

/** A signature from beside a file. Its digest may be missing. */
type Signed = FileSignature & { readonly name: string; readonly digest: string | null }

/** Browsers number a second download: `signature (1).json`. */
const SIGNATURE = /(^|\/)signature[^/]*\.json$/

const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The signature in a file. Undefined for one that has none. */
const signatureIn = (bytes: Uint8Array<ArrayBuffer>): Signed | undefined => {
  try {
    const { name, digest, keyId, signature } = JSON.parse(
      new TextDecoder().decode(bytes),
    ) as Record<string, unknown>
    const found = { name: textIn(name), keyId: textIn(keyId), signature: textIn(signature) }
    if (found.name === null || found.keyId === null || found.signature === null) return undefined
    const { name: signed, keyId: id, signature: by } = found
    return { name: signed, keyId: id, signature: by, digest: textIn(digest) }
  } catch {
    return undefined
  }
}

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (sign) =>
    sign.charCodeAt(0),
  )

const digestOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

/** True if the key signed this name and this digest. */
const fits = async (
  file: { readonly name: string; readonly digest: string },
  { signature }: Pick<FileSignature, 'signature'>,
  { publicKey }: PoolKey,
): Promise<boolean> => {
  try {
    const key = await crypto.subtle.importKey('raw', bytesOf(publicKey), 'Ed25519', false, [
      'verify',
    ])
    const text = new TextEncoder().encode(signedText(file))
    return await crypto.subtle.verify('Ed25519', key, bytesOf(signature), text)
  } catch (error) {
    // A key or signature of another form is no signature. A missing algorithm is another matter.
    if (error instanceof DOMException && error.name === 'NotSupportedError') throw error
    return false
  }
}

/** The means to judge: the keys of the pool, and signatures that it lists by name. */
export type PoolSignatures = {
  readonly keys: readonly PoolKey[]
  readonly listed: (name: string) => Promise<FileSignature | undefined>
}

/** All files, those of archives in their place. Throws a `RangeError` for a damaged archive. */
export const unpacked = async (files: readonly Packed[]): Promise<Packed[]> =>
  (
    await Promise.all(files.map(async (file) => (isZip(file.bytes) ? readZip(file.bytes) : [file])))
  ).flat()

const judgeOne = async (
  { name, bytes }: Packed,
  signatures: readonly Signed[],
  { keys, listed }: PoolSignatures,
): Promise<Verdict> => {
  const digest = await digestOf(bytes)
  const named = signatures.find((each) => each.name === name)
  const alike = signatures.find((each) => each.digest === digest)
  const signed = named ?? alike ?? (await listed(name))
  if (!signed) return { name, digest, is: 'unsigned' }
  const key = keys.find(({ id }) => id === signed.keyId)
  const about = { name, digest, key }
  if (!key) return { ...about, is: 'unknownKey' }
  if (key.leaked) return { ...about, is: 'leakedKey' }
  if (hadEnded(key, name)) return { ...about, is: 'endedKey' }
  if (await fits({ name, digest }, signed, key)) return { ...about, is: 'genuine' }
  const signedName = alike?.name ?? name
  const isRenamed = signedName !== name && (await fits({ name: signedName, digest }, signed, key))
  return isRenamed ? { ...about, is: 'renamed', signedName } : { ...about, is: 'changed' }
}

/** A name with a day, or with a period and the moment of a statement that was made within it. */
const DATED =
  /^(?:loans|liabilities|statement|pool-statement|pool-coins)-(\d{4})(?:-(\d\d))?(?:-(\d\d)(?=\.))?(?:-until-(\d{4}-\d\d-\d\dT\d\d)(\d\d)(\d\d)\d{3}Z)?[-.]/
/** A process of the pool may use the key before, until it starts again. */
const OVERLAP_MS = 86_400_000

/** The first moment at which the pool makes a file of this name. Undefined without a day in it. */
const earliestOf = (name: string): number | undefined => {
  const [, year, month, day, hour, minute, second] = DATED.exec(name) ?? []
  if (!year) return undefined
  if (hour) return Date.parse(`${hour}:${minute}:${second}Z`)
  if (day) return Date.UTC(Number(year), Number(month) - 1, Number(day))
  return month ? Date.UTC(Number(year), Number(month), 1) : Date.UTC(Number(year) + 1, 0, 1)
}

/** The moment at which a statement of a period that was not over ends. Null for all other files. */
export const endsAt = (name: string): Date | null => {
  const moment = earliestOf(name)
  return moment !== undefined && name.includes('-until-') ? new Date(moment) : null
}

const hadEnded = ({ to }: PoolKey, name: string): boolean =>
  to !== null && (earliestOf(name) ?? 0) > Date.parse(to) + OVERLAP_MS

/** A verdict for each file that is no signature itself. */
export const judge = async (
  files: readonly Packed[],
  means: PoolSignatures,
): Promise<Verdict[]> => {
  const found = files.map((file) => ({
    file,
    signature: SIGNATURE.test(file.name) ? signatureIn(file.bytes) : undefined,
  }))
  const signatures = found.flatMap(({ signature }) => (signature ? [signature] : []))
  return Promise.all(
    found
      .filter(({ signature }) => !signature)
      .map(({ file }) => judgeOne(file, signatures, means)),
  )
}

/** True where the browser knows the signatures of the pool. It needs https, or this machine. */
export const canJudge = async (): Promise<boolean> => {
  try {
    // The public key of the first vector of RFC 8032.
    const known = bytesOf('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')
    await crypto.subtle.importKey('raw', known, 'Ed25519', false, ['verify'])
    return true
  } catch {
    return false
  }
}
