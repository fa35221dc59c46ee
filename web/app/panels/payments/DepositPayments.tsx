import { formatDollars } from '@pool/contract/base/money'
import type { ReactNode } from 'react'
import type { DepositPayment } from '../../api/chain/depositPayments.ts'
import { t } from '../../i18n/payments.ts'
import { Code } from '../../tables/cells.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import classes from './DepositPayments.module.css'
import { depthOf, PaymentState } from './PaymentState.tsx'

type Props = {
  readonly payments: readonly DepositPayment[]
  /** True while more may come. */
  readonly isOpen: boolean
  /** True once the deposit was credited. */
  readonly isCredited?: boolean | undefined
  /** Drawn beneath each payment. */
  readonly action?: (payment: DepositPayment) => ReactNode
}

/** The payments to the address of a deposit, each with its state. */
export const DepositPayments = ({ payments, isOpen, isCredited, action }: Props) => {
  if (payments.length === 0 && !isOpen) return null
  return (
    <section>
      <h3 className={classes.heading}>{t('title')}</h3>
      <p role="status" className={classes.none}>
        {payments.length === 0 && t('none')}
      </p>
      <ul className={classes.payments} aria-live="polite">
        {payments.map((payment) => (
          <li key={payment.id} className={classes.payment}>
            <p className={classes.coins}>
              {payment.amount} {payment.asset}{' '}
              <PaymentState payment={payment} isCredited={isCredited} />
            </p>
            <p className={classes.facts}>
              <span>{depthOf(payment)}</span>
              <span>
                {payment.dollars === null
                  ? t('unpriced')
                  : t('counts', { amount: formatDollars(payment.dollars) })}
              </span>
              <DateTime at={payment.seenAt} />
              <Code text={payment.evidence} />
            </p>
            {action?.(payment)}
          </li>
        ))}
      </ul>
    </section>
  )
}
