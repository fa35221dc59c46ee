import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type Cents, cents, dollarsFromCents, formatDollars } from '@pool/contract/base/money'
import { loanDay } from '@pool/contract/lending/loanDays'
import { messageOf } from '../../../api/http/errors.ts'
import { type ShownLoan, useRepay } from '../../../api/lending/loans.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/loans.ts'
import { Day } from '../../../panels/loans/Day.tsx'
import { today } from '../../../panels/loans/rates.ts'
import { TakesTwo } from '../../../panels/loans/TakesTwo.tsx'
import { filled } from '../../../panels/loans/typedTerms.ts'
import { useDraft } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { toast } from '../../../ui/toasts.ts'
import classes from './OneLoan.module.css'
import { lastPaidOn, payoffOn } from './owed.ts'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

type FormProps = Pick<Props, 'story' | 'onClose'> & { readonly repay: ReturnType<typeof useRepay> }

const textOf = (amount: Cents): string => formatDollars(dollarsFromCents(amount))

const PayOffForm = ({ story, repay, onClose }: FormProps) => {
  const { loan } = story
  const draft = useDraft(`payOff ${loan.id}`, useSessionUser()?.id ?? '', {
    valueOn: today(),
    reference: '',
  })
  const dayFault = (day: string): string | null => {
    if (!loanDay(day)) return t('day.missing')
    if (day > today()) return t('day.future')
    if (day < (loan.disburseOn ?? '')) return t('repay.early')
    return day < lastPaidOn(story) ? t('payOff.early') : null
  }
  const form = useForm({
    initialValues: draft.initial,
    validate: { valueOn: dayFault, reference: filled },
  })
  draft.keep(form.getValues)
  const { valueOn } = form.values
  const whole = dayFault(valueOn) === null ? payoffOn(story, valueOn) : null
  const sum = whole && cents(whole.principal + whole.interest)
  const submit = form.onSubmit(({ reference }) => {
    if (repay.isPending || !sum) return
    repay.mutate(
      {
        id: loan.id,
        amount: dollarsFromCents(sum),
        valueOn,
        inFull: true,
        reference: reference.trim(),
      },
      {
        onSuccess: (proposalId) => {
          toast({
            message:
              proposalId === null ? t('payOff.done', { amount: textOf(sum) }) : t('takesTwo.asked'),
          })
          onClose()
        },
      },
    )
  })
  const field = (name: keyof typeof form.values) => ({
    label: t(`repay.${name}`),
    autoComplete: 'off',
    readOnly: repay.isPending,
    ...form.getInputProps(name),
  })
  return (
    <DialogForm
      submitLabel={sum ? t('payOff.submit', { amount: textOf(sum) }) : t('repay.submit')}
      busyLabel={t('saving')}
      busy={repay.isPending}
      decides
      error={repay.error && messageOf(repay.error, t('repay.failed'))}
      note={
        whole && (
          <>
            <p role="status">
              {t('payOff.split', {
                interest: textOf(whole.interest),
                principal: textOf(whole.principal),
              })}
            </p>
            <TakesTwo amount={sum ? dollarsFromCents(sum) : null} valueOn={valueOn} />
          </>
        )
      }
      onSubmit={submit}
      onCancel={onClose}
    >
      {sum && (
        <p className={classes.sum}>
          <strong>{textOf(sum)}</strong> {t('payOff.on')} <Day on={valueOn} />
        </p>
      )}
      <p className={classes.muted}>{t('payOff.text')}</p>
      <TextInput type="date" data-autofocus {...field('valueOn')} />
      <TextInput description={t('repay.reference.hint')} maxLength={200} {...field('reference')} />
    </DialogForm>
  )
}

/** Ends a loan by one payment, whose amount is told before the press (docs/product.md 5.28). */
export const PayOffDialog = ({ story, opened, onClose }: Props) => {
  const repay = useRepay(t('repay.failed'))
  const close = () => {
    repay.reset()
    onClose()
  }
  return (
    <Dialog title={t('payOff')} opened={opened} onClose={close} busy={repay.isPending}>
      <PayOffForm story={story} repay={repay} onClose={close} />
    </Dialog>
  )
}
