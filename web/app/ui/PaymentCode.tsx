import { common } from '../i18n/common.ts'
import classes from './PaymentCode.module.css'
import { paymentLink, type RequestedPayment } from './paymentLink.ts'
import { QrCode } from './QrCode.tsx'

type Props = {
  readonly network: string
  readonly address: string
  /** The coins of a quote that has not ended. */
  readonly asked?: RequestedPayment | undefined
}

/** An address as a code to scan and as a link for a wallet app. */
export const PaymentCode = ({ network, address, asked }: Props) => {
  const link = paymentLink(network, address, asked)
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
