/** Signed transactions of an EVM network beside the batch that they pay. */
import { refusal } from '@pool/contract/base/refusals'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { BATCH_SIZE } from '@pool/contract/coins/batches'
import { ethereum } from '../../base/chains/ethereum.ts'
import { type RawEvm, readRawEvm } from './rawEvm.ts'
import {
  type Call,
  type ExecutedSafe,
  readExecution,
  readMultiSend,
  readTransfer,
  safeHashOf,
} from './safe.ts'
import type { BatchLines, Compared } from './signedBitcoin.ts'

/** A batch of an EVM network that a signed file is compared with. */
export type EvmBatch = {
  readonly format: 'SAFE' | 'CSV'
  readonly chainId: number
  readonly decimals: number
  /** The token's contract. Null for the network's own coin. */
  readonly contract: string | null
  readonly payer: string
  /** Of a Safe: the number and the hash that its owners signed. */
  readonly nonce: number | null
  readonly safeHash: string | null
  readonly payouts: readonly { readonly address: string; readonly units: string }[]
}

/** A signed transaction, as its node is asked about it. */
export type SentEvm = Pick<
  RawEvm,
  'id' | 'raw' | 'from' | 'nonce' | 'to' | 'value' | 'data' | 'gas' | 'price'
>

export type ComparedEvm = Compared & {
  /** In the order of their numbers. */
  readonly sent: readonly SentEvm[]
}

/** Compares them payee by payee. Throws `signedUnreadable`. */
export const compareEvm = (batch: EvmBatch, text: string): ComparedEvm => {
  const sent = readAll(text)
  const safe = batch.format === 'SAFE' ? readSafe(batch, sent) : undefined
  const calls = safe ? safe.calls : sent
  const lines = [
    ...fact(
      'chain',
      String(batch.chainId),
      sent.map(({ chainId }) => chainId?.toString() ?? null),
    ),
    ...fact('payer', batch.payer.toLowerCase(), safe ? safe.payers : sent.map(({ from }) => from)),
    ...paymentsOf(batch, calls),
    ...(safe?.rest ?? []),
  ]
  return {
    transaction: sent.map(({ id }) => id).join(' '),
    isSame: lines.every(({ expected, found }) => expected === found),
    lines,
    raw: undefined,
    sent,
  }
}

const readAll = (text: string): RawEvm[] => {
  const parts = text.split(/[\s,"]+/).filter(Boolean)
  if (parts.length === 0 || parts.length > BATCH_SIZE) throw refusal('signedUnreadable')
  try {
    return parts.map(readRawEvm).sort((a, b) => (a.nonce < b.nonce ? -1 : 1))
  } catch {
    throw refusal('signedUnreadable')
  }
}

type Line = BatchLines[number]

/** A line of a fact, and one more for each other fact that is found. */
const fact = (what: Line['what'], expected: string, found: readonly (string | null)[]): Line[] =>
  [...new Set(found)].map((each) => ({ what, of: null, expected, found: each }))

/** The calls that a Safe would make. Its own hash covers all of it, but for the signatures. */
const readSafe = (batch: EvmBatch, sent: readonly RawEvm[]) => {
  const rest = (expected: string | null, found: string | null): Line => ({
    what: 'rest',
    of: null,
    expected,
    found,
  })
  const payers = sent.map(({ to }) => to)
  const [only] = sent
  const executed = only && sent.length === 1 ? readExecution(only) : undefined
  if (!executed || only?.value !== 0n)
    return { payers, calls: sent, rest: [rest(batch.safeHash, null)] }
  const { chainId, payer: safe, nonce } = batch
  const hash = safeHashOf(executed, { chainId, safe, nonce: nonce ?? 0 }, executed.refund)
  return { payers, calls: callsOf(executed), rest: [rest(batch.safeHash, hash)] }
}

/** The calls of a Safe's transaction. One that is no contract for several is a call by itself. */
const callsOf = (executed: ExecutedSafe): readonly Call[] =>
  executed.operation === 0 ? [executed] : (readMultiSend(executed) ?? [executed])

/** Each payment, and each other call and payment in the file. */
const paymentsOf = (batch: EvmBatch, calls: readonly Call[]): Line[] => {
  const { contract, decimals } = batch
  const coins = (units: bigint) => textOfUnits(units, decimals)
  const left = calls.map((call) => ({ call, pays: readTransfer(call) }))
  type Left = (typeof left)[number]
  const isToken = ({ pays }: Left): boolean =>
    (pays?.contract ?? null) === (contract?.toLowerCase() ?? null)
  const take = (like: (each: Left) => boolean): Left | undefined => {
    const at = left.findIndex(like)
    return at < 0 ? undefined : left.splice(at, 1)[0]
  }
  const wanted = batch.payouts.map(({ address, units }) => ({
    address,
    units: BigInt(units),
    receiver: ethereum.receiver(address),
  }))
  type WantedPayment = (typeof wanted)[number]
  const pays = ({ receiver }: WantedPayment) => {
    return (each: Left) => each.pays?.receiver === receiver && isToken(each)
  }
  // An exact payment first, so that two of one payee do not mix.
  const exact = wanted.map((each) =>
    take((other) => pays(each)(other) && other.pays?.units === each.units),
  )
  const payments = wanted.map((each, at): Line => {
    const found = exact[at] ?? take(pays(each))
    return {
      what: 'payment',
      of: each.address,
      expected: coins(each.units),
      found: found?.pays ? coins(found.pays.units) : null,
    }
  })
  const others = left.map((each): Line => {
    const { call, pays: paid } = each
    if (!paid) {
      const found = `0x${call.data.slice(0, 8)}`
      return { what: 'call', of: call.to, expected: null, found }
    }
    if (isToken(each)) {
      const found = coins(paid.units)
      return { what: 'other', of: paid.receiver, expected: null, found }
    }
    return { what: 'token', of: paid.receiver, expected: contract, found: paid.contract }
  })
  return [...payments, ...others]
}
