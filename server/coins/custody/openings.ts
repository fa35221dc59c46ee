/** Opening balances: coins that the pool had before the product read its chains. */
import type { PayloadOf } from '@pool/contract/agreements/proposals'
import { assetsOf } from '@pool/contract/base/assets'
import { refusal } from '@pool/contract/base/refusals'
import * as validation from '@pool/contract/base/validation'
import { unitsFromText } from '@pool/contract/chain/quotes'
import type { Kysely } from 'kysely'
import { requireNetwork } from '../../base/chains/networks.ts'
import type { Config } from '../../base/configuration/config.ts'
import { newId } from '../../base/db/ids.ts'
import type { Schema } from '../../base/db/schema.ts'

type AskedOpening = PayloadOf<'OPENING'>

/**
 * The coins of an opening balance in units, and whether they had left. Throws `unknownNetwork`, and
 * `validation` for a coin that the network does not take or too many decimals.
 */
export const unitsOfOpening = (
  { chains }: Pick<Config, 'chains'>,
  { networkName, asset, amount }: AskedOpening,
) => {
  const network = requireNetwork(networkName)
  const invalid = () => refusal('validation', { message: validation.coinsDecimal })
  const known = assetsOf(network).find(({ coin }) => coin === asset)
  if (!known) throw invalid()
  const settings = chains.find((each) => each.network === network)
  const token =
    settings && 'tokens' in settings
      ? settings.tokens.find(({ symbol }) => symbol === asset)
      : undefined
  const decimals = token?.decimals ?? known.decimals
  const isBelow = amount.startsWith('-')
  const size = unitsFromText(isBelow ? amount.slice(1) : amount, decimals)
  if (!size) throw invalid()
  return { network, decimals, size, isBelow }
}

/** Books an opening balance, once. Throws as {@link unitsOfOpening}. */
export const bookOpening = async (
  transaction: Kysely<Schema>,
  config: Pick<Config, 'chains'>,
  { proposalId, asked }: { readonly proposalId: string; readonly asked: AskedOpening },
): Promise<void> => {
  const { network, decimals, size, isBelow } = unitsOfOpening(config, asked)
  const [from, to] = isBelow ? [asked.account, 'opening'] : ['opening', asked.account]
  await transaction
    .insertInto('coin_movements')
    .values({
      id: newId(),
      network_name: network,
      asset: asked.asset,
      decimals,
      kind: 'OPENING',
      from_account: from,
      to_account: to,
      units: String(size),
      cause: 'OPENING',
      cause_id: proposalId,
      position: 0,
      height: 0n,
    })
    .execute()
}
