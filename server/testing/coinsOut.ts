import { randomBytes } from 'node:crypto'
import { centsFromDollars } from '@pool/contract/base/money'
import { batchFile, makeBatch, readBatch } from '@pool/contract/coins/batches'
import { base64 } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { Transaction } from '@scure/btc-signer'
import { expect } from 'vitest'
import { accountKeyOf } from '../base/chains/accountKeys.ts'
import type { BitcoinSettings, EvmSettings } from '../base/configuration/chainsFile.ts'
import { openNode } from '../chain/nodes/open.ts'
import { pollNode } from '../chain/nodes/states.ts'
import { insertSetRate } from '../chain/rates/rates.ts'
import { insertKey } from '../chain/wallets/addressKeys.ts'
import { deriveWallets } from '../chain/wallets/deriveWallets.ts'
import { MULTI_SEND } from '../coins/batches/safe.ts'
import { approveWithdrawal } from '../requests/transactions/approveWithdrawal.ts'
import { requestWithdrawal } from '../requests/transactions/requestWithdrawal.ts'
import { newAddress } from './addresses.ts'
import { ANVIL_CHAIN, playToken, startAnvil } from './anvil.ts'
import { LITECOIN_REGTEST, startLitecoind } from './litecoind.ts'
import { insertOwnAddress } from './ownAddresses.ts'
import { chainsFile } from './playNode.ts'
import { playSafe } from './playSafe.ts'
import { actAs, investorWith, type Person, type Product, person, startProduct } from './product.ts'

const TEST_VERSIONS = { private: 0x04358394, public: 0x043587cf }

/** An account with a play key, which the product knows by its public part alone. */
export const playAccount = () => {
  const root = HDKey.fromMasterSeed(randomBytes(32), TEST_VERSIONS)
  const account = root.derive("m/84'/1'/0'")
  const fingerprint = root.fingerprint.toString(16).padStart(8, '0')
  const text = `wpkh([${fingerprint}/84h/1h/0h]${account.publicExtendedKey}/<0;1>/*)`
  return { root, account, fingerprint, text, key: accountKeyOf('Bitcoin', text, 'sandbox') }
}

/** Signs a PSBT with the play key, as the operator does elsewhere. Returns hexadecimal digits. */
export const signPsbt = (root: HDKey, psbt: string): string => {
  const read = Transaction.fromPSBT(base64.decode(psbt))
  read.sign(root as Parameters<typeof read.sign>[0])
  read.finalize()
  return read.hex
}

/** Sets what a coin counts as. */
export const setRate = async (
  { context }: Product,
  coin: Parameters<typeof insertSetRate>[2]['coin'],
  dollars: string,
) => {
  const setter = await person({ context } as Product, ['ADMIN'])
  const by = { name: 'tests', from: 'tests' }
  await insertSetRate(context.db, context.keys, { coin, dollars, setBy: setter.id, by })
}

/** Adds an address of the pool. */
export const addOwnAddress = (
  { database }: Product,
  address: Parameters<typeof insertOwnAddress>[1],
): Promise<void> => insertOwnAddress(database.superuser, address)

type WantedWithdrawal = {
  readonly dollars: number
  readonly address: string
  readonly networkName: string
  /** Dollars of the network's fee that its investor bears, out of them. */
  readonly share?: number
}

/** An approved withdrawal of so many dollars to an address. */
export const approvedWithdrawal = async (
  product: Product,
  { dollars, address, networkName, share = 0 }: WantedWithdrawal,
): Promise<{ readonly id: string; readonly owner: Person }> => {
  const owner = await investorWith(product, dollars)
  const { transactionId: id } = await requestWithdrawal(product.context, {
    by: { id: owner.id, from: 'tests' },
    amount: centsFromDollars(dollars),
    fee: centsFromDollars(share),
    destinationAddress: address,
    networkName,
  })
  const approve = async () =>
    approveWithdrawal(product.context, {
      transactionId: id,
      userId: owner.id,
      by: actAs(await person(product, ['ADMIN'])),
    })
  if ((await approve()).status === 'PENDING') await approve()
  return { id, owner }
}

