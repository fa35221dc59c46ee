import { encode } from 'uqr'
import { common } from '../i18n/common.ts'
import { networkOf } from './NetworkBadge.tsx'
import classes from './PaymentCode.module.css'

/**
 * How a payment to an address of a network begins as a link (BIP 21, EIP 681, Solana Pay); a number
 * is the chain that a wallet must be on.
 */
const schemes: Readonly<Record<string, { readonly scheme: string; readonly chain?: number }>> = {
  bitcoin: { scheme: 'bitcoin' },
  ethereum: { scheme: 'ethereum', chain: 1 },
  binance: { scheme: 'ethereum', chain: 56 },
  polygon: { scheme: 'ethereum', chain: 137 },
  solana: { scheme: 'solana' },
}

/**
 * The link that a wallet app understands; null for a network that has none that is known. It names
 * no amount: balances are dollars.
 */
const paymentLink = (network: string, address: string): string | null => {
  const known = schemes[networkOf(network)]
  return known ? `${known.scheme}:${address}${known.chain ? `@${known.chain}` : ''}` : null
}

/** The dark modules of a code as one path, a unit square each. */
const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')

type Props = { readonly network: string; readonly address: string }

/** An address as a code for a phone's camera, and as a link for a wallet app on this device. */
export const PaymentCode = ({ network, address }: Props) => {
  const link = paymentLink(network, address)
  const { data, size } = encode(link ?? address, { border: 2 })
  return (
    <div className={classes.payment}>
      <svg
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={common('payment.code')}
        className={classes.code}
        shapeRendering="crispEdges"
      >
        <path d={pathOf(data)} />
      </svg>
      {link && (
        <a href={link} className={classes.link}>
          {common('payment.open')}
        </a>
      )}
    </div>
  )
}
