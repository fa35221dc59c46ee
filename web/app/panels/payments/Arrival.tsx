import { useStory } from '../../api/stories.ts'
import { DepositPayments } from './DepositPayments.tsx'

/** The payments of a deposit while its dialog is open. Nothing without a node. */
export const Arrival = ({ depositId }: { depositId: string }) => {
  const { data } = useStory({ kind: 'transaction', id: depositId })
  if (!data?.payments) return null
  return (
    <DepositPayments payments={data.payments} isOpen={data.transaction?.status === 'PENDING'} />
  )
}
