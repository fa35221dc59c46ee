import { Text } from '@mantine/core'
import type { FormEvent } from 'react'
import type { TransactionRow } from '../../../api/transactions.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/admin.ts'
import classes from '../../../tables/cells.module.css'
import { amountOf, ownerOf } from '../decisions/decided.tsx'

type Props = {
  readonly transaction: TransactionRow
  readonly opened: boolean
  readonly onClose: () => void
  readonly onApprove: () => void
}

/** Asks once more before a large withdrawal is approved, with amount, investor and address. */
export const ApproveDialog = ({ transaction, opened, onClose, onApprove }: Props) => {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    onApprove()
  }
  const { payee, destinationAddress } = transaction
  return (
    <Dialog title={t('ask.title')} opened={opened} onClose={onClose}>
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
      </DialogForm>
    </Dialog>
  )
}
