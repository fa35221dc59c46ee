/** Nodes that speak the JSON-RPC of Agave, Solana's validator. Only `finalized` slots are read. */
import { z } from 'zod'
import { solanaClusters } from '../../base/chains/genesis.ts'
import { isSolanaKey, TOKEN_PROGRAMS } from '../../base/chains/solana.ts'
import type { Mint, SolanaSettings } from '../../base/configuration/chainsFile.ts'
import { NodeFault } from './fault.ts'
import { BLOCK_BYTES, type Call, openRpc, RpcRefusal } from './jsonRpc.ts'
import type { Head, Limits, Node, TransactionState } from './node.ts'
import { LAMPORTS, transactionReader } from './solanaPayments.ts'

const hash = z.string().refine(isSolanaKey)
const slot = z.number().int().min(0)
const header = z.object({
  blockhash: hash,
  previousBlockhash: hash,
  parentSlot: slot,
  blockTime: z.number().int().nullable(),
})
const block = header.extend({ transactions: z.array(z.unknown()) })
const signed = z.object({ signatures: z.array(z.string()) })
const account = z.object({
  value: z
    .object({ owner: z.string(), data: z.tuple([z.string(), z.literal('base64')]) })
    .nullable(),
})
const statuses = z.object({
  value: z.tuple([
    z
      .object({
        slot,
        err: z.union([z.null(), z.string(), z.looseObject({})]),
        confirmationStatus: z.string().nullish(),
      })
      .nullable(),
  ]),
})

/** Codes of Agave for a slot without a block: from its own disk, and from a long-term store. */
const SKIPPED = [-32_007, -32_009]
/** A slot that is not final yet, and one whose transactions are still being written. */
const NOT_YET = [-32_004, -32_014]
const UNHEALTHY = -32_005
const UNSUPPORTED_VERSION = -32_015

/** The newest version of transactions whose accounts and balances are read. */
const VERSION = 1
const FINALIZED = { commitment: 'finalized' }
/** Slots below the newest final one among which a block that can be read is looked for. */
const LOOKED_BACK = 32

/** A mint has 82 bytes. With extensions of Token-2022, byte 165 tells it from an account. */
const MINT_SIZE = 82
const KIND_AT = 165
const DECIMALS_AT = 44

/** The decimals of a mint. Undefined for an account that is none. */
const decimalsOf = (owner: string, data: Buffer): number | undefined => {
  const isMint = data.length === MINT_SIZE || data[KIND_AT] === 1
  return TOKEN_PROGRAMS.has(owner) && isMint && data[DECIMALS_AT + 1] === 1
    ? data[DECIMALS_AT]
    : undefined
}

