/**
 * Files that a signer of Bitcoin reads: partially signed transactions (BIP 174). Writes them from
 * public facts alone; the product has no private key (docs/decisions/044).
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { Transaction } from '@scure/btc-signer'
import { CompactSizeLen, RawOldTx, RawTx } from '@scure/btc-signer/script.js'
import type { AccountKey, Branch, KeyPlace } from '../../base/chains/accountKeys.ts'
import { bitcoin } from '../../base/chains/bitcoin.ts'

/** An unspent output, and the whole transaction that made it, in hexadecimal. */
export type SpentOutput = {
  readonly input: string
  readonly address: string
  readonly units: bigint
  readonly previous: string
  readonly place: KeyPlace
}

/** Satoshis to an address. `place` where it is our own. */
export type PaidOutput = {
  readonly address: string
  readonly units: bigint
  readonly place?: KeyPlace | undefined
}

/** Asks for replacement by a higher fee (BIP 125). */
const REPLACEABLE = 0xffff_fffd

const derivation = ({ publicKey, fingerprint, path }: KeyPlace) =>
  [[publicKey, { fingerprint, path: [...path] }]] as [
    Uint8Array,
    { fingerprint: number; path: number[] },
  ][]

/** The place of an address of a key. */
export const placeOf = (
  account: Pick<AccountKey, 'placeOf'>,
  { branch, index }: { readonly branch: Branch; readonly index: number },
): KeyPlace => {
  const place = account.placeOf(branch, index)
  if (!place) throw new Error('a key without an origin signs nothing')
  return place
}

/** The script of an address, as bytes. */
export const scriptOf = (address: string): Uint8Array => hexToBytes(bitcoin.receiver(address))

/** Whole transactions as bytes, each of which is read once. */
const openTransactions = () => {
  const known = new Map<string, { readonly bytes: Uint8Array; readonly outputs: Outputs }>()
  return (id: string, text: string) => {
    const found = known.get(id)
    if (found) return found
    const bytes = hexToBytes(text)
    const read = RawTx.decode(bytes)
    const hash = sha256(sha256(RawOldTx.encode(read)))
    const own = bytesToHex(hash.toReversed())
    if (own !== id) throw new Error(`the transaction ${own} came as ${id}`)
    const made = { bytes, outputs: read.outputs }
    known.set(id, made)
    return made
  }
}
type Outputs = readonly { readonly script: Uint8Array; readonly amount: bigint }[]

/**
 * Opens a reader of outputs, as the bytes of their transactions have them. It throws for bytes of
 * another transaction.
 */
export const openOutputs = () => {
  const transactionOf = openTransactions()
  return (input: string, transaction: string) => {
    const [id, number] = partsOf(input)
    const { bytes, outputs } = transactionOf(id, transaction)
    const output = outputs[number]
    if (!output) throw new Error(`the transaction ${id} has no output ${number}`)
    return { bytes, script: bytesToHex(output.script), units: output.amount }
  }
}

const partsOf = (input: string): [id: string, number: number] => {
  const [id = '', number] = input.split(':')
  return [id, Number(number)]
}

/** A transaction as its own bytes have it. */
export type ReadTransaction = {
  readonly id: string
  /** Hexadecimal digits that a node takes. Undefined while signatures are missing. */
  readonly raw: string | undefined
  /** The outputs that it spends, as TRANSACTION:NUMBER. */
  readonly inputs: readonly string[]
  readonly outputs: readonly { readonly script: string; readonly units: bigint }[]
}

const HEX = /^(?:[0-9a-f]{2})+$/i
/** The first bytes of a PSBT: its name and a separator. */
const PSBT_BEGINS = '70736274ff'

/** Reads a PSBT in base 64 or hex, or a raw transaction in hex. Undefined for other text. */
export const readTransaction = (text: string): ReadTransaction | undefined => {
  const packed = text.replace(/\s/g, '')
  try {
    const bytes = new Uint8Array(Buffer.from(packed, HEX.test(packed) ? 'hex' : 'base64'))
    if (bytesToHex(bytes.subarray(0, 5)) !== PSBT_BEGINS) return asRead(rawOf(bytes))
    const [global, ...inputs] = mapsOf(bytes)
    const read = rawOf(global?.get('00') ?? new Uint8Array())
    for (const [at, input] of inputs.slice(0, read.inputsLength).entries()) {
      const finalScriptWitness = witnessOf(input)
      if (finalScriptWitness.length > 0) read.updateInput(at, { finalScriptWitness }, true)
    }
    return asRead(read)
  } catch {
    return undefined
  }
}

const rawOf = (bytes: Uint8Array): Transaction =>
  Transaction.fromRaw(bytes, {
    allowUnknownInputs: true,
    allowUnknownOutputs: true,
    disableScriptCheck: true,
  })

/** Reads sizes and parts of bytes in order. Throws past their end. */
const readerOf = (bytes: Uint8Array, from: number) => {
  let at = from
  const take = (size: number): Uint8Array => {
    const taken = bytes.subarray(at, at + size)
    if (taken.length < size) throw new Error('the bytes end early')
    at += size
    return taken
  }
  const size = (): number => {
    const [first = 0] = take(1)
    if (first < 253) return first
    return take(2 ** (first - 252)).reduceRight((sum, byte) => sum * 256 + byte, 0)
  }
  return { take, size, isLeft: () => at < bytes.length }
}

/** The maps of a PSBT by hexadecimal keys (BIP 174). Leaves the whole transactions unread. */
const mapsOf = (bytes: Uint8Array): Map<string, Uint8Array>[] => {
  const { take, size, isLeft } = readerOf(bytes, PSBT_BEGINS.length / 2)
  const maps: Map<string, Uint8Array>[] = []
  while (isLeft()) {
    const map = new Map<string, Uint8Array>()
    for (let key = size(); key > 0; key = size()) {
      const name = bytesToHex(take(key))
      map.set(name, take(size()))
    }
    maps.push(map)
  }
  return maps
}

