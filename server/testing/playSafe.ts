/**
 * A stand-in for a Safe and its contract for several calls, as bytecode by hand. It has no owners.
 * It executes a transaction whose hash it makes itself, from its own number, chain and address.
 */
import type { Anvil } from './anvil.ts'

const hex = (value: bigint | number): string => value.toString(16)
const word = (value: bigint | string): string =>
  (typeof value === 'bigint' ? hex(value) : value.slice(2).toLowerCase()).padStart(64, '0')

/** Code with names in angle brackets: `<at:x>` is a place, and `<x>` the push of it. */
const assembled = (code: string): string => {
  const parts = code.replaceAll(/\s+/g, '').split(/(<[^>]+>)/)
  const places = new Map<string, number>()
  let place = 0
  for (const part of parts) {
    const name = /^<at:(\w+)>$/.exec(part)?.[1]
    if (name) places.set(name, place)
    place += name ? 1 : part.startsWith('<') ? 3 : part.length / 2
  }
  const byteCode = parts.map((part) => {
    const [, at, name] = /^<(at:)?(\w+)>$/.exec(part) ?? []
    if (at) return '5b'
    return name ? `61${hex(places.get(name) ?? 0).padStart(4, '0')}` : part
  })
  return `0x${byteCode.join('')}`
}

/** The type hashes of the Safe's transaction and domain, as its source has them. */
const SAFE_TX = 'bb8310d486368db6bd6f849402fdd73ad53d316b5a4b2644ad6efe0f941286d8'
const DOMAIN = '47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218'

/**
 * `nonce()`, `VERSION()`, the call that executes: hash, receiver, value, operation, data; and
 * `execTransaction`, whose first word of signatures is the hash.
 */
const SAFE = assembled(`
  60003560e01c 8063affed0e014<nonce>57 8063ffa1ad7414<version>57 80634444444414<execute>57
  636a76120214<owned>57 00
  <at:nonce> 600054 600052 60206000f3
  <at:version> 6020600052 6005602052 64312e332e30 60d81b 604052 60606000f3
  <at:execute>
  608435 60a4 610400 37
  7f${SAFE_TX}600052 602435602052 604435604052 60843561040020606052 606435608052
  600054610140 52 610160600020 61024252
  7f${DOMAIN}61030052 4661032052 3061034052 606061030020 61022252
  6019610220 53 600161022153
  604261022020 60043514 <signed>57 60006000fd
  <at:signed> 600054600101600055
  606435<delegate>57
  60006000608435610400604435602435 5af1 <end>56
  <at:owned>
  61014435 610164 610400 37
  7f${SAFE_TX}600052 600435602052 602435604052 61014435610400 20 606052 606435608052
  60a0 6084 60a0 37 600054610140 52 610160600020 61024252
  7f${DOMAIN}61030052 4661032052 3061034052 606061030020 61022252
  6019610220 53 600161022153
  604261022020 610124356024013514 <owners>57 60006000fd
  <at:owners> 600054600101600055
  606435<owned2>57
  6000600061014435610400602435600435 5af1 <end>56
  <at:owned2> 6000600061014435610400600435 5af4 <end>56
  <at:delegate> 60006000608435610400602435 5af4
  <at:end> <fine>57 60006000fd <at:fine> 00`)

/** `multiSend(bytes)` for plain calls. */
const MULTI_SEND = assembled(`
  6044 <at:loop> 604460243501 81 10 15 <done>57
  80603501 35 80 82605501 6000 37
  6000 6000 82 6000 85601501 35 86600101 35 60601c 5af1 15 <failed>57
  01 605501 <loop>56 <at:done> 00 <at:failed> 60006000fd`)

type Executed = {
  readonly to: string
  readonly value: bigint
  /** Hexadecimal digits without 0x. */
  readonly data: string
  readonly operation: number
}

/** The data of the call that executes what owners signed under this hash. */
export const executionOf = (hash: string, { to, value, data, operation }: Executed): string =>
  [
    '0x44444444',
    word(hash),
    word(to),
    word(value),
    word(BigInt(operation)),
    word(BigInt(data.length / 2)),
    data,
  ].join('')

/** The data of `execTransaction` without a refund. The play Safe reads the hash as signature. */
export const executionBy = (hash: string, { to, value, data, operation }: Executed): string => {
  const zeros = '0'.repeat((64 - (data.length % 64)) % 64)
  const signatureAt = 11n * 32n + BigInt((data.length + zeros.length) / 2)
  return [
    '0x6a761202',
    word(to),
    word(value),
    word(10n * 32n),
    word(BigInt(operation)),
    word(0n).repeat(5),
    word(signatureAt),
    word(BigInt(data.length / 2)),
    data + zeros,
    word(65n),
    word(hash),
    '0'.repeat(64 + 62),
  ].join('')
}

export type PlaySafe = {
  readonly address: string
  /** Executes what owners signed under this hash. Throws if the Safe refuses it. */
  readonly execute: (hash: string, transaction: Executed) => Promise<void>
}

/** Puts a Safe on the chain, with coins. */
export const playSafe = async (
  { ask, payer }: Pick<Anvil, 'ask' | 'payer'>,
  { address, multiSend }: { readonly address: string; readonly multiSend: string },
): Promise<PlaySafe> => {
  await ask('anvil_setCode', address, SAFE)
  await ask('anvil_setCode', multiSend, MULTI_SEND)
  await ask('anvil_setBalance', address, '0x56bc75e2d63100000')
  return {
    address,
    execute: async (hash, transaction) => {
      const data = executionOf(hash, transaction)
      const id = await ask<string>('eth_sendTransaction', {
        from: payer,
        to: address,
        data,
        gas: '0x1c9c380',
      })
      let receipt: { status: string } | null = null
      while (receipt === null) receipt = await ask('eth_getTransactionReceipt', id)
      if (receipt.status !== '0x1') throw new Error('the Safe refused the transaction')
    },
  }
}
