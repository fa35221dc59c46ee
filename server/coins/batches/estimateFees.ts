/** The fee of one payment on each network, for those who ask to withdraw (decision 88). */
import { type Cents, cents } from '@pool/contract/base/money'
import type { NetworkName } from '@pool/contract/base/networks'
import { sql } from 'kysely'
import { bitcoin } from '../../base/chains/bitcoin.ts'
import type { ChainSettings } from '../../base/configuration/chainsFile.ts'
import { coins } from '../../chain/nodes/coins.ts'
import { ratesAt } from '../../chain/rates/ratesAt.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import { estimateFeeRate, readGasPrice, requireFineNode } from './payingNode.ts'
import { centsOf } from './plan.ts'
import { feeOf } from './proveEvm.ts'
import { feeAt } from './selectCoins.ts'

type FeesContext = WithDb & WithConfig

/** Bytes of the largest output of a payment, to a P2WSH or P2TR address. */
const OUTPUT_BYTES = 43n
/** Gas of a plain payment: of the network's coin, and of a token to an address that has none. */
const [COIN_GAS, TOKEN_GAS] = [21_000n, 65_000n]
/** Estimates are rounded up to it, so that what was shown stays true while a fee moves little. */
const STEP = 50n

const roundedUp = (fee: Cents): Cents => cents(((fee + STEP - 1n) / STEP) * STEP)

/** The cents of a payment. Undefined where the coin has no rate, or the node knows no fee. */
const feeNow = async (
  { config, db }: FeesContext,
  settings: ChainSettings,
): Promise<Cents | undefined> => {
  const [priced] = await ratesAt(db, config, [{ coin: coins[settings.network], seconds: null }])
  const rate = priced?.rate
  if (!rate) return undefined
  const paying = await requireFineNode(db, config, settings.network)
  if (settings.kind === 'bitcoin') {
    const feeRate = await paying.asking(() => estimateFeeRate(settings))
    if (feeRate === undefined) return undefined
    return centsOf(feeAt(feeRate, OUTPUT_BYTES), rate, bitcoin.decimals)
  }
  const used = settings.kind === 'evm' && settings.tokens.length > 0 ? TOKEN_GAS : COIN_GAS
  return feeOf({ used, price: await paying.asking(() => readGasPrice(settings)) }, rate)
}

type Failed = { readonly network: NetworkName; readonly error: unknown }

/** Writes the estimate of each network that has a node. Fees of Solana have no bound. */
export const estimateFees = async (
  context: FeesContext,
): Promise<{ readonly asked: number; readonly failed: readonly Failed[] }> => {
  const known = context.config.chains.filter(({ kind }) => kind !== 'solana')
  const failed: Failed[] = []
  for (const settings of known) {
    const { network } = settings
    try {
      const fee = await feeNow(context, settings)
      if (fee !== undefined)
        await sql`INSERT INTO fee_estimates (network_name, cents, at) VALUES (${network}, ${roundedUp(fee)}, now())
          ON CONFLICT (network_name) DO UPDATE SET cents = excluded.cents, at = excluded.at`.execute(
          context.db,
        )
    } catch (error) {
      failed.push({ network, error })
    }
  }
  return { asked: known.length, failed }
}
