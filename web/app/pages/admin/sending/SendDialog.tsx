import { NativeSelect, Text, TextInput } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import { formatDollars } from '@pool/contract/base/money'
import * as validation from '@pool/contract/base/validation'
import { type FormEvent, useState } from 'react'
import { useNetworks } from '../../../api/chain/wallets.ts'
import { networkToPay, useMarkSent } from '../../../api/coins/sending.ts'
import { usePassedOver } from '../../../api/coins/withdrawalOrder.ts'
import { messageOf } from '../../../api/http/errors.ts'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/admin.ts'
import { OutOfOrder } from '../../../panels/order/OutOfOrder.tsx'
import { useOrderReason } from '../../../panels/order/useOrderReason.ts'
import cells from '../../../tables/cells.module.css'
import { NetworkBadge } from '../../../ui/NetworkBadge.tsx'
import { toast } from '../../../ui/toasts.ts'

type Props = {
  readonly transaction: TransactionRow
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks for the transaction on the chain that paid a withdrawal. */
export const SendDialog = ({ transaction, opened, onClose }: Props) => {
  const send = useMarkSent()
  const close = () => {
    send.reset()
    onClose()
  }
  return (
    <Dialog title={t('send.mark')} opened={opened} onClose={close} busy={send.isPending}>
      <SendForm transaction={transaction} send={send} onClose={close} />
    </Dialog>
  )
}

type FormProps = Pick<Props, 'transaction' | 'onClose'> & {
  readonly send: ReturnType<typeof useMarkSent>
}

const SendForm = ({ transaction, send, onClose }: FormProps) => {
  const known = networkToPay(transaction)
  const [chosen, setChosen] = useState('')
  const [evidence, setEvidence] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const networks = useNetworks()
  const order = useOrderReason(usePassedOver({ taking: 'send', ids: [transaction.id] }) ?? 0)
  const amount = transaction.amount === null ? '' : formatDollars(transaction.amount)
  const networkName = known || chosen
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (send.isPending) return
    if (!networkName || !evidence.trim()) return setProblem(validation.fillAllFields)
    if (!order.check()) return
    setProblem(null)
    const sent = { transactionId: transaction.id, networkName, evidence: evidence.trim() }
    send.mutate(
      { ...sent, ...order.payload },
      {
        onError: (error) => setProblem(messageOf(error, callFailed.markSent)),
        onSuccess: () => {
          toast({ message: t('send.done', { amount }) })
          onClose()
        },
      },
    )
  }
  return (
    <DialogForm
      submitLabel={t('send.mark')}
      busyLabel={t('send.busy')}
      decides
      busy={send.isPending}
      error={problem}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Text size="sm" c="dimmed">
        {t('send.about', { amount })}
      </Text>
      <div className={cells.receiver}>
        {known && <NetworkBadge network={known} />}
        <span className={cells.address}>
          {transaction.payee?.address ?? transaction.destinationAddress}
        </span>
      </div>
      {!known && (
        <NativeSelect
          label={t('wallets.network')}
          data={[
            { value: '', label: t('addWallet.select') },
            ...networks.map(({ name, displayName }) => ({ value: name, label: displayName })),
          ]}
          value={chosen}
          disabled={send.isPending}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      )}
      <TextInput
        label={t('confirm.evidence')}
        description={t('confirm.evidence.hint')}
        size="md"
        required
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={evidence}
        readOnly={send.isPending}
        onChange={(event) => setEvidence(event.currentTarget.value)}
      />
      <OutOfOrder order={order} busy={send.isPending} />
    </DialogForm>
  )
}
