import { Text } from '@mantine/core'
import type { FormEvent } from 'react'
import { Link } from 'react-router'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/admin.ts'
import { OutOfOrder } from '../../../panels/order/OutOfOrder.tsx'
import { useOrderReason } from '../../../panels/order/useOrderReason.ts'
import classes from '../../../tables/cells.module.css'
import { amountOf, asksFirst, ownerOf } from '../decisions/decided.tsx'

/** The withdrawals that wait, the oldest at the top. */
const OLDEST_FIRST = `/admin?${new URLSearchParams({
  tab: 'transactions',
  'transactions-type': 'withdrawal',
  'transactions-status': 'PENDING',
  'transactions-sort': 'createdAt',
  'transactions-order': 'asc',
})}`

type Props = {
  readonly transaction: TransactionRow
  readonly opened: boolean
  readonly onClose: () => void
  /** Older withdrawals that could be approved first. */
  readonly passedOver: number
  readonly onApprove: (order: { readonly outOfOrderReason?: string }) => void
}

/**
 * Asks once more before a large withdrawal is approved, or one that passes over older ones, with
 * amount, investor and address.
 */
export const ApproveDialog = (props: Props) => {
  const { transaction, opened, passedOver, onClose, onApprove } = props
  const order = useOrderReason(passedOver)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!order.check()) return
    onClose()
    onApprove(order.payload)
  }
  const { payee, destinationAddress } = transaction
  return (
    <Dialog
      title={t(asksFirst(transaction) ? 'ask.title' : 'approveWithdrawal')}
      opened={opened}
      onClose={onClose}
    >
      <DialogForm
        submitLabel={t('approveWithdrawal')}
        busyLabel={t('confirm.busy')}
        decides
        busy={false}
        error={null}
        onSubmit={submit}
        onCancel={onClose}
      >
        <Text>
          {t('ask.about', { amount: amountOf(transaction), owner: ownerOf(transaction) })}
        </Text>
        <p className={`${classes.receiver} ${classes.address}`}>
          {payee?.address ?? destinationAddress}
        </p>
        <OutOfOrder order={order} busy={false} />
        {passedOver > 0 && (
          <Link to={OLDEST_FIRST} reloadDocument>
            {t('ask.older')}
          </Link>
        )}
      </DialogForm>
    </Dialog>
  )
}
