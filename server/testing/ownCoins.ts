import { randomUUID } from 'node:crypto'
import { bech32 } from '@scure/base'
import type { TestDatabase } from './database.ts'
import { asItsOwn, type Litecoind } from './litecoind.ts'

/** An address of a play node's wallet, as one of Bitcoin. */
export const nodeAddress = async (
  { ask }: Litecoind,
  kind: 'getnewaddress' | 'getrawchangeaddress' = 'getnewaddress',
): Promise<string> => {
  const own = await ask<string>(kind, ...(kind === 'getnewaddress' ? ['', 'bech32'] : ['bech32']))
  return bech32.encode('bc', bech32.decode(own as `${string}1${string}`).words)
}

/** Names an output. */
export type Output = { readonly txid: string; readonly vout: number }

/** The output of a transaction that pays an address. */
export const outputTo = async (
  { ask }: Litecoind,
  txid: string,
  address: string,
): Promise<Output> => {
  const { vout } = await ask<{
    vout: { n: number; scriptPubKey: { addresses?: readonly string[] } }[]
  }>('getrawtransaction', txid, true)
  const own = asItsOwn(address)
  const found = vout.find(({ scriptPubKey }) => scriptPubKey.addresses?.includes(own))
  if (!found) throw new Error(`${txid} does not pay ${address}`)
  return { txid, vout: found.n }
}

type Spent = {
  readonly from: readonly Output[]
  readonly to: Readonly<Record<string, string>>
  readonly change: string
}

/** Signs a transaction as its owner outside would, and sends it. Its fee can be bumped. */
export const spend = async (
  { ask }: Litecoind,
  { from, to, change }: Spent,
  options: object = {},
): Promise<string> => {
  const outputs = Object.entries(to).map(([address, coins]) => ({ [asItsOwn(address)]: coins }))
  const raw = await ask<string>('createrawtransaction', from, outputs, 0, true)
  const { hex } = await ask<{ hex: string }>('fundrawtransaction', raw, {
    add_inputs: false,
    changeAddress: asItsOwn(change),
    replaceable: true,
    ...options,
  })
  const signed = await ask<{ hex: string }>('signrawtransactionwithwallet', hex)
  return ask<string>('sendrawtransaction', signed.hex)
}

/** Writes an address of the pool's own, as two people add one. */
export const addOwn = async (
  { superuser }: Pick<TestDatabase, 'superuser'>,
  networkName: string,
  address: string,
  kind = 'PAYER',
): Promise<void> => {
  await superuser.query(
    `SET session_replication_role = replica;
     INSERT INTO own_addresses (id, network_name, address, class, proposal_id)
     VALUES ('${randomUUID()}', '${networkName}', '${address}', '${kind}', '${randomUUID()}');
     SET session_replication_role = origin`,
  )
}
