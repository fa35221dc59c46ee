import { Text, TextInput } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import { formatDollars } from '@pool/contract/base/money'
import { type FormEvent, useState } from 'react'
import type { Answer } from '../../../api/http/client.ts'
import { ApiError, messageOf } from '../../../api/http/errors.ts'
import { useConfirm } from '../../../api/requests/decisions.ts'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { configuration } from '../../../configuration.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/admin.ts'
import { onDemand } from '../../../loading/onDemand.tsx'
import { Approvals } from '../../../panels/story/Approvals.tsx'
import classes from '../../../tables/cells.module.css'
import { NetworkBadge } from '../../../ui/NetworkBadge.tsx'
import { ownerOf, sayDecided } from '../decisions/decided.tsx'
import { ReceivedFields, useReceivedAmount, withReceived } from '../decisions/ReceivedAmount.tsx'

const FoundPayments = onDemand(
  async () => (await import('../decisions/FoundPayments.tsx')).FoundPayments,
)

type Props = {
  readonly transaction: TransactionRow
  readonly opened: boolean
  readonly onClose: () => void
}

/**
 * Asks for the deposit's transaction on the chain, and for the amount if it differs. Live mode
 * requires the transaction, and it counts once (docs/threats.md T7).
 */
export const ConfirmDialog = ({ transaction, opened, onClose }: Props) => {
  const confirm = useConfirm()
  const close = () => {
    confirm.reset()
    onClose()
  }
  return (
    <Dialog title={t('confirm.title')} opened={opened} onClose={close} busy={confirm.isPending}>
      <ConfirmForm transaction={transaction} confirm={confirm} onClose={close} />
    </Dialog>
  )
}

const isAboutEvidence = (error: unknown): boolean =>
  error instanceof ApiError && (error.code?.startsWith('evidence') ?? false)

type FormProps = Pick<Props, 'transaction' | 'onClose'> & {
  readonly confirm: ReturnType<typeof useConfirm>
}

const ConfirmForm = ({ transaction, confirm, onClose }: FormProps) => {
  const [evidence, setEvidence] = useState('')
  const received = useReceivedAmount()
  // One that rests on a payment already needs none.
  const isRequired = configuration().poolMode === 'live' && !transaction.evidence
  const { error, isPending: busy } = confirm
  const said = error && messageOf(error, callFailed.confirm)
  const finish = (answer: Answer<unknown>) => {
    sayDecided(withReceived(transaction, received), answer)
    onClose()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy || !received.check()) return
    const receivedAmount = received.dollars
    confirm.mutate(
      { transactionId: transaction.id, evidence, receivedAmount },
      { onSuccess: finish },
    )
  }
  const { amount, walletAddress, networkName } = transaction
  return (
    <DialogForm
      submitLabel={t('approveDeposit')}
      busyLabel={t('confirm.busy')}
      decides
      busy={busy}
      error={isAboutEvidence(error) ? null : said}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('confirm.about', {
          amount: amount === null ? t('confirm.aDeposit') : formatDollars(amount),
          owner: ownerOf(transaction),
        })}
      </Text>
      <Approvals transaction={transaction} />
      {walletAddress && (
        <div className={classes.receiver}>
          <NetworkBadge network={networkName ?? ''} />
          <span className={classes.address}>{walletAddress}</span>
        </div>
      )}
      <TextInput
        label={isRequired ? t('confirm.evidence') : t('confirm.evidence.optional')}
        description={t('confirm.evidence.hint')}
        size="md"
        required={isRequired}
        error={isAboutEvidence(error) ? said : null}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={evidence}
        readOnly={busy}
        onChange={(event) => {
          setEvidence(event.currentTarget.value)
          if (!received.typed) received.take(null)
        }}
      />
      {configuration().chains !== '' && (
        <FoundPayments
          depositId={transaction.id}
          evidence={evidence}
          amount={withReceived(transaction, received).amount}
          busy={busy}
          onChoose={({ evidence, dollars }) => {
            setEvidence(evidence)
            received.take(dollars === amount ? null : dollars)
          }}
        />
      )}
      <ReceivedFields request={transaction} received={received} busy={busy} />
    </DialogForm>
  )
}