/** Opens the node of a Solana cluster. */
export const openSolana = (settings: SolanaSettings, limits: Limits): Node => {
  // Long: the calls of a node are short functions that share its state.
  const { genesis, tokens } = settings
  const rpc = openRpc({ ...settings, ...limits, exact: LAMPORTS, mostBytes: BLOCK_BYTES })
  const readTransaction = transactionReader(settings)

  const ask = async <T>(call: Call<T>): Promise<T> => {
    try {
      return await rpc.ask(call)
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error
      throw error.code === UNHEALTHY ? new NodeFault('BEHIND', error.message) : error
    }
  }

  /** Undefined for a slot that is not final yet, and for one without a block. */
  const blockAt = async <T>(
    at: number,
    transactionDetails: 'accounts' | 'signatures' | 'none',
    schema: z.ZodType<T>,
  ): Promise<T | 'SKIPPED' | undefined> => {
    const options = {
      ...FINALIZED,
      transactionDetails,
      encoding: 'json',
      rewards: false,
      maxSupportedTransactionVersion: VERSION,
    }
    try {
      const call = { method: 'getBlock', params: [at, options], schema: schema.nullable() }
      return (await ask(call)) ?? undefined
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error
      if (SKIPPED.includes(error.code)) return 'SKIPPED'
      if (NOT_YET.includes(error.code)) return undefined
      throw error.code === UNSUPPORTED_VERSION
        ? new NodeFault('TOO_NEW', `Slot ${at}: ${error.message}`)
        : error
    }
  }
  const headerAt = async (at: number) => {
    const found = await blockAt(at, 'none', header)
    return found === 'SKIPPED' ? undefined : found
  }

  /** Throws where the node shows signatures in a slot whose transactions it left out. */
  const requireEmpty = async (at: number): Promise<void> => {
    const found = await blockAt(at, 'signatures', signed)
    if (found === undefined || found === 'SKIPPED' || found.signatures.length > 0)
      throw new NodeFault('LYING', `Slot ${at} came without its transactions`)
  }

  const checkMint = async ({ symbol, mint, decimals }: Mint): Promise<void> => {
    const { value } = await ask({
      method: 'getAccountInfo',
      params: [mint, { ...FINALIZED, encoding: 'base64' }],
      schema: account,
    })
    const found = value ? decimalsOf(value.owner, Buffer.from(value.data[0], 'base64')) : undefined
    if (found === decimals) return
    throw new NodeFault(
      'WRONG_TOKEN',
      found === undefined
        ? `${symbol}: no token has the mint ${mint}`
        : `${symbol}: the mint says ${found} decimals, and CHAINS names ${decimals}`,
    )
  }

  return {
    isFinal: true,
    check: async () => {
      const found = await ask({ method: 'getGenesisHash', schema: hash })
      const nameOf = (each: string): string => solanaClusters[each] ?? each
      if (found !== genesis)
        throw new NodeFault(
          'OTHER_CHAIN',
          `The node is on ${nameOf(found)}, and CHAINS names ${nameOf(genesis)}`,
        )
      for (const token of tokens) await checkMint(token)
    },
    head: async (): Promise<Head> => {
      // Refused with the number of slots that the node is behind.
      await ask({ method: 'getHealth', schema: z.literal('ok') })
      const newest = await ask({ method: 'getSlot', params: [FINALIZED], schema: slot })
      // A slot may be final a moment before its block can be read.
      for (let height = newest; height >= 0 && height > newest - LOOKED_BACK; height -= 1) {
        const found = await headerAt(height)
        if (!found) continue
        const below = { height: found.parentSlot, hash: found.previousBlockhash }
        return { height, hash: found.blockhash, finalHeight: null, below }
      }
      throw new NodeFault(
        'AWAY',
        `No block of the ${LOOKED_BACK} slots up to ${newest} can be read`,
      )
    },
    hashAt: async (height) => (await headerAt(height))?.blockhash,
    isSkipped: async (height) => (await blockAt(height, 'none', header)) === 'SKIPPED',
    block: async (height, watched) => {
      const found = await blockAt(height, 'accounts', block)
      if (found === undefined || found === 'SKIPPED') return undefined
      if (found.transactions.length === 0) await requireEmpty(height)
      const read = found.transactions.map((each) => readTransaction(each, watched))
      return {
        height,
        hash: found.blockhash,
        parent: found.previousBlockhash,
        time: found.blockTime,
        payments: read.flatMap(({ payments }) => payments),
        spendings: read.flatMap(({ spending }) => spending ?? []),
        spends: [],
      }
    },
    transaction: async (id): Promise<TransactionState> => {
      const { value } = await ask({
        method: 'getSignatureStatuses',
        params: [[id], { searchTransactionHistory: true }],
        schema: statuses,
      })
      const [found] = value
      if (!found) return { state: 'UNKNOWN' }
      if (found.confirmationStatus !== 'finalized') return { state: 'PENDING' }
      const mined = await headerAt(found.slot)
      if (!mined) throw new NodeFault('AWAY', `The block of ${id} cannot be read`)
      return {
        state: 'MINED',
        height: found.slot,
        hash: mined.blockhash,
        succeeded: found.err === null,
      }
    },
  }
}
