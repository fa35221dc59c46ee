import { encode } from 'uqr'
import { common } from '../i18n/common.ts'
import { networkOf } from './NetworkBadge.tsx'
import classes from './PaymentCode.module.css'

/**
 * The start of a payment link by network (BIP 21, EIP 681, Solana Pay). A number is the chain's id.
 */
const schemes: Readonly<Record<string, { readonly scheme: string; readonly chain?: number }>> = {
  bitcoin: { scheme: 'bitcoin' },
  ethereum: { scheme: 'ethereum', chain: 1 },
  binance: { scheme: 'ethereum', chain: 56 },
  polygon: { scheme: 'ethereum', chain: 137 },
  solana: { scheme: 'solana' },
}

/**
 * The link for a wallet app, or null for an unknown network. It names no amount: balances are
 * dollars.
 */
const paymentLink = (network: string, address: string): string | null => {
  const known = schemes[networkOf(network)]
  return known ? `${known.scheme}:${address}${known.chain ? `@${known.chain}` : ''}` : null
}

/** The dark modules of a code as one path. */
const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')

type Props = { readonly network: string; readonly address: string }

/** An address as a code to scan and as a link for a wallet app. */
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
