import { TextInput } from '@mantine/core'
import type { RefObject } from 'react'
import type { DepositPayment } from '../../../api/chain/depositPayments.ts'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { t } from '../../../i18n/admin.ts'
import { onDemand } from '../../../loading/onDemand.tsx'
import {
  ReceivedFields,
  type useReceivedAmount,
  withReceived,
} from '../decisions/ReceivedAmount.tsx'
import { isLive } from '../decisions/useReadiness.ts'

const PaymentChoice = onDemand(
  async () => (await import('../../../panels/payments/PaymentChoice.tsx')).PaymentChoice,
)

type Props = {
  readonly request: TransactionRow
  /** Payments to the deposit's address. Null without a node of its network. */
  readonly payments: readonly DepositPayment[] | null
  readonly evidence: string
  readonly onEvidence: (typed: string) => void
  readonly error: string | null
  readonly field: RefObject<HTMLInputElement | null>
  readonly received: ReturnType<typeof useReceivedAmount>
  readonly busy: boolean
  /** False while the foot asks once more. */
  readonly isOpen: boolean
}

/** The basis of a deposit's confirmation: its transaction on the chain, and what was received. */
export const Receipt = (props: Props) => {
  const { request, payments, evidence, onEvidence, error, field, received, busy, isOpen } = props
  // One that rests on a payment already needs none.
  const isRequired = isLive() && !request.evidence
  const choose = ({ evidence, dollars }: DepositPayment) => {
    onEvidence(evidence)
    received.take(dollars === request.amount ? null : dollars)
  }
  return (
    <>
      <TextInput
        ref={field}
        label={isRequired ? t('confirm.evidence') : t('confirm.evidence.optional')}
        required={isRequired}
        error={error}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        value={evidence}
        readOnly={busy}
        onChange={(event) => {
          onEvidence(event.currentTarget.value)
          if (!received.typed) received.take(null)
        }}
      />
      {payments && isOpen && (
        <PaymentChoice
          payments={payments}
          evidence={evidence}
          amount={withReceived(request, received).amount}
          busy={busy}
          onChoose={choose}
        />
      )}
      {isOpen && <ReceivedFields request={request} received={received} busy={busy} />}
    </>
  )
}
