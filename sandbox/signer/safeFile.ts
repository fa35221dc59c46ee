/** Files of a Safe's transaction builder, and the hash that its owners sign (EIP-712). */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { PageError } from '../page/servePage.ts'
import type { EvmCall } from './evmTransaction.ts'

export type SafeFile = {
  readonly chainId: number
  readonly safe: string
  readonly calls: readonly EvmCall[]
  /** From its words, since the format has no place for it. */
  readonly nonce: number
  /** The hash that its maker names. */
  readonly hash: string
}

type Builder = {
  readonly chainId: string
  readonly meta: { readonly description: string; readonly createdFromSafeAddress: string }
  readonly transactions: readonly {
    readonly to: string
    readonly value: string
    readonly data: string | null
  }[]
}

/** Reads a file. Throws a sentence where it has another form. */
export const readSafeFile = (text: string): SafeFile => {
  try {
    const { chainId, meta, transactions } = JSON.parse(text) as Builder
    const [, nonce] = /nonce (\d+)/.exec(meta.description) ?? []
    const [hash] = /0x[0-9a-f]{64}/.exec(meta.description) ?? []
    if (nonce === undefined || hash === undefined) throw new Error('no nonce')
    return {
      chainId: Number(chainId),
      safe: meta.createdFromSafeAddress,
      hash,
      nonce: Number(nonce),
      calls: transactions.map(({ to, value, data }) => ({
        to,
        value: BigInt(value),
        data: (data ?? '0x').slice(2).toLowerCase(),
      })),
    }
  } catch {
    throw new PageError('This is no file of a Safe. Was all of it pasted?')
  }
}

const word = (value: bigint | number): string => value.toString(16).padStart(64, '0')
const addressWord = (address: string): string => word(BigInt(address))
const keccak = (hex: string): string => bytesToHex(keccak_256(hexToBytes(hex)))
const typeOf = (text: string): string => bytesToHex(keccak_256(utf8ToBytes(text)))

const DOMAIN = typeOf('EIP712Domain(uint256 chainId,address verifyingContract)')
const TRANSACTION = typeOf(
  'SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce)',
)
/** The selector of `multiSend(bytes)`. */
const MULTI_SEND = '8d80ff0a'

/** The Safe's own transaction: the only call, or the contract that makes several. */
export const transactionOf = (calls: readonly EvmCall[], multiSend: string) => {
  const [first, ...more] = calls
  if (!first) throw new PageError('The file pays nothing.')
  if (more.length === 0) return { ...first, operation: 0 }
  const packed = calls
    .map(({ to, value, data }) => {
      const receiver = to.slice(2).toLowerCase()
      return `00${receiver}${word(value)}${word(data.length / 2)}${data}`
    })
    .join('')
  const bytes = packed.padEnd(Math.ceil(packed.length / 64) * 64, '0')
  const data = MULTI_SEND + word(32) + word(packed.length / 2) + bytes
  return { to: multiSend, value: 0n, data, operation: 1 }
}

/** The hash of a transaction of a Safe, which gives no gas back. */
export const hashOf = (
  { to, value, data, operation }: ReturnType<typeof transactionOf>,
  { chainId, safe, nonce }: Pick<SafeFile, 'chainId' | 'safe' | 'nonce'>,
): string => {
  const fields = [addressWord(to), word(value), keccak(data), word(operation)]
  const refunds = word(0).repeat(5)
  const hashed = keccak(TRANSACTION + fields.join('') + refunds + word(nonce))
  const domain = keccak(DOMAIN + word(chainId) + addressWord(safe))
  return `0x${keccak(`1901${domain}${hashed}`)}`
}
