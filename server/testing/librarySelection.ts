import { randomBytes } from 'node:crypto'
import { getAddress, p2wpkh, selectUTXO } from '@scure/btc-signer'
import type { Output, Unspent } from '../coins/batches/selectCoins.ts'
import { playAccount } from './coinsOut.ts'

/** The least fee of the library's ways to select. */
export const bestOfLibrary = (
  coins: readonly Unspent[],
  outputs: readonly Output[],
  rate: bigint,
): bigint => {
  const { account } = playAccount()
  const { script, address = '' } = p2wpkh(account.publicKey as Uint8Array)
  const inputs = coins.map(({ units }) => ({
    txid: new Uint8Array(randomBytes(32)),
    index: 0,
    witnessUtxo: { script, amount: units },
  }))
  const to = getAddress('wpkh', new Uint8Array(32).fill(7)) ?? address
  const paid = outputs.map(({ units }) => ({ address: to, amount: units }))
  const fees = (['default', 'accumBiggest', 'exactBiggest/accumBiggest'] as const).flatMap(
    (strategy) => {
      const found = selectUTXO(inputs, paid, strategy, { changeAddress: address, feePerByte: rate })
      return found?.fee ?? []
    },
  )
  return fees.reduce((least, fee) => (fee < least ? fee : least))
}
