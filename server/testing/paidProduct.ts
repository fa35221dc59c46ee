import { dollarsFromCents } from '@pool/contract/base/money'
import { cancel, deposit } from '@pool/contract/requests/requests'
import { expect } from 'vitest'
import type { EvmSettings } from '../base/configuration/chainsFile.ts'
import { openNode } from '../chain/nodes/open.ts'
import { pollNode } from '../chain/nodes/states.ts'
import { addWallet } from '../chain/wallets/addWallet.ts'
import type { OnLedger, WithConfig } from '../http/context.ts'
import { creditPayments } from '../requests/transactions/creditPayments.ts'
import { reverseDeposits } from '../requests/transactions/reverseDeposits.ts'
import { newAddress } from './addresses.ts'
import { ANVIL_CHAIN, playToken, startAnvil } from './anvil.ts'
import { chainsFile } from './playNode.ts'
import { type Person, person, startProduct } from './product.ts'

const NETWORK = 'Ethereum'
const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7'

type PayingContext = OnLedger & WithConfig

/** Units of a token of 6 decimals. */
export const dollars = (amount: number): bigint => BigInt(amount * 1_000_000)

/**
 * A product that follows a play chain with two tokens of 6 and 18 decimals, and credits payments of
 * up to $1,000. Each step of its jobs is a call. `more` are settings. `door` leads to a URL.
 */
export const startPaidProduct = async (
  more: object = {},
  door = async (url: string): Promise<string> => url,
) => {
  // Long: the acts on a paid product are short functions that share its state.
  const anvil = await startAnvil()
  const usdc = await playToken(anvil, 6)
  const usdt = await playToken(anvil, 18, USDT)
  const CHAINS = chainsFile({
    [NETWORK]: {
      kind: 'evm',
      url: await door(anvil.url),
      chainId: ANVIL_CHAIN,
      ...more,
      tokens: [
        { symbol: 'USDC', contract: usdc.contract, decimals: 6 },
        { symbol: 'USDT', contract: usdt.contract, decimals: 18 },
      ],
    },
  })
  const product = await startProduct({ CHAINS, AUTO_CONFIRM_UP_TO: '1000' })
  const settings = product.context.config.chains[0] as EvmSettings
  const node = openNode(settings)

  /** Reads the chain. */
  const look = async () => {
    const { config: pricing, keys } = product.context
    const followed = { settings, node, pricing, keys, receivers: new Map() }
    expect(await pollNode(product.context.db, followed)).toMatchObject({ state: 'FINE' })
  }
  const credit = (context: PayingContext = product.context) =>
    creditPayments(context, { settings, node })
  /** Makes all blocks final, reads them, and lets the product credit. */
  const settle = async (context: PayingContext = product.context) => {
    await anvil.ask('anvil_mine', '0x44')
    await look()
    return credit(context)
  }
  /** Takes back what the node has no more. */
  const reverse = (context: PayingContext = product.context) =>
    reverseDeposits(context, { settings, node })
  /** Replaces that many blocks by empty ones, one more, and reads the chain. */
  const reorganise = async (depth: number) => {
    await anvil.ask('anvil_reorg', depth, [])
    await anvil.ask('anvil_mine', '0x1')
    await look()
  }
  const ask = async ({ id: userId, token }: Person, amount: number, networkName = NETWORK) =>
    (
      await product.call(deposit, {
        token,
        payload: { userId, amount, networkName },
      })
    ).body
  /** An investor with an address, and a waiting deposit unless the amount is 0. */
  const investor = async (amount = 0, networkName = NETWORK) => {
    await addWallet(
      product.context,
      { address: newAddress(NETWORK), networkName },
      { name: 'tests', from: 'tests' },
    )
    const owner = await person(product)
    const { transactionId: id, address } = await ask(owner, amount || 10, networkName)
    if (amount === 0)
      await product.call(cancel, { token: owner.token, params: { id }, payload: {} })
    return { owner, id, address }
  }
  /** Dollars that a person can spend. */
  const available = async ({ id }: Person) =>
    dollarsFromCents(await product.context.ledger.available(id))
  /** A person's deposits that were not cancelled, in dollars, oldest first. */
  const depositsOf = async ({ id }: Person) =>
    (
      await product.database.pool.query(
        `SELECT id, amount::int / 100.0 AS amount, requested_amount::int / 100.0 AS asked, status, ending, basis, unannounced
         FROM transactions WHERE user_id = $1 AND ending IS DISTINCT FROM 'cancelled' ORDER BY created_at, id`,
        [id],
      )
    ).rows.map(({ amount, asked, ...row }) => ({
      ...row,
      amount: Number(amount),
      asked: asked === null ? null : Number(asked),
    }))
  await look()
  const admin = await person(product, ['ADMIN'])
  return {
    product,
    admin,
    anvil,
    usdc,
    usdt,
    settings,
    look,
    credit,
    settle,
    reverse,
    reorganise,
    ask,
    investor,
    available,
    depositsOf,
    close: async () => {
      await product.close()
      await anvil.stop()
    },
  }
}

export type PaidProduct = Awaited<ReturnType<typeof startPaidProduct>>
