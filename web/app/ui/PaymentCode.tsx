import { common } from '../i18n/common.ts'
import { networkOf } from './NetworkBadge.tsx'
import classes from './PaymentCode.module.css'
import { QrCode } from './QrCode.tsx'

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

type Props = { readonly network: string; readonly address: string }

/** An address as a code to scan and as a link for a wallet app. */
export const PaymentCode = ({ network, address }: Props) => {
  const link = paymentLink(network, address)
  return (
    <div className={classes.payment}>
      <QrCode
        text={link ?? address}
        label={common('payment.code')}
        className={classes.code ?? ''}
      />
      {link && (
        <a href={link} className={classes.link}>
          {common('payment.open')}
        </a>
      )}
    </div>
  )
}
