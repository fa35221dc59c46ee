/**
 * Files that a signer of Bitcoin reads: partially signed transactions (BIP 174). Writes them from
 * public facts alone; the product has no private key (docs/decisions/044).
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base64 } from '@scure/base'
import { Transaction } from '@scure/btc-signer'
import type { KeyPlace } from '../chains/accountKeys.ts'
import { bitcoin } from '../chains/bitcoin.ts'

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

/** The script of an address, as bytes. */
export const scriptOf = (address: string): Uint8Array => hexToBytes(bitcoin.receiver(address))

/** The output of a transaction, as its own bytes have it. Throws for bytes of another one. */
export const outputOf = (input: string, transaction: string) => {
  const [id, number] = partsOf(input)
  const read = Transaction.fromRaw(hexToBytes(transaction), {
    allowUnknownInputs: true,
    allowUnknownOutputs: true,
    disableScriptCheck: true,
  })
  if (read.id !== id) throw new Error(`the transaction ${read.id} came as ${id}`)
  const { script, amount } = read.getOutput(number)
  return { script: bytesToHex(script ?? new Uint8Array()), units: amount ?? 0n }
}

const partsOf = (input: string): [id: string, number: number] => {
  const [id = '', number] = input.split(':')
  return [id, Number(number)]
}

/** Writes a PSBT of version 0 in base 64. Outputs keep their order. */
export const psbtOf = (inputs: readonly SpentOutput[], outputs: readonly PaidOutput[]): string => {
  const transaction = new Transaction({ version: 2, PSBTVersion: 0 })
  for (const { input, address, units, previous, place } of inputs) {
    const [txid, index] = partsOf(input)
    transaction.addInput({
      txid,
      index,
      sequence: REPLACEABLE,
      // Signers check the amount against the whole transaction (CVE-2020-14199).
      nonWitnessUtxo: hexToBytes(previous),
      witnessUtxo: { script: scriptOf(address), amount: units },
      bip32Derivation: derivation(place),
    })
  }
  for (const { address, units, place } of outputs)
    transaction.addOutput({
      script: scriptOf(address),
      amount: units,
      ...(place && { bip32Derivation: derivation(place) }),
    })
  return base64.encode(transaction.toPSBT(0))
}
