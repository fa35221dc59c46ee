import { Button } from '@mantine/core'
import { formatDollars } from '@pool/contract/base/money'
import type { DepositPayment } from '../../api/chain/depositPayments.ts'
import { t } from '../../i18n/payments.ts'
import classes from './DepositPayments.module.css'
import { stateName } from './PaymentState.tsx'
import { contradictionOf } from './shown.ts'

type Props = {
  readonly payments: readonly DepositPayment[]
  readonly evidence: string
  /** The dollars that would be credited. */
  readonly amount: number | null
  readonly busy: boolean
  readonly onChoose: (payment: DepositPayment) => void
}

/** Takes a payment that the node shows, and says where the chain shows something else. */
export const PaymentChoice = ({ payments, evidence, amount, busy, onChoose }: Props) => {
  const found = contradictionOf(payments, { evidence, amount })
  return (
    <div className={classes.choice}>
      {payments
        .filter((payment) => payment.state === 'SEEN' || payment.state === 'CONFIRMED')
        .map((payment) => (
          <Button
            key={payment.id}
            size="xs"
            variant="default"
            disabled={busy}
            aria-pressed={evidence === payment.evidence}
            onClick={() => onChoose(payment)}
          >
            {t('use', {
              amount: payment.amount,
              asset: payment.asset,
              state: stateName(payment),
            })}
          </Button>
        ))}
      <p role="status" className={classes.warning}>
        {found &&
          (found.why === 'differs'
            ? t('differs', {
                shown: formatDollars(found.shown),
                amount: formatDollars(amount ?? 0),
              })
            : t(found.why === 'unpriced' ? 'unpriced.payment' : found.why))}
      </p>
    </div>
  )
}