/** The witness of an input of P2WPKH: the final one, or its one signature and key. */
const witnessOf = (input: ReadonlyMap<string, Uint8Array>): Uint8Array[] => {
  const final = input.get('08')
  if (final) {
    const { take, size } = readerOf(final, 0)
    return Array.from({ length: size() }, () => take(size()))
  }
  const [signed] = [...input].filter(([key]) => key.startsWith('02'))
  return signed ? [signed[1], hexToBytes(signed[0].slice(2))] : []
}

const asRead = (read: Transaction): ReadTransaction => {
  const inputs = Array.from({ length: read.inputsLength }, (_, at) => read.getInput(at))
  const isSigned = inputs.every(({ finalScriptWitness: each }) => each && each.length > 0)
  return {
    // Signatures of native segwit leave the id as it is.
    id: read.id,
    raw: isSigned ? read.hex : undefined,
    inputs: inputs.map(({ txid, index }) => `${bytesToHex(txid ?? new Uint8Array())}:${index}`),
    outputs: Array.from({ length: read.outputsLength }, (_, at) => {
      const { script, amount } = read.getOutput(at)
      return { script: bytesToHex(script ?? new Uint8Array()), units: amount ?? 0n }
    }),
  }
}

/**
 * Writes a PSBT of version 0 in base 64. Outputs keep their order. Throws for an input that its
 * transaction does not have. The library would read a whole transaction again for each input.
 */
export const psbtOf = (
  inputs: readonly SpentOutput[],
  outputs: readonly PaidOutput[],
  { lockTime, account }: Signing,
): string => {
  const transaction = new Transaction({ version: 2, PSBTVersion: 0, lockTime })
  const outputOf = openOutputs()
  const previous: Uint8Array[] = []
  for (const { input, address, units, previous: whole, place } of inputs) {
    const [txid, index] = partsOf(input)
    const script = scriptOf(address)
    const { bytes, ...output } = outputOf(input, whole)
    if (output.units !== units || output.script !== bytesToHex(script))
      throw new Error(`the output ${input} is another one in its transaction`)
    previous.push(bytes)
    transaction.addInput({
      txid,
      index,
      sequence: REPLACEABLE,
      witnessUtxo: { script, amount: units },
      bip32Derivation: derivation(place),
    })
  }
  for (const { address, units, place } of outputs)
    transaction.addOutput({
      script: scriptOf(address),
      amount: units,
      ...(place && { bip32Derivation: derivation(place) }),
    })
  const psbt = withAccount(transaction.toPSBT(0), account)
  return Buffer.from(withPrevious(psbt, previous)).toString('base64')
}

export type Signing = {
  /** The height of the newest block, as careful wallets write it: no older chain takes it. */
  readonly lockTime: number
  readonly account: Pick<AccountKey, 'extended' | 'placeOf'>
}

/** The type of an account's public key in the first map (BIP 174). */
const GLOBAL_XPUB = 1

/** Adds the account's public key and its path, by which a signer finds its wallet. */
const withAccount = (psbt: Uint8Array, account: Signing['account']): Uint8Array => {
  const { fingerprint, path } = placeOf(account, { branch: 0, index: 0 })
  const steps = path.slice(0, -2)
  const origin = new DataView(new ArrayBuffer(4 + 4 * steps.length))
  origin.setUint32(0, fingerprint)
  for (const [at, step] of steps.entries()) origin.setUint32(4 + 4 * at, step, true)
  const key = concatBytes(Uint8Array.of(GLOBAL_XPUB), account.extended)
  const end = endOfMap(psbt, MAGIC) - 1
  const value = new Uint8Array(origin.buffer)
  const entry = [key, value].flatMap((each) => [CompactSizeLen.encode(each.length), each])
  return concatBytes(psbt.subarray(0, end), ...entry, psbt.subarray(end))
}

/** Bytes of the magic number before the first map. */
const MAGIC = 5
/** The key of a whole previous transaction, in the map of an input (BIP 174). */
const WHOLE_TRANSACTION = Uint8Array.of(1, 0)

/**
 * Adds the whole previous transaction to each input. Signers check amounts against it
 * (CVE-2020-14199).
 */
const withPrevious = (psbt: Uint8Array, previous: readonly Uint8Array[]): Uint8Array => {
  const inputsAt = endOfMap(psbt, MAGIC)
  const parts = [psbt.subarray(0, inputsAt)]
  let at = inputsAt
  for (const whole of previous) {
    const end = endOfMap(psbt, at)
    const length = CompactSizeLen.encode(whole.length)
    parts.push(WHOLE_TRANSACTION, length, whole, psbt.subarray(at, end))
    at = end
  }
  return concatBytes(...parts, psbt.subarray(at))
}

/** The place after a map: pairs of a key and a value with their lengths, and a zero. */
const endOfMap = (psbt: Uint8Array, from: number): number => {
  let at = from
  while (psbt[at] !== 0) {
    at = endOfBytes(psbt, at)
    at = endOfBytes(psbt, at)
  }
  return at + 1
}

/** The place after some bytes, which follow their length. */
const endOfBytes = (psbt: Uint8Array, from: number): number => {
  const first = psbt[from] ?? 0
  const size = { 253: 2, 254: 4, 255: 8 }[first] ?? 0
  const length = size === 0 ? first : CompactSizeLen.decode(psbt.subarray(from, from + 1 + size))
  return from + 1 + size + length
}
