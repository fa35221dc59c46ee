import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { loanDay } from '@pool/contract/loanDays'
import { networks } from '@pool/contract/networks'
import { messageOf } from '../../api/http/errors.ts'
import { type ShownLoan, useAskDisbursement } from '../../api/loans.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { t } from '../../i18n/loans.ts'
import { today } from '../../panels/loans/rates.ts'
import { useDraft } from '../../session/drafts.ts'
import { useSessionUser } from '../../session/store.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import { toast } from '../../ui/toasts.ts'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

type FormProps = Pick<Props, 'story' | 'onClose'> & {
  readonly ask: ReturnType<typeof useAskDisbursement>
}

const filled = (text: string): string | null => (text.trim() === '' ? t('missing') : null)

const DisburseForm = ({ story: { loan }, ask, onClose }: FormProps) => {
  const text = useDollarText()
  const draft = useDraft(`disburse ${loan.id}`, useSessionUser()?.id ?? '', {
    networkName: '',
    evidence: '',
    disbursedOn: today(),
  })
  const form = useForm({
    initialValues: draft.initial,
    validate: {
      networkName: filled,
      evidence: filled,
      disbursedOn: (day) => {
        if (!loanDay(day)) return t('day.missing')
        if (day > today()) return t('day.future')
        return day < (loan.firstDueOn ?? '9') ? null : t('disburse.late')
      },
    },
  })
  draft.keep(form.getValues)
  const submit = form.onSubmit((values) => {
    if (ask.isPending) return
    ask.mutate(
      { id: loan.id, ...values, evidence: values.evidence.trim() },
      {
        onSuccess: () => {
          toast({ message: t('disburse.done') })
          onClose()
        },
      },
    )
  })
  const field = (name: keyof typeof form.values) => ({
    label: t(`disburse.${name}`),
    autoComplete: 'off',
    readOnly: ask.isPending,
    ...form.getInputProps(name),
  })
  return (
    <DialogForm
      submitLabel={t('disburse.submit')}
      busyLabel={t('asking')}
      busy={ask.isPending}
      error={ask.error && messageOf(ask.error, t('disburse.failed'))}
      onSubmit={submit}
      onCancel={onClose}
    >
      <p>
        {t('disburse.text', {
          amount: loan.amount === null ? '' : text(loan.amount),
          borrower: loan.borrower,
        })}
      </p>
      <NativeSelect
        data-autofocus
        data={[
          { value: '', label: t('choose') },
          ...networks.map(({ name, displayName }) => ({ value: name, label: displayName })),
        ]}
        {...field('networkName')}
      />
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
    </DialogForm>
  )
}

/** Names the transaction that paid a loan out, as the first of two. */
export const DisburseDialog = ({ story, opened, onClose }: Props) => {
  const ask = useAskDisbursement(t('disburse.failed'))
  const close = () => {
    ask.reset()
    onClose()
  }
  return (
    <Dialog title={t('disburse.title')} opened={opened} onClose={close} busy={ask.isPending}>
      <DisburseForm story={story} ask={ask} onClose={close} />
    </Dialog>
  )
}
