import { common } from '../i18n/common.ts'
import { networkOf } from './networkOf.ts'
import classes from './PaymentCode.module.css'
import { QrCode } from './QrCode.tsx'

/**
 * The link for a wallet app, or null for an unknown network. It names no amount: balances are
 * dollars.
 */
export const paymentLink = (network: string, address: string): string | null => {
  const known = networkOf(network)
  if (!known) return null
  return `${known.family}:${address}${known.family === 'ethereum' ? `@${known.chainId}` : ''}`
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