/** A product that follows a play Bitcoin network, with coins at addresses of a play key. */
export const startBitcoinPool = async (
  ...[settingsOf, options]: Parameters<typeof startProduct>
) => {
  // Long: the acts on a play pool are short functions that share its state.
  const node = await startLitecoind()
  const CHAINS = chainsFile({
    Bitcoin: {
      kind: 'bitcoin',
      url: node.url,
      credentialsFile: node.credentialsFile,
      genesis: LITECOIN_REGTEST,
      confirmations: 2,
      smallConfirmations: 1,
      smallUpTo: 10_000_000,
    },
  })
  const product = await startProduct({ ...settingsOf, CHAINS }, options)
  const { context } = product
  const settings = context.config.chains[0] as BitcoinSettings
  const opened = openNode(settings)
  const play = playAccount()
  await setRate(product, 'BTC', '50000')
  const adder = await person(product, ['ADMIN'])
  await context.db.transaction().execute((transaction) =>
    insertKey(transaction, context.keys, {
      network: 'Bitcoin',
      text: play.text,
      fingerprint: play.fingerprint,
      addedBy: adder.id,
      by: { name: 'tests', from: 'tests' },
    }),
  )
  await deriveWallets(context)

  /** Reads the chain. */
  const look = async () => {
    const { config: pricing, keys } = context
    const followed = { settings, node: opened, pricing, keys, receivers: new Map() }
    expect(await pollNode(context.db, followed)).toMatchObject({ state: 'FINE' })
  }
  /** Pays these coins to an address each, and confirms them. */
  const fund = async (coins: readonly string[], from = 0) => {
    const ids: string[] = []
    for (const [at, each] of coins.entries())
      ids.push(await node.pay(play.key.addressAt(from + at), each))
    await node.mine(1)
    await look()
    return ids
  }
  const approved = async (dollars: number, address = newAddress()) =>
    (await approvedWithdrawal(product, { dollars, address, networkName: 'Bitcoin' })).id
  const payloadOf = (withdrawalIds: readonly string[], more: object = {}) => ({
    networkName: 'Bitcoin',
    coin: 'BTC',
    withdrawalIds: [...withdrawalIds],
    feeRate: 5,
    ...more,
  })
  const make = (by: Person, withdrawalIds: readonly string[], more: object = {}) =>
    product.call(makeBatch, { token: by.token, payload: payloadOf(withdrawalIds, more) })
  const file = async (by: Person, id: string) =>
    product.call(batchFile, { token: by.token, params: { id } })
  const read = async (by: Person, id: string) =>
    (await product.call(readBatch, { token: by.token, params: { id } })).body
  await look()
  const admin = await person(product, ['ADMIN'])
  return {
    node,
    product,
    settings,
    play,
    admin,
    look,
    fund,
    approved,
    payloadOf,
    make,
    file,
    read,
    sign: (psbt: string) => signPsbt(play.root, psbt),
    close: async () => {
      await product.close()
      await node.stop()
    },
  }
}

export type BitcoinPool = Awaited<ReturnType<typeof startBitcoinPool>>

/** The address of the play Safe. */
export const PLAY_SAFE = '0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe'
/** The address of a plain key. */
export const PLAIN_KEY = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

/** A product that follows a play Ethereum network, with a Safe and a plain key that have coins. */
export const startEvmPool = async () => {
  const anvil = await startAnvil()
  const usdc = await playToken(anvil, 6)
  const CHAINS = chainsFile({
    Ethereum: {
      kind: 'evm',
      url: anvil.url,
      chainId: ANVIL_CHAIN,
      tokens: [{ symbol: 'USDC', contract: usdc.contract, decimals: 6 }],
    },
  })
  const product = await startProduct({ CHAINS })
  const { context } = product
  const settings = context.config.chains[0] as EvmSettings
  const node = openNode(settings)
  await setRate(product, 'ETH', '2000')
  const [multiSend = ''] = MULTI_SEND['1.3.0'] ?? []
  const safe = await playSafe(anvil, { address: PLAY_SAFE, multiSend })
  await usdc.send(PLAY_SAFE, 1_000_000_000_000n)
  await usdc.send(PLAIN_KEY, 1_000_000_000_000n)
  await addOwnAddress(product, { address: PLAY_SAFE, networkName: 'Ethereum', kind: 'SAFE' })
  await addOwnAddress(product, { address: PLAIN_KEY, networkName: 'Ethereum', kind: 'PAYER' })

  /** Makes all blocks final, and reads them. */
  const look = async () => {
    await anvil.ask('anvil_mine', '0x44')
    const { config: pricing, keys } = context
    const followed = { settings, node, pricing, keys, receivers: new Map() }
    expect(await pollNode(context.db, followed)).toMatchObject({ state: 'FINE' })
  }
  const balanceOf = async (address: string, asset: string) => {
    const height = Number(await anvil.ask<string>('eth_blockNumber'))
    const balances = (await node.balances?.(height, [address])) ?? []
    return balances.find((each) => each.asset === asset)?.units
  }
  await look()
  const admin = await person(product, ['ADMIN'])
  return {
    anvil,
    usdc,
    product,
    settings,
    safe,
    multiSend,
    admin,
    look,
    balanceOf,
    close: async () => {
      await product.close()
      await anvil.stop()
    },
  }
}
