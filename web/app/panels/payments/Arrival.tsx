import { formatDollars } from '@pool/contract/base/money'
import type { ReactNode } from 'react'
import { useStory } from '../../api/requests/stories.ts'
import { t } from '../../i18n/payments.ts'
import classes from './DepositPayments.module.css'
import { DepositPayments } from './DepositPayments.tsx'

type Props = {
  readonly depositId: string
  /** The next steps where no node shows the payments. */
  readonly otherwise: ReactNode
}

/** The payments of a deposit while its dialog is open, and what follows. */
export const Arrival = ({ depositId, otherwise }: Props) => {
  const { data } = useStory({ kind: 'transaction', id: depositId })
  if (!data?.payments) return otherwise
  const { status, amount = null } = data.transaction ?? {}
  const isCredited = status === 'APPROVED'
  return (
    <>
      <DepositPayments
        payments={data.payments}
        isOpen={status === 'PENDING'}
        isCredited={isCredited}
      />
      <p role="status" className={classes.none}>
        {isCredited && amount !== null
          ? t('credited', { amount: formatDollars(amount) })
          : status === 'PENDING' && t('next')}
      </p>
    </>
  )
}
