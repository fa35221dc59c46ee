import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { cents, centsFromDollars, dollarsFromCents, formatDollars } from '@pool/contract/base/money'
import { loanDay } from '@pool/contract/lending/loanDays'
import { messageOf } from '../../../api/http/errors.ts'
import { type ShownLoan, useAskRecovery } from '../../../api/lending/loans.ts'
import { AmountInput } from '../../../forms/AmountInput.tsx'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { dollarsText, readDollars } from '../../../i18n/dollars.ts'
import { t } from '../../../i18n/loans.ts'
import { today } from '../../../panels/loans/rates.ts'
import { filled, validAmount } from '../../../panels/loans/typedTerms.ts'
import { useDraft } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { toast } from '../../../ui/toasts.ts'
import classes from './OneLoan.module.css'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

type FormProps = Pick<Props, 'story' | 'onClose'> & {
  readonly recover: ReturnType<typeof useAskRecovery>
}

const RecoverForm = ({ story: { loan }, recover, onClose }: FormProps) => {
  const draft = useDraft(`recover ${loan.id}`, useSessionUser()?.id ?? '', {
    amount: '',
    valueOn: today(),
    reference: '',
  })
  const left = dollarsFromCents(
    cents(centsFromDollars(loan.writtenOff) - centsFromDollars(loan.recovered)),
  )
  const form = useForm({
    initialValues: draft.initial,
    validate: {
      amount: (typed) =>
        validAmount(typed) ??
        ((readDollars(typed) ?? 0) > left
          ? t('recover.tooMuch', { most: formatDollars(left) })
          : null),
      valueOn: (day) => {
        if (!loanDay(day)) return t('day.missing')
        if (day > today()) return t('day.future')
        return day < (loan.defaultedOn ?? '') ? t('recover.early') : null
      },
      reference: filled,
    },
  })
  draft.keep(form.getValues)
  const submit = form.onSubmit(({ amount: typed, reference, valueOn }) => {
    const amount = readDollars(typed)
    if (recover.isPending || amount === undefined) return
    recover.mutate(
      { id: loan.id, amount, valueOn, reference: reference.trim() },
      {
        onSuccess: () => {
          toast({ message: t('recover.done') })
          onClose()
        },
      },
    )
  })
  const field = (name: keyof typeof form.values) => ({
    label: t(`repay.${name}`),
    autoComplete: 'off',
    readOnly: recover.isPending,
    ...form.getInputProps(name),
  })
  return (
    <DialogForm
      submitLabel={t('recover.submit')}
      busyLabel={t('asking')}
      busy={recover.isPending}
      error={recover.error && messageOf(recover.error, t('recover.failed'))}
      note={<p className={classes.muted}>{t('recover.note')}</p>}
      onSubmit={submit}
      onCancel={onClose}
    >
      <AmountInput {...field('amount')} />
      <fieldset className={classes.offers} aria-label={t('repay.offers')}>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => form.setFieldValue('amount', dollarsText(left))}
        >
          {t('recover.offer', { amount: formatDollars(left) })}
        </Button>
      </fieldset>
      <TextInput type="date" {...field('valueOn')} />
      <TextInput description={t('repay.reference.hint')} maxLength={200} {...field('reference')} />
    </DialogForm>
  )
}

/** Says what came back of a lost loan, as the first of two (docs/product.md 5.28). */
export const RecoverDialog = ({ story, opened, onClose }: Props) => {
  const recover = useAskRecovery(t('recover.failed'))
  const close = () => {
    recover.reset()
    onClose()
  }
  return (
    <Dialog title={t('recover')} opened={opened} onClose={close} busy={recover.isPending}>
      <RecoverForm story={story} recover={recover} onClose={close} />
    </Dialog>
  )
}
