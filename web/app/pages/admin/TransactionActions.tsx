import { Button, Group, Text } from '@mantine/core'
import { actionsFor, type TransactionAction } from '@pool/contract/transactions'
import { logFailure } from '../../api/errors.ts'
import { type TransactionRow, useApprove, useConfirm } from '../../api/transactions.ts'
import { t } from '../../i18n/admin.ts'
import { statusName } from '../../i18n/named.ts'
import { capitalized } from './cells.tsx'

type Props = { readonly transaction: TransactionRow; readonly onReject: () => void }

/** What a transaction is called once nothing is left to decide (spec §4): 'Approved', 'Rejected', and so on. */
const labelOf = (status: string): string => capitalized(statusName(status).toLowerCase())

/** The decisions that are open on a transaction, else its label. */
export const TransactionActions = ({ transaction, onReject }: Props) => {
  const actions = actionsFor(transaction.type, transaction.status)
  if (actions.length > 0) return <OpenActions transaction={transaction} onReject={onReject} actions={actions} />
  return (
    <Text size="sm" c="dimmed">
      {transaction.status === 'PENDING' ? '—' : labelOf(transaction.status)}
    </Text>
  )
}

/** Buttons stay busy until the lists have been loaded again, so that no decision is sent twice. */
const OpenActions = ({ transaction, onReject, actions }: Props & { readonly actions: readonly TransactionAction[] }) => {
  const confirm = useConfirm()
  const approve = useApprove()
  const busy = confirm.isPending || approve.isPending
  // A refused decision has no sentence for the user: it is logged, and the rows that are loaded again tell the truth (spec §8).
  const onError = (error: unknown) => logFailure(`Could not decide about transaction ${transaction.id}`, error)
  const about = `${transaction.username ?? transaction.userEmail ?? t('unknownUser')}, ${transaction.id}`
  return (
    <Group gap="xs" wrap="wrap">
      {actions.includes('confirm') && (
        <Button
          size="xs"
          loading={busy}
          aria-description={about}
          onClick={() => confirm.mutate({ transactionId: transaction.id }, { onError })}
        >
          {t('approveDeposit')}
        </Button>
      )}
      {actions.includes('approve') && (
        <Button
          size="xs"
          loading={busy}
          aria-description={about}
          onClick={() => approve.mutate({ transactionId: transaction.id, userId: transaction.userId ?? '' }, { onError })}
        >
          {t('approveWithdrawal')}
        </Button>
      )}
      {actions.includes('reject') && (
        <Button size="xs" color="red" variant="light" disabled={busy} aria-description={about} onClick={onReject}>
          {t('rejectWithdrawal')}
        </Button>
      )}
    </Group>
  )
}
