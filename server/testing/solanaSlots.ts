/** The slots of a play cluster, and their blocks. Its user says when a slot ends or is final. */
import { randomBytes } from 'node:crypto'
import { base58 } from '@scure/base'
import type { LiteSVM } from 'litesvm'
import type { Ran } from './solanaSvm.ts'

/** As Agave's `getBlock` has it, and its slot. */
type Block = {
  readonly slot: number
  readonly blockhash: string
  readonly previousBlockhash: string
  readonly parentSlot: number
  readonly blockHeight: number
  readonly blockTime: number
  readonly transactions: readonly Ran[]
}

/** A refusal as JSON-RPC has it. */
export class Refusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export type BlockOptions = {
  readonly commitment?: string
  readonly transactionDetails?: string
  readonly maxSupportedTransactionVersion?: number
}

const seconds = (): number => Math.floor(Date.now() / 1_000)

/** Begins with one block, which is final. */
export const keepSlots = (svm: LiteSVM, genesis: string) => {
  // Long: the acts on slots are short functions that share its state.
  const blocks = new Map<number, Block>()
  /** Skipped slots of which a long-term store tells. */
  const stored = new Set<number>()
  let last: Block = {
    slot: 0,
    blockhash: genesis,
    previousBlockhash: '1'.repeat(32),
    parentSlot: 0,
    blockHeight: 0,
    blockTime: seconds(),
    transactions: [],
  }
  blocks.set(0, last)
  let current = 1
  let waiting: Ran[] = []
  let final = 0
  let first = 0

  const beginSlot = (): void => {
    current += 1
    svm.warpToSlot(BigInt(current))
  }
  const confirm = (): void => {
    last = {
      slot: current,
      blockhash: base58.encode(randomBytes(32)),
      previousBlockhash: last.blockhash,
      parentSlot: last.slot,
      blockHeight: last.blockHeight + 1,
      blockTime: seconds(),
      transactions: waiting,
    }
    blocks.set(current, last)
    waiting = []
    beginSlot()
  }
  const produce = (slots = 1): void => {
    for (let ended = 0; ended < slots; ended += 1) confirm()
    final = last.slot
  }
  /** Agave takes `finalized` where the caller names no commitment. */
  const newest = ({ commitment = 'finalized' }: BlockOptions = {}): number =>
    commitment === 'finalized' ? final : last.slot

  const requireBlock = (slot: number, options: BlockOptions): Block => {
    if (slot < first)
      throw new Refusal(
        -32_001,
        `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`,
      )
    if (slot > newest(options)) throw new Refusal(-32_004, `Block not available for slot ${slot}`)
    const block = blocks.get(slot)
    if (block) return block
    throw stored.has(slot)
      ? new Refusal(-32_009, `Slot ${slot} was skipped, or missing in long-term storage`)
      : new Refusal(
          -32_007,
          `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
        )
  }

  return {
    confirm,
    produce,
    newest,
    getBlock: (slot: number, options: BlockOptions): object => {
      const { slot: _, transactions, ...header } = requireBlock(slot, options)
      if (options.transactionDetails === 'none') return header
      if (options.transactionDetails === 'signatures')
        return {
          ...header,
          signatures: transactions.map(({ transaction }) => transaction.signatures[0]),
        }
      if (options.transactionDetails !== 'accounts') throw new Refusal(-32_602, 'not served')
      return { ...header, transactions: transactions.map((each) => encoded(each, options)) }
    },
    statusOf: (id: string): object | null => {
      for (const { slot, transactions } of blocks.values()) {
        const found = transactions.find((each) => each.transaction.signatures[0] === id)
        if (!found) continue
        const { err } = found.meta
        const confirmationStatus = slot <= final ? 'finalized' : 'confirmed'
        const status = err ? { Err: err } : { Ok: null }
        return { slot, confirmations: null, err, status, confirmationStatus }
      }
      return null
    },
    add: (ran: Ran): void => void waiting.push(ran),
    skip: (slots = 1, fromStore = false): void => {
      for (let ended = 0; ended < slots; ended += 1) {
        if (fromStore) stored.add(current)
        beginSlot()
      }
    },
    forgetBelow: (slot: number): void => {
      first = slot
    },
  }
}

/** As Agave encodes a transaction, or refuses to for a client of older versions. */
const encoded = (ran: Ran, { maxSupportedTransactionVersion: most }: BlockOptions): Ran => {
  const { version } = ran
  if (version === 'legacy' || (most !== undefined && version <= most)) return ran
  throw new Refusal(
    -32_015,
    `Transaction version (${version}) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
  )
}
