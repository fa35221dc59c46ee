import { type Coin, coins } from '@pool/contract/base/assets'
import { refusal } from '@pool/contract/base/refusals'
import { timestampFromDate } from '@pool/contract/base/timestamp'
import { type Quote, textOfUnits } from '@pool/contract/chain/quotes'
import { type Rate, rateFrom, textOfRate } from '@pool/contract/chain/rates'
import { requireNetwork } from '../../base/chains/networks.ts'
import type { Config } from '../../base/configuration/config.ts'
import { paidNetworkOf } from '../../base/configuration/paidNetworks.ts'
import type { WithConfig, WithDb } from '../../http/context.ts'
import type { PostedQuote } from '../../ledger/families/movement.ts'
import type { Quoting } from '../../ledger/families/quotes.ts'

/**
 * Settings for the quote of a request. Throws `unknownNetwork`, and `coinNotTaken` for a coin that
 * its network does not take.
 */
export const quotingOf = (
  config: Pick<Config, 'chains' | 'poolMode' | 'priceUrls' | 'setRateHours' | 'quoteMinutes'>,
  {
    coin,
    networkName,
  }: { readonly coin?: Coin | undefined; readonly networkName?: string | undefined },
): Quoting => {
  const network = networkName === undefined ? undefined : requireNetwork(networkName)
  const taken = (name: string) => paidNetworkOf(config, name).assets
  if (
    coin !== undefined &&
    network !== undefined &&
    !taken(network).some((each) => each.coin === coin)
  )
    throw refusal('coinNotTaken', { coin, network })
  return {
    coin,
    taken,
    configured: coins.filter((each) => config.priceUrls[each]),
    setHours: config.setRateHours,
    minutes: config.quoteMinutes,
  }
}

/** A posted quote as the wire has it. */
export const wireQuote = ({ coin, units, decimals, ...rest }: PostedQuote): Quote => ({
  coin,
  units,
  amount: textOfUnits(BigInt(units), decimals),
  dollars: rest.dollars,
  source: rest.source,
  at: timestampFromDate(new Date(rest.at)),
  endsAt: timestampFromDate(new Date(rest.endsAt)),
})

/** The quote of a deposit to a wallet of the network. Undefined without one. */
export const readQuote = async (
  { config, db }: WithDb & WithConfig,
  { depositId, networkName }: { readonly depositId: string; readonly networkName: string },
): Promise<Quote | undefined> => {
  const row = await db
    .selectFrom('quotes')
    .select(['coin', 'units', 'dollars', 'source', 'at', 'ends_at'])
    .where('deposit_id', '=', depositId)
    .executeTakeFirst()
  const asset = paidNetworkOf(config, networkName).assets.find(({ coin }) => coin === row?.coin)
  if (!row || !asset) return undefined
  const { units, source } = row
  return {
    coin: asset.coin,
    units,
    amount: textOfUnits(BigInt(units), asset.decimals),
    dollars: textOfRate(rateFrom(row.dollars) as Rate),
    source,
    at: timestampFromDate(row.at),
    endsAt: timestampFromDate(row.ends_at),
  }
}
