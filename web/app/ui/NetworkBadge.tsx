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

type Look = {
  readonly id: string
  readonly names: readonly string[]
  readonly symbol: typeof IconHexagon
}

/** Networks with a look of their own, by any of their names (docs/product.md 3.18). */
const looks: readonly Look[] = [
  { id: 'bitcoin', names: ['bitcoin', 'btc'], symbol: IconCurrencyBitcoin },
  { id: 'ethereum', names: ['ethereum', 'eth'], symbol: IconCurrencyEthereum },
  { id: 'binance', names: ['binance', 'bnb', 'bsc'], symbol: IconDiamonds },
  { id: 'polygon', names: ['polygon', 'matic'], symbol: IconHexagon },
  { id: 'solana', names: ['solana', 'sol'], symbol: IconCurrencySolana },
]

const generic: Look = { id: 'generic', names: [], symbol: IconTopologyRing2 }

const lookOf = (network: string): Look => {
  const words = network.toLowerCase().split(/[^a-z0-9]+/)
  return looks.find(({ names }) => words.some((word) => names.includes(word))) ?? generic
}

/** The network that a name means, else `generic`. */
export const networkOf = (network: string): string => lookOf(network).id

/** A network's name with its colour and symbol. */
export const NetworkBadge = ({ network }: { network: string }) => {
  const { id, symbol: Icon } = lookOf(network)
  return (
    <span className={classes.badge} data-network={id}>
      <span className={classes.symbol} aria-hidden>
        <Icon size={15} stroke={2} />
      </span>
      {network || common('unknownNetwork')}
    </span>
  )
}
