import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { networks } from '@pool/contract/base/networks'
import { loanDay } from '@pool/contract/lending/loanDays'
import { messageOf } from '../../../api/http/errors.ts'
import { type ShownLoan, useAskDisbursement, useAskSending } from '../../../api/lending/loans.ts'
import { configuration } from '../../../configuration.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/loans.ts'
import { today } from '../../../panels/loans/rates.ts'
import { useDraft } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'
import { toast } from '../../../ui/toasts.ts'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

type FormProps = Pick<Props, 'story' | 'onClose'> & {
  readonly disburse: ReturnType<typeof useAskDisbursement>
  readonly send: ReturnType<typeof useAskSending>
}

const filled = (text: string): string | null => (text.trim() === '' ? t('missing') : null)

/** True for a network that a node follows: a batch pays there, and nothing by hand. */
const isFollowed = (network: string): boolean => configuration().chains.split(',').includes(network)

const DisburseForm = ({ story: { loan }, disburse, send, onClose }: FormProps) => {
  const text = useDollarText()
  const draft = useDraft(`disburse ${loan.id}`, useSessionUser()?.id ?? '', {
    networkName: '',
    address: '',
    evidence: '',
    disbursedOn: today(),
  })
  const form = useForm({
    initialValues: draft.initial,
    validate: {
      networkName: filled,
      address: (text, { networkName }) => (isFollowed(networkName) ? filled(text) : null),
      evidence: (text, { networkName }) => (isFollowed(networkName) ? null : filled(text)),
      disbursedOn: (day, { networkName }) => {
        if (isFollowed(networkName)) return null
        if (!loanDay(day)) return t('day.missing')
        if (day > today()) return t('day.future')
        return day < (loan.firstDueOn ?? '9') ? null : t('disburse.late')
      },
    },
  })
  draft.keep(form.getValues)
  const busy = disburse.isPending || send.isPending
  const submit = form.onSubmit(({ networkName, address, evidence, disbursedOn }) => {
    if (busy) return
    const onSuccess = () => {
      toast({ message: t(isFollowed(networkName) ? 'send.done' : 'disburse.done') })
      onClose()
    }
    const asked = { id: loan.id, networkName }
    if (isFollowed(networkName)) send.mutate({ ...asked, address: address.trim() }, { onSuccess })
    else disburse.mutate({ ...asked, evidence: evidence.trim(), disbursedOn }, { onSuccess })
  })
  const field = (name: keyof typeof form.values) => ({
    label: t(`disburse.${name}`),
    autoComplete: 'off',
    readOnly: busy,
    ...form.getInputProps(name),
  })
  const { networkName } = form.values
  const bySending = isFollowed(networkName)
  const error = bySending ? send.error : disburse.error
  const values = { amount: loan.amount === null ? '' : text(loan.amount), borrower: loan.borrower }
  return (
    <DialogForm
      submitLabel={t(bySending ? 'send.submit' : 'disburse.submit')}
      busyLabel={t('asking')}
      busy={busy}
      error={error && messageOf(error, t('disburse.failed'))}
      onSubmit={submit}
      onCancel={onClose}
    >
      <NativeSelect
        data-autofocus
        data={[
          { value: '', label: t('choose') },
          ...networks.map(({ name, displayName }) => ({ value: name, label: displayName })),
        ]}
        {...field('networkName')}
      />
      {networkName !== '' && <p>{t(bySending ? 'send.text' : 'disburse.text', values)}</p>}
      {bySending && (
        <TextInput
          description={t('send.address.hint')}
          maxLength={200}
          spellCheck={false}
          {...field('address')}
        />
      )}
      {networkName !== '' && !bySending && (
        <>
          <TextInput
            description={t('disburse.evidence.hint')}
            maxLength={200}
            spellCheck={false}
            {...field('evidence')}
          />
          <TextInput
            type="date"
            description={t('disburse.disbursedOn.hint')}
            {...field('disbursedOn')}
          />
        </>
      )}
    </DialogForm>
  )
}

/**
 * Pays a loan out, as the first of two: names the address that a batch pays to where a node follows
 * the network, or the transaction that paid it by hand.
 */
export const DisburseDialog = ({ story, opened, onClose }: Props) => {
  const disburse = useAskDisbursement(t('disburse.failed'))
  const send = useAskSending(t('disburse.failed'))
  const close = () => {
    disburse.reset()
    send.reset()
    onClose()
  }
  const busy = disburse.isPending || send.isPending
  return (
    <Dialog title={t('disburse.title')} opened={opened} onClose={close} busy={busy}>
      <DisburseForm story={story} disburse={disburse} send={send} onClose={close} />
    </Dialog>
  )
}
