/** A signed transaction of Bitcoin beside the PSBT of its batch. */
import { refusal } from '@pool/contract/base/refusals'
import { textOfUnits } from '@pool/contract/chain/quotes'
import type { ComparedBatch } from '@pool/contract/coins/batches'
import { bitcoin } from '../../base/chains/bitcoin.ts'
import { type ReadTransaction, readTransaction } from './psbt.ts'

export type BatchLines = ComparedBatch['lines']

/** A signed file beside its batch. */
export type Compared = {
  /** The id that the network gives it. Ids of several have spaces between them. */
  readonly transaction: string
  readonly isSame: boolean
  readonly lines: BatchLines
  /** Of Bitcoin: digits for the node. Undefined while signatures are missing. */
  readonly raw: string | undefined
}

/** The rows of a batch that a signed file is compared with. */
export type SignedBatch = {
  readonly network: string
  readonly decimals: number
  readonly file: string
  readonly feeUnits: string | null
  readonly changeAddress: string | null
  readonly payouts: readonly { readonly address: string; readonly units: string }[]
  readonly inputs: readonly { readonly input: string; readonly units: string }[]
}

type Output = ReadTransaction['outputs'][number]

/** Compares them output by output. Throws `signedUnreadable`. */
export const compareBitcoin = (batch: SignedBatch, text: string): Compared => {
  const signed = readTransaction(text)
  const made = readTransaction(batch.file)
  if (!signed || !made) throw refusal('signedUnreadable')
  return {
    transaction: signed.id,
    // The id covers coins, outputs, sequences and the lock time, and no signature.
    isSame: signed.id === made.id,
    lines: linesOf(batch, made, signed),
    raw: signed.raw,
  }
}

const linesOf = (
  batch: SignedBatch,
  made: ReadTransaction,
  signed: ReadTransaction,
): BatchLines => {
  const coins = (units: bigint) => textOfUnits(units, batch.decimals)
  const left: Output[] = [...signed.outputs]
  const own = batch.changeAddress === null ? [] : [batch.changeAddress]
  const addresses = [...batch.payouts.map(({ address }) => address), ...own]
  const addressAt = new Map(addresses.map((each) => [bitcoin.receiver(each), each]))
  const changeScript = batch.changeAddress === null ? null : bitcoin.receiver(batch.changeAddress)
  // An exact output first, so that two of one payee do not mix.
  const take = (like: (each: Output) => boolean): Output | undefined => {
    const at = left.findIndex(like)
    return at < 0 ? undefined : left.splice(at, 1)[0]
  }
  const exact = made.outputs.map(({ script, units }) =>
    take((each) => each.script === script && each.units === units),
  )
  const outputs = made.outputs.map(({ script, units }, at) => {
    const found = exact[at] ?? take((each) => each.script === script)
    return {
      what: script === changeScript ? ('change' as const) : ('payment' as const),
      of: addressAt.get(script) ?? script,
      expected: coins(units),
      found: found ? coins(found.units) : null,
    }
  })
  const others = left.map(({ script, units }) => ({
    what: 'other' as const,
    of: bitcoin.addressOf(script) ?? script,
    expected: null,
    found: coins(units),
  }))
  const lines = [...outputs, ...others, ...coinsOf(batch, made, signed), feeOf(batch, signed)]
  const isRest = signed.id !== made.id && lines.every(({ expected, found }) => expected === found)
  // Sequences, the lock time or the order of outputs.
  return isRest
    ? [...lines, { what: 'rest', of: null, expected: made.id, found: signed.id }]
    : lines
}

/** The coins that only one of the two spends. */
const coinsOf = (
  batch: SignedBatch,
  made: ReadTransaction,
  signed: ReadTransaction,
): BatchLines => {
  const units = unitsOf(batch)
  const known = (input: string) => {
    const found = units.get(input)
    return found === undefined ? input : textOfUnits(found, batch.decimals)
  }
  const onlyIn = (one: ReadTransaction, other: ReadTransaction) =>
    one.inputs.filter((input) => !other.inputs.includes(input))
  return [
    ...onlyIn(made, signed).map((of) => ({
      what: 'coin' as const,
      of,
      expected: known(of),
      found: null,
    })),
    ...onlyIn(signed, made).map((of) => ({
      what: 'coin' as const,
      of,
      expected: null,
      found: known(of),
    })),
  ]
}

const unitsOf = ({ inputs }: SignedBatch): ReadonlyMap<string, bigint> =>
  new Map(inputs.map(({ input, units }) => [input, BigInt(units)]))

/** The fee of both. Unknown where the signed transaction spends other coins. */
const feeOf = (batch: SignedBatch, signed: ReadTransaction): BatchLines[number] => {
  const units = unitsOf(batch)
  const isKnown = signed.inputs.every((input) => units.has(input))
  const spent = signed.inputs.reduce((sum, input) => sum + (units.get(input) ?? 0n), 0n)
  const paid = signed.outputs.reduce((sum, output) => sum + output.units, 0n)
  const { feeUnits, decimals } = batch
  return {
    what: 'fee',
    of: null,
    expected: feeUnits === null ? null : textOfUnits(BigInt(feeUnits), decimals),
    found: isKnown ? textOfUnits(spent - paid, decimals) : null,
  }
}
