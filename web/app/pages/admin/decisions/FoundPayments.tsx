import type { DepositPayment } from '../../../api/chain/depositPayments.ts'
import { useStory } from '../../../api/requests/stories.ts'
import { DepositPayments } from '../../../panels/payments/DepositPayments.tsx'
import { PaymentChoice } from '../../../panels/payments/PaymentChoice.tsx'

type Props = {
  readonly depositId: string
  readonly evidence: string
  /** The dollars that would be credited. */
  readonly amount: number | null
  readonly busy: boolean
  readonly onChoose: (payment: DepositPayment) => void
}

/** The payments of a deposit that no story shows beside it. Nothing without a node. */
export const FoundPayments = ({ depositId, ...choice }: Props) => {
  const { data } = useStory({ kind: 'transaction', id: depositId })
  if (!data?.payments) return null
  return (
    <>
      <DepositPayments payments={data.payments} isOpen />
      <PaymentChoice payments={data.payments} {...choice} />
    </>
  )
}
