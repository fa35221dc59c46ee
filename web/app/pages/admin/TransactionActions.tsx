import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { actionsFor, type TransactionAction } from '@pool/contract/transactions'
import { IconLink } from '@tabler/icons-react'
import { isFirstApproval, useApprove, useConfirm } from '../../api/decisions.ts'
import type { Answer } from '../../api/http/client.ts'
import { logFailure } from '../../api/http/errors.ts'
import { type TransactionRow, waitsUntil } from '../../api/transactions.ts'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/admin.ts'
import { capitalized } from '../../i18n/format.ts'
import { statusName } from '../../i18n/named.ts'
import { firstApprovalText } from '../../i18n/narrations.ts'
import { useSessionUser } from '../../session/store.ts'
import classes from '../../tables/cells.module.css'
import { DateTime } from '../../ui/DateTime.tsx'
import { useNow } from '../../ui/useNow.ts'

type Props = {
  readonly transaction: TransactionRow
  /** Opens the dialog that asks for the transaction on the chain. */
  readonly onConfirm: () => void
  readonly onReject: () => void
}

/** The label of a decided transaction: 'Approved', 'Rejected' and so on (docs/product.md 5.3). */
const labelOf = (status: string): string => capitalized(statusName(status).toLowerCase())

/** The open decisions of a transaction, else its label. */
export const TransactionActions = (props: Props) => {
  const { type, status } = props.transaction
  const actions = actionsFor(type, status)
  if (actions.includes('confirm')) return <DepositActions {...props} />
  if (actions.length > 0) return <WithdrawalActions {...props} actions={actions} />
  return (
    <Text size="sm" c="dimmed">
      {status === 'PENDING' ? '—' : labelOf(status)}
    </Text>
  )
}

/** Describes the row of a button to screen readers. */
const aboutOf = ({ id, username, userEmail }: TransactionRow): string =>
  `${username ?? userEmail ?? t('unknownUser')}, ${id}`

// Logs a refused decision. The invalidated rows show the outcome (docs/product.md 3.15).
const logFor =
  ({ id }: TransactionRow) =>
  (error: unknown): void =>
    logFailure(`Could not decide about transaction ${id}`, error)

/**
 * A sandbox confirms with one press; live mode asks for the transaction on the chain
 * (docs/threats.md T7).
 */
const DepositActions = ({ transaction, onConfirm }: Props) => {
  const confirm = useConfirm()
  const isLive = configuration().poolMode === 'live'
  const isApprovedByMe = useIsApprovedByMe(transaction)
  const confirmNow = () =>
    confirm.mutate(
      { transactionId: transaction.id },
      { onError: logFor(transaction), onSuccess: sayIfFirst },
    )
  const about = aboutOf(transaction)
  return (
    <>
      <Group gap="xs" wrap="wrap">
        <Button
          size="xs"
          loading={confirm.isPending}
          disabled={isApprovedByMe}
          aria-description={about}
          onClick={isLive ? onConfirm : confirmNow}
        >
          {t('approveDeposit')}
        </Button>
        {!isLive && (
          <Button
            size="xs"
            variant="subtle"
            disabled={confirm.isPending || isApprovedByMe}
            leftSection={<IconLink size={14} aria-hidden />}
            aria-description={about}
            onClick={onConfirm}
          >
            {t('confirm.withEvidence')}
          </Button>
        )}
      </Group>
      <SecondApproval transaction={transaction} isApprovedByMe={isApprovedByMe} />
    </>
  )
}

/** One person cannot give both approvals. */
const useIsApprovedByMe = ({ approvals }: TransactionRow): boolean => {
  const me = useSessionUser()?.email
  return approvals.some(({ username }) => username === me)
}

const sayIfFirst = (answer: Answer<unknown>): void => {
  if (isFirstApproval(answer)) notifications.show({ message: firstApprovalText(answer.message) })
}

/** The address that the row shows. */
const shownAddressOf = ({ payee, destinationAddress }: TransactionRow): string | undefined =>
  payee?.address || destinationAddress || undefined

/** Says before the press that a second approval is needed. */
const SecondApproval = ({
  transaction,
  isApprovedByMe,
}: Pick<Props, 'transaction'> & { readonly isApprovedByMe: boolean }) => {
  const { exceeds, approvals } = transaction
  const note = isApprovedByMe
    ? t('approve.another')
    : exceeds && approvals.length === 0
      ? t(`exceeds.${exceeds}`)
      : null
  return note && <p className={classes.note}>{note}</p>
}

/** Buttons stay busy until the lists are loaded again, so no decision is sent twice. */
const WithdrawalActions = ({
  transaction,
  onReject,
  actions,
}: Props & { readonly actions: readonly TransactionAction[] }) => {
  const approve = useApprove()
  const waits = waitsUntil(transaction, useNow())
  const isApprovedByMe = useIsApprovedByMe(transaction)
  const about = aboutOf(transaction)
  const send = () =>
    approve.mutate(
      {
        transactionId: transaction.id,
        userId: transaction.userId ?? '',
        payeeAddress: shownAddressOf(transaction),
      },
      { onError: logFor(transaction), onSuccess: sayIfFirst },
    )
  return (
    <>
      <Group gap="xs" wrap="wrap">
        {actions.includes('approve') && (
          <Button
            size="xs"
            loading={approve.isPending}
            disabled={isApprovedByMe || waits !== null}
            aria-description={about}
            onClick={send}
          >
            {t('approveWithdrawal')}
          </Button>
        )}
        {actions.includes('reject') && (
          <Button
            size="xs"
            color="red"
            variant="light"
            disabled={approve.isPending}
            aria-description={about}
            onClick={onReject}
          >
            {t('rejectWithdrawal')}
          </Button>
        )}
      </Group>
      <SecondApproval transaction={transaction} isApprovedByMe={isApprovedByMe} />
      {waits && (
        <p className={classes.note}>
          {t('approve.from')} <DateTime at={waits} />
        </p>
      )}
    </>
  )
}
