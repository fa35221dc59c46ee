import { Group, Text } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { readPassedOver } from '../../../api/coins/withdrawalOrder.ts'
import type { Answer } from '../../../api/http/client.ts'
import { logFailure } from '../../../api/http/errors.ts'
import { useApprove, useConfirm } from '../../../api/requests/decisions.ts'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/admin.ts'
import { capitalized } from '../../../i18n/format.ts'
import { statusName } from '../../../i18n/named.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { useMayWrite } from '../../../session/store.ts'
import classes from '../../../tables/cells.module.css'
import { shownAddressOf } from '../decisions/approval.ts'
import { DecisionButton } from '../decisions/DecisionButton.tsx'
import { DecisionNotes } from '../decisions/DecisionNotes.tsx'
import { asksFirst, ownerOf, sayDecided } from '../decisions/decided.tsx'
import { otherApproval, type Readiness } from '../decisions/readiness.ts'
import { isLive, useReadiness } from '../decisions/useReadiness.ts'

const ApproveDialog = dialogOnDemand(
  async () => (await import('./ApproveDialog.tsx')).ApproveDialog,
)

type Props = {
  readonly transaction: TransactionRow
  /** Opens the dialog that asks for the transaction on the chain. */
  readonly onConfirm: () => void
  readonly onReject: () => void
}

/** The label of a decided transaction: 'Approved', 'Rejected' and so on (docs/product.md 5.3). */
const labelOf = (status: string): string => capitalized(statusName(status).toLowerCase())

/** The moments in milliseconds at which a closed dialog may have lost the focus. */
const CLOSED = [0, 400] as const

/** Takes the focus when the decision removed the button that had it. */
const Decisions = ({ isOpen, children }: { isOpen: boolean; children: ReactNode }) => {
  const place = useRef<HTMLDivElement>(null)
  const pressed = useRef(false)
  useEffect(() => {
    if (isOpen || !pressed.current) return
    pressed.current = false
    const timers = CLOSED.map((after) =>
      setTimeout(() => {
        if (document.activeElement === document.body) place.current?.focus()
      }, after),
    )
    return () => timers.forEach(clearTimeout)
  }, [isOpen])
  return (
    <div
      ref={place}
      tabIndex={-1}
      onClickCapture={() => {
        pressed.current = true
      }}
    >
      {children}
    </div>
  )
}

/** The decisions of a transaction that the reader may take, else its label. */
export const TransactionActions = (props: Props) => {
  const { type, status } = props.transaction
  const mayWrite = useMayWrite()
  const ready = useReadiness(props.transaction)
  const isOffered = ready.isOpen && mayWrite
  const Actions = type === 'deposit' ? DepositActions : WithdrawalActions
  return (
    <Decisions isOpen={isOffered}>
      {isOffered ? (
        <>
          <Actions {...props} ready={ready} />
          <DecisionNotes
            request={props.transaction}
            hindrances={ready.hindrances}
            className={classes.note}
          />
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {status === 'PENDING' ? '—' : labelOf(status)}
        </Text>
      )}
    </Decisions>
  )
}

type ActionsProps = Props & { readonly ready: Readiness }

/** Describes the row of a button to screen readers. */
const aboutOf = (transaction: TransactionRow): string =>
  `${ownerOf(transaction)}, ${transaction.id}`

// Logs a refused decision. The invalidated rows show the outcome (docs/product.md 3.15).
const logFor =
  ({ id }: TransactionRow) =>
  (error: unknown): void =>
    logFailure(`Could not decide about transaction ${id}`, error)

/** Says the outcome. A live change may remove the buttons before, and the callbacks of `mutate`. */
const sayOutcome = (transaction: TransactionRow, deciding: Promise<Answer<unknown>>): void =>
  void deciding.then((answer) => sayDecided(transaction, answer), logFor(transaction))

/**
 * A sandbox confirms with one press, unless the amount is large or differs from the first
 * approver's. Live mode asks for the transaction on the chain (docs/threats.md T7).
 */
const DepositActions = ({ transaction, ready, onConfirm }: ActionsProps) => {
  const confirm = useConfirm()
  const confirmNow = () =>
    sayOutcome(transaction, confirm.mutateAsync({ transactionId: transaction.id }))
  const about = aboutOf(transaction)
  const asks = isLive() || asksFirst(transaction) || otherApproval(transaction) !== undefined
  return (
    <Group gap="xs" wrap="wrap">
      <DecisionButton
        busy={confirm.isPending}
        disabled={!ready.canApprove}
        about={about}
        onPress={asks ? onConfirm : confirmNow}
      >
        {t('approveDeposit')}
      </DecisionButton>
      {!isLive() && (
        <DecisionButton
          variant="subtle"
          busy={confirm.isPending}
          disabled={!ready.canApprove}
          leftSection={<IconLink size={14} aria-hidden />}
          about={about}
          onPress={onConfirm}
        >
          {t('confirm.withEvidence')}
        </DecisionButton>
      )}
    </Group>
  )
}

/** Buttons stay busy until the lists are loaded again, so no decision is sent twice. */
const WithdrawalActions = ({ transaction, ready, onReject }: ActionsProps) => {
  const approve = useApprove()
  const asking = useSubject<TransactionRow>()
  /** The older ones that are passed over. Null while they are counted. */
  const [passedOver, setPassedOver] = useState<number | null>(0)
  const about = aboutOf(transaction)
  const send = (order: { readonly outOfOrderReason?: string } = {}) =>
    sayOutcome(
      transaction,
      approve.mutateAsync({
        transactionId: transaction.id,
        userId: transaction.userId ?? '',
        payeeAddress: shownAddressOf(transaction),
        ...order,
      }),
    )
  const press = async () => {
    setPassedOver(null)
    const count = await readPassedOver({ taking: 'approve', ids: [transaction.id] })
    setPassedOver(count)
    if (count > 0 || asksFirst(transaction)) asking.open(transaction)
    else send()
  }
  const isBusy = approve.isPending || passedOver === null
  return (
    <>
      <Group gap="xs" wrap="wrap">
        <DecisionButton
          busy={isBusy}
          disabled={!ready.canApprove}
          about={about}
          onPress={() => void press()}
        >
          {t('approveWithdrawal')}
        </DecisionButton>
        {ready.canReject && (
          <DecisionButton
            color="red"
            variant="light"
            busy={isBusy}
            about={about}
            onPress={onReject}
          >
            {t('rejectWithdrawal')}
          </DecisionButton>
        )}
      </Group>
      {asking.row && (
        <ApproveDialog
          transaction={asking.row}
          passedOver={passedOver ?? 0}
          opened={asking.opened}
          onClose={asking.close}
          onApprove={send}
        />
      )}
    </>
  )
}
