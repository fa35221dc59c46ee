/** Signed transactions of an EVM network at its node: their bounds, and their sending. */
import { type Refusal, refusal } from '@pool/contract/base/refusals'
import { textOfUnits } from '@pool/contract/chain/quotes'
import { z } from 'zod'
import { ethereum } from '../../base/chains/ethereum.ts'
import type { EvmSettings } from '../../base/configuration/chainsFile.ts'
import { number } from '../../chain/nodes/evmForms.ts'
import { NodeFault } from '../../chain/nodes/fault.ts'
import { RpcRefusal } from '../../chain/nodes/jsonRpc.ts'
import { asRefusal, readGasPrice, rpcOf } from './payingNode.ts'
import type { BatchLines } from './signedBitcoin.ts'
import type { SentEvm } from './signedEvm.ts'

/** The fee may be so many times that of the batch, at the price of its making or of now. */
const FEE_TIMES = 5n
/** Wei for a unit of gas that need no further word: wallets offer that much on idle networks. */
const SMALL_PRICE = 10_000_000_000n
/** Less than this part of the gas of the batch is used up before the payments are made. */
const GAS_PART = 2n

type Made = {
  /** The gas of the batch, and the wei for a unit of it when it was made. */
  readonly gas: bigint
  readonly gasPrice: bigint
  /** True where these transactions were given to the node before. */
  readonly isRepeat: boolean
}

const sumOf = (all: readonly SentEvm[], of: (each: SentEvm) => bigint): bigint =>
  all.reduce((sum, each) => sum + of(each), 0n)

/**
 * The lines of the fee, the gas and the number. The fee that is expected is the bound where the
 * file is above it. A number after the next one would sleep, and pay at any later moment.
 */
export const evmFacts = async (
  settings: EvmSettings,
  sent: readonly SentEvm[],
  { gas, gasPrice, isRepeat }: Made,
): Promise<BatchLines> => {
  const now = await asRefusal(() => readGasPrice(settings))
  const most = FEE_TIMES * (now > gasPrice ? now : gasPrice)
  const bound = gas * (most > SMALL_PRICE ? most : SMALL_PRICE)
  const fee = sumOf(sent, (each) => each.gas * each.price)
  const inCoins = (wei: bigint) => textOfUnits(wei, ethereum.decimals)
  const limit = sumOf(sent, (each) => each.gas)
  const isLow = limit * GAS_PART < gas
  return [
    { what: 'fee', of: null, expected: inCoins(fee > bound ? bound : fee), found: inCoins(fee) },
    ...(isLow
      ? [{ what: 'gas' as const, of: null, expected: String(gas), found: String(limit) }]
      : []),
    ...(isRepeat ? [] : await numbersOf(settings, sent)),
  ]
}

/** The first number that is not the next one of its sender. The node may have the first already. */
const numbersOf = async (settings: EvmSettings, sent: readonly SentEvm[]): Promise<BatchLines> => {
  const [first] = sent
  if (!first) return []
  const { from, id } = first
  const next = await asRefusal(() =>
    rpcOf(settings).ask({
      method: 'eth_getTransactionCount',
      params: [from, 'pending'],
      schema: number,
    }),
  )
  // Asked after the count, so that one that was sent meanwhile is known here.
  const [isSent] = await asRefusal(() => areAlive(settings, [id]))
  const begins = isSent ? first.nonce : BigInt(next)
  const at = sent.findIndex(({ nonce }, place) => nonce !== begins + BigInt(place))
  const expected = String(begins + BigInt(Math.max(at, 0)))
  return [{ what: 'nonce', of: from, expected, found: String(sent[at]?.nonce ?? expected) }]
}

const hex = (value: bigint): string => `0x${value.toString(16)}`

/** Tries each call at the newest block. Throws `signedRefused` with the node's own words. */
export const requireTaken = async (
  settings: EvmSettings,
  sent: readonly SentEvm[],
): Promise<void> => {
  const answers = await asRefusal(() =>
    rpcOf(settings).askAll(
      sent.map(({ from, to, value, data, gas }) => ({
        method: 'eth_call',
        params: [{ from, to, value: hex(value), data: `0x${data}`, gas: hex(gas) }, 'latest'],
        schema: z.string(),
      })),
    ),
  )
  const refused = answers.find((answer) => answer instanceof RpcRefusal)
  if (refused instanceof RpcRefusal) throw refusal('signedRefused', { words: refused.message })
}

/** A transaction as the node has it: `made` by a block, with success. */
type AtNode = 'unknown' | 'waits' | 'made' | 'failed'

const readAtNode = async (
  settings: EvmSettings,
  ids: readonly string[],
): Promise<readonly AtNode[]> => {
  const rpc = rpcOf(settings)
  const asked = (method: string) =>
    rpc.askAll(
      ids.map((id) => ({
        method,
        params: [id],
        schema: z.looseObject({ status: z.string().optional() }).nullable(),
      })),
    )
  const [known, receipts] = [
    await asked('eth_getTransactionByHash'),
    await asked('eth_getTransactionReceipt'),
  ]
  return ids.map((_, at) => {
    const [one, receipt] = [known[at], receipts[at]]
    if (one instanceof RpcRefusal) throw one
    if (receipt instanceof RpcRefusal) throw receipt
    if (receipt) return receipt.status === '0x0' ? 'failed' : 'made'
    return one ? 'waits' : 'unknown'
  })
}

/** True for each transaction that waits at the node, or that a block has without a failure. */
export const areAlive = async (
  settings: EvmSettings,
  ids: readonly string[],
): Promise<readonly boolean[]> =>
  (await readAtNode(settings, ids)).map((each) => each === 'waits' || each === 'made')

/** True while one of the transactions waits for a block. */
export const isAwaited = async (settings: EvmSettings, ids: readonly string[]): Promise<boolean> =>
  (await readAtNode(settings, ids)).includes('waits')

/**
 * Gives them to the node in their order. Throws `signedRefused` while none was taken. Afterwards it
 * returns the refusal: what was taken stays sent, and the same file brings the rest.
 */
export const sendEvm = async (
  settings: EvmSettings,
  sent: readonly SentEvm[],
): Promise<Refusal | undefined> => {
  let taken = 0
  for (const { id, raw } of sent) {
    try {
      const [answer] = await rpcOf(settings).askAll([
        { method: 'eth_sendRawTransaction', params: [raw], schema: z.string() },
      ])
      if (answer instanceof RpcRefusal && !(await areAlive(settings, [id]))[0]) {
        const refused = refusal('signedRefused', { words: answer.message })
        if (taken === 0) throw refused
        return refused
      }
      taken += 1
    } catch (error) {
      // A lost answer does not tell whether the node has it, so the entry of the sending stays.
      if (!(error instanceof NodeFault)) throw error
      return refusal('batchImpossible', { problem: 'nodeNotFine' })
    }
  }
  return undefined
}
