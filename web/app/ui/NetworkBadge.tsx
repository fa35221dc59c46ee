import classes from './NetworkBadge.module.css'

type Look = { readonly id: string; readonly names: readonly string[]; readonly symbol: string }

/** The networks that have a look of their own (spec §2), by any of their names. */
const looks: readonly Look[] = [
  { id: 'bitcoin', names: ['bitcoin', 'btc'], symbol: '₿' },
  { id: 'ethereum', names: ['ethereum', 'eth'], symbol: 'Ξ' },
  { id: 'binance', names: ['binance', 'bnb', 'bsc'], symbol: 'B' },
  { id: 'polygon', names: ['polygon', 'matic'], symbol: 'P' },
  { id: 'solana', names: ['solana', 'sol'], symbol: 'S' },
]

const generic: Look = { id: 'generic', names: [], symbol: '◆' }

const lookOf = (network: string): Look => {
  const words = network.toLowerCase().split(/[^a-z0-9]+/)
  return looks.find(({ names }) => words.some((word) => names.includes(word))) ?? generic
}

/** A network's name beside its colour and symbol. */
export const NetworkBadge = ({ network }: { network: string }) => {
  const { id, symbol } = lookOf(network)
  return (
    <span className={classes['badge']} data-network={id}>
      <span className={classes['symbol']} aria-hidden>
        {symbol}
      </span>
      {network || 'Unknown network'}
    </span>
  )
}
