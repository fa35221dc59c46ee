import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import {
  type Cents,
  centsFromDollars,
  dollarsFromCents,
  formatDollars,
} from '@pool/contract/base/money'
import { loanDay } from '@pool/contract/lending/loanDays'
import { type Owed, splitOf } from '@pool/contract/lending/repayments'
import { messageOf } from '../../../api/http/errors.ts'
import { type ShownLoan, useRepay } from '../../../api/lending/loans.ts'
import { AmountInput } from '../../../forms/AmountInput.tsx'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { dollarsText, readDollars } from '../../../i18n/dollars.ts'
import { t } from '../../../i18n/loans.ts'
import { today } from '../../../panels/loans/rates.ts'
import { TakesTwo } from '../../../panels/loans/TakesTwo.tsx'
import { filled, validAmount } from '../../../panels/loans/typedTerms.ts'
import { useDraft } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { toast } from '../../../ui/toasts.ts'
import classes from './OneLoan.module.css'
import { dueBy, mostOf, owedBy } from './owed.ts'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

type FormProps = Pick<Props, 'story' | 'onClose'> & { readonly repay: ReturnType<typeof useRepay> }

const textOf = (amount: Cents): string => formatDollars(dollarsFromCents(amount))

/** The split of the typed amount, before it is sent. */
const Split = ({ owed, typed }: { readonly owed: readonly Owed[]; readonly typed: string }) => {
  if (validAmount(typed) !== null) return <p className={classes.muted}>{t('split.none')}</p>
  const split = splitOf(owed, centsFromDollars(readDollars(typed) ?? 0))
  return (
    <p role="status">
      {t('split', {
        interest: textOf(split.interest),
        principal: textOf(split.principal),
        numbers: split.parts.map(({ number }) => `#${number}`).join(', '),
      })}
    </p>
  )
}

const RepayForm = ({ story, repay, onClose }: FormProps) => {
  // Long: its fields and offers read the values of one form.
  const { loan } = story
  const owed = owedBy(story)
  const isDefault = loan.status === 'DEFAULTED'
  const draft = useDraft(`repay ${loan.id}`, useSessionUser()?.id ?? '', {
    amount: '',
    valueOn: today(),
    reference: '',
  })
  const above = (typed: string, valueOn: string): string | null => {
    const most = dollarsFromCents(mostOf(story, valueOn, today()))
    return (readDollars(typed) ?? 0) > most
      ? t(isDefault ? 'repay.tooMuch.default' : 'repay.tooMuch', { most: formatDollars(most) })
      : null
  }
  const form = useForm({
    initialValues: draft.initial,
    validate: {
      amount: (typed, { valueOn }) => validAmount(typed) ?? above(typed, valueOn),
      valueOn: (day) => {
        if (!loanDay(day)) return t('day.missing')
        if (day > today()) return t('day.future')
        return day < (loan.disburseOn ?? '') ? t('repay.early') : null
      },
      reference: filled,
    },
  })
  draft.keep(form.getValues)
  const { valueOn } = form.values
  const submit = form.onSubmit(({ amount: typed, reference, ...values }) => {
    const amount = readDollars(typed)
    if (repay.isPending || amount === undefined) return
    repay.mutate(
      { id: loan.id, amount, reference: reference.trim(), ...values },
      {
        onSuccess: (proposalId) => {
          toast({
            message:
              proposalId === null
                ? t('repay.done', { amount: formatDollars(amount) })
                : t('takesTwo.asked'),
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
  const most = mostOf(story, valueOn, today())
  const offers = isDefault
    ? ([{ name: 'all', amount: most }] as const)
    : ([
        { name: 'due', amount: dueBy(owed, valueOn) },
        { name: 'next', amount: most },
      ] as const)
  return (
    <DialogForm
      submitLabel={t('repay.submit')}
      busyLabel={t('saving')}
      busy={repay.isPending}
      decides
      error={repay.error && messageOf(repay.error, t('repay.failed'))}
      note={
        <>
          <Split owed={owed} typed={form.values.amount} />
          <TakesTwo amount={readDollars(form.values.amount) ?? null} valueOn={valueOn} />
        </>
      }
      onSubmit={submit}
      onCancel={onClose}
    >
      {isDefault && <p className={classes.muted}>{t('repay.default')}</p>}
      <AmountInput {...field('amount')} />
      <fieldset className={classes.offers} aria-label={t('repay.offers')}>
        {offers
          .filter(({ amount }, at) => amount > 0n && amount !== offers[at - 1]?.amount)
          .map(({ name, amount }) => (
            <Button
              key={name}
              size="compact-sm"
              variant="default"
              onClick={() => form.setFieldValue('amount', dollarsText(dollarsFromCents(amount)))}
            >
              {t(`repay.offer.${name}`, { amount: textOf(amount) })}
            </Button>
          ))}
      </fieldset>
      <TextInput type="date" {...field('valueOn')} />
      <TextInput description={t('repay.reference.hint')} maxLength={200} {...field('reference')} />
    </DialogForm>
  )
}

/** Records a repayment. Its split is shown before it is sent (docs/product.md 5.26). */
export const RepayDialog = ({ story, opened, onClose }: Props) => {
  const repay = useRepay(t('repay.failed'))
  const close = () => {
    repay.reset()
    onClose()
  }
  return (
    <Dialog title={t('repay.title')} opened={opened} onClose={close} busy={repay.isPending}>
      <RepayForm story={story} repay={repay} onClose={close} />
    </Dialog>
  )
}
