import { hexToBytes } from '@noble/hashes/utils.js'
import { RawOldTx } from '@scure/btc-signer/script.js'
import { bitcoin } from '../base/chains/bitcoin.ts'
import type { Litecoind } from './litecoind.ts'

type Coin = { readonly txid: string; readonly vout: number; readonly amount: number }

const SATOSHIS = 100_000_000
/** Satoshis that pay for 40 kilobytes. */
const FEE = 200_000n

/** Pays an address by many outputs of one transaction, as the batch of an exchange may. */
export const payManyTimes = async (
  node: Litecoind,
  { address, times, units }: { address: string; times: number; units: bigint },
): Promise<string> => {
  const paid = BigInt(times) * units + FEE
  const coins = await node.ask<readonly Coin[]>('listunspent')
  const coin = coins.find(({ amount }) => BigInt(Math.round(amount * SATOSHIS)) > paid)
  if (!coin) throw new Error('no coin of the play node is large enough')
  const change = await node.ask<{ scriptPubKey: string }>(
    'getaddressinfo',
    await node.ask<string>('getrawchangeaddress', 'bech32'),
  )
  const script = hexToBytes(bitcoin.receiver(address))
  const outputs = Array.from({ length: times }, () => ({ amount: units, script }))
  const rest = BigInt(Math.round(coin.amount * SATOSHIS)) - paid
  const unsigned = RawOldTx.encode({
    version: 2,
    inputs: [
      {
        txid: hexToBytes(coin.txid),
        index: coin.vout,
        finalScriptSig: new Uint8Array(),
        sequence: 0xffff_ffff,
      },
    ],
    outputs: [...outputs, { amount: rest, script: hexToBytes(change.scriptPubKey) }],
    lockTime: 0,
  })
  const { hex } = await node.ask<{ hex: string }>(
    'signrawtransactionwithwallet',
    Buffer.from(unsigned).toString('hex'),
  )
  return node.ask<string>('sendrawtransaction', hex)
}
