import type { NetworkName } from '@pool/contract/base/networks'
import {
  IconCurrencyBitcoin,
  IconCurrencyEthereum,
  IconCurrencySolana,
  IconDiamonds,
  IconHexagon,
  IconTopologyRing2,
} from '@tabler/icons-react'
import { common } from '../i18n/common.ts'
import classes from './NetworkBadge.module.css'
import { networkOf } from './networkOf.ts'

type Look = {
  readonly symbol: typeof IconHexagon
  readonly color: string
  readonly symbolColor: string
}

/** The look of each network's badge (docs/product.md 3.18). */
const looks: Readonly<Record<NetworkName, Look>> = {
  Bitcoin: { symbol: IconCurrencyBitcoin, color: '#f7931a', symbolColor: '#241300' },
  Ethereum: { symbol: IconCurrencyEthereum, color: '#4f63c6', symbolColor: '#fff' },
  'Binance Smart Chain': { symbol: IconDiamonds, color: '#f0b90b', symbolColor: '#211900' },
  Polygon: { symbol: IconHexagon, color: '#7b3fe4', symbolColor: '#fff' },
  Solana: { symbol: IconCurrencySolana, color: '#0f8f6b', symbolColor: '#fff' },
}

const generic: Look = { symbol: IconTopologyRing2, color: '#5b6b6f', symbolColor: '#fff' }

/** A network's name with its colour and symbol. */
export const NetworkBadge = ({ network }: { network: string }) => {
  const known = networkOf(network)
  const { symbol: Icon, color, symbolColor } = known ? looks[known.name] : generic
  return (
    <span className={classes.badge} data-network={known?.words[0] ?? 'generic'}>
      <span
        className={classes.symbol}
        style={{ background: color, color: symbolColor }}
        aria-hidden
      >
        <Icon size={15} stroke={2} />
      </span>
      {network || common('unknownNetwork')}
    </span>
  )
}
