/** Transactions of Solana, run by `litesvm`, with the balances that an RPC server tells of each. */
import {
  type Address,
  type AddressesByLookupTableAddress,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressDecoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  type Instruction,
  lamports,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  signTransactionMessageWithSigners,
  type TransactionMessage,
  type TransactionSigner,
} from '@solana/kit'
import type { LiteSVM } from 'litesvm'
import { TOKEN_PROGRAMS } from '../base/chains/solana.ts'

const litesvm = await import('litesvm').catch(() => undefined)

/** True where npm installed `litesvm` with its program for this machine. */
export const hasSvm = litesvm !== undefined

/** A transaction as `getBlock` with `transactionDetails: accounts` has it. */
export type Ran = {
  readonly version: 'legacy' | number
  readonly transaction: {
    readonly signatures: readonly [string]
    readonly accountKeys: readonly { readonly pubkey: string }[]
  }
  readonly meta: {
    readonly err: object | null
    readonly fee: number
    readonly preBalances: readonly bigint[]
    readonly postBalances: readonly bigint[]
    readonly preTokenBalances: readonly object[]
    readonly postTokenBalances: readonly object[]
  }
}

export type SentTransaction = {
  readonly instructions: readonly Instruction[]
  readonly version?: 'legacy' | 0 | 1
  /** Addresses of tables in whose place the transaction has numbers. */
  readonly tables?: AddressesByLookupTableAddress
}

export type Svm = {
  readonly svm: LiteSVM
  readonly payer: TransactionSigner
  /** Signs and runs a transaction. The ledger charges its fee even if it fails. */
  readonly run: (sent: SentTransaction) => Promise<Ran>
}

/** Lamports of the payer: more than a float tells to the unit. */
const RICH = 20_000_000_000_000_001n

/** Lamports for each signature. */
const FEE = 5_000

/** Starts an empty ledger, whose payer signs for all. */
export const startSvm = async (): Promise<Svm> => {
  if (!litesvm) throw new Error('There is no litesvm for this machine')
  const svm = new litesvm.LiteSVM().withTransactionHistory(0n)
  const payer = await generateKeyPairSigner()
  svm.setAccount({
    address: payer.address,
    lamports: lamports(RICH),
    data: new Uint8Array(),
    executable: false,
    programAddress: '11111111111111111111111111111111' as Address,
    space: 0n,
  })
  return {
    svm,
    payer,
    run: async ({ instructions, version = 'legacy', tables }) => {
      svm.expireBlockhash()
      const lifetime = { blockhash: svm.latestBlockhash(), lastValidBlockHeight: 1_000_000n }
      const begun = appendTransactionMessageInstructions(
        instructions,
        createTransactionMessage({ version }),
      )
      const filled = setTransactionMessageLifetimeUsingBlockhash(
        lifetime,
        // Version 1 gives a transaction no resources unless it asks.
        version === 1
          ? withLimits(setTransactionMessageFeePayerSigner(payer, begun))
          : setTransactionMessageFeePayerSigner(payer, begun),
      )
      // Only version 0 has lookup tables.
      const ofZero = filled as typeof filled & { readonly version: 0 }
      const message = tables
        ? compressTransactionMessageUsingAddressLookupTables(ofZero, tables)
        : filled
      const signed = await signTransactionMessageWithSigners(message as typeof filled)
      const keys = accountsOf(svm, signed.messageBytes)
      const before = balancesOf(svm, keys)
      const result = svm.sendTransaction(signed)
      const after = balancesOf(svm, keys)
      if ('err' in result && after.coins[0] === before.coins[0])
        throw new Error(`No block has such a transaction: ${result.toString()}`)
      return {
        version,
        transaction: {
          signatures: [getSignatureFromTransaction(signed)],
          accountKeys: keys.map((pubkey) => ({ pubkey })),
        },
        meta: {
          fee: FEE * Object.keys(signed.signatures).length,
          err: 'err' in result ? { InstructionError: [0, String(result.err())] } : null,
          preBalances: before.coins,
          postBalances: after.coins,
          preTokenBalances: before.tokens,
          postTokenBalances: after.tokens,
        },
      }
    },
  }
}

const withLimits = <T extends TransactionMessage>(message: T): T =>
  setTransactionMessageLoadedAccountsDataSizeLimit(
    1_000_000,
    setTransactionMessageComputeUnitLimit(200_000, message),
  ) as T

/** Bytes in front of the addresses of a lookup table. */
const TABLE_HEADER = 56

/** The accounts of a message, and behind them those that its lookup tables add. */
const accountsOf = (svm: LiteSVM, messageBytes: Parameters<Decoder['decode']>[0]): Address[] => {
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  const lookups = 'addressTableLookups' in message ? (message.addressTableLookups ?? []) : []
  const found = (kind: 'writableIndexes' | 'readonlyIndexes') =>
    lookups.flatMap((lookup) => {
      const table = svm.getAccount(lookup.lookupTableAddress)
      if (!table.exists) throw new Error(`no table ${lookup.lookupTableAddress}`)
      return [...lookup[kind]].map((at) =>
        getAddressDecoder().decode(table.data, TABLE_HEADER + 32 * at),
      )
    })
  return [...message.staticAccounts, ...found('writableIndexes'), ...found('readonlyIndexes')]
}
type Decoder = ReturnType<typeof getCompiledTransactionMessageDecoder>

/** Puts a lookup table with these addresses on the ledger. */
export const putTable = (svm: LiteSVM, table: Address, addresses: readonly Uint8Array[]): void => {
  const header = new DataView(new ArrayBuffer(TABLE_HEADER))
  header.setUint32(0, 1, true)
  // It was never closed.
  header.setBigUint64(4, 0xffffffffffffffffn, true)
  const data = Buffer.concat([new Uint8Array(header.buffer), ...addresses])
  svm.setAccount({
    address: table,
    lamports: lamports(10_000_000n),
    data,
    executable: false,
    programAddress: 'AddressLookupTab1e1111111111111111111111111' as Address,
    space: BigInt(data.length),
  })
}

/** The layout of an account that keeps tokens: mint, owner, and amount. */
const TOKENS_SIZE = 165
const [OWNER_AT, AMOUNT_AT] = [32, 64]
/** Of an account with extensions, the byte after the layout tells it from a mint. */
const OF_TOKENS = 2
const DECIMALS_AT = 44

const balancesOf = (svm: LiteSVM, keys: readonly Address[]) => {
  const addresses = getAddressDecoder()
  const tokens = keys.flatMap((key, accountIndex) => {
    const account = svm.getAccount(key)
    if (!account.exists || !TOKEN_PROGRAMS.has(account.programAddress)) return []
    const data = Buffer.from(account.data)
    const keepsTokens =
      data.length === TOKENS_SIZE || (data.length > TOKENS_SIZE && data[TOKENS_SIZE] === OF_TOKENS)
    if (!keepsTokens) return []
    const mint = addresses.decode(data)
    const kept = svm.getAccount(mint)
    const amount = data.readBigUInt64LE(AMOUNT_AT)
    return {
      accountIndex,
      mint,
      owner: addresses.decode(data, OWNER_AT),
      programId: account.programAddress,
      uiTokenAmount: {
        amount: String(amount),
        decimals: kept.exists ? kept.data[DECIMALS_AT] : undefined,
      },
    }
  })
  return { coins: keys.map((key) => svm.getBalance(key) ?? 0n), tokens }
}
