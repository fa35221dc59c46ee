import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { amountSchema } from '@pool/contract/fields'
import { dayCounts, loanDay, loanPeriods } from '@pool/contract/loanDays'
import { loanPurposes } from '@pool/contract/loans'
import { type TypedTerms, termsFrom, termsSchema, termsShape } from '@pool/contract/loanTerms'
import { validation } from '@pool/contract/messages'
import { scheduleKinds } from '@pool/contract/schedules'
import { useBorrowers } from '../../api/borrowers.ts'
import { messageOf } from '../../api/http/errors.ts'
import { useRecordLoan } from '../../api/loans.ts'
import { AmountInput } from '../../forms/AmountInput.tsx'
import { amountRule } from '../../forms/amountRules.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { rule } from '../../forms/rule.ts'
import { readDollars } from '../../i18n/dollars.ts'
import { named, t } from '../../i18n/loans.ts'
import { useDraft } from '../../session/drafts.ts'
import { useSessionUser } from '../../session/store.ts'
import { toast } from '../../ui/toasts.ts'
import classes from './Loans.module.css'
import { readRate, today } from './rates.ts'
import { SchedulePreview } from './SchedulePreview.tsx'

type Props = {
  /** The borrower that is chosen at first. Empty for none. */
  readonly borrowerId: string
  readonly opened: boolean
  readonly onClose: () => void
  /** Called with the id of the new loan. */
  readonly onDone: (id: string) => void
}

type FormProps = Omit<Props, 'opened'> & { readonly record: ReturnType<typeof useRecordLoan> }

const emptyFor = (borrowerId: string) => ({
  borrowerId,
  purpose: '',
  amount: '',
  rate: '',
  schedule: 'annuity',
  period: 'monthly',
  dayCount: 'act365',
  instalments: '12',
  disburseOn: today(),
  firstDueOn: '',
  dueDay: '',
})
type Values = ReturnType<typeof emptyFor>

/** The terms as the call takes them, or null while a field is empty or wrong. */
const typedTerms = (values: Values): TypedTerms | null => {
  const read = termsSchema.safeParse({
    ...values,
    amount: readDollars(values.amount),
    rateBasisPoints: readRate(values.rate),
    instalments: Number(values.instalments),
    dueDay: Number(values.dueDay),
  })
  return read.data ?? null
}

/** Refuses typed terms that do not fit together, at the field of the first day. */
const fitting = (values: Values): string | null => {
  const typed = typedTerms(values)
  const terms = typed && termsFrom(typed)
  return typeof terms === 'string' ? t(`problem.${terms}`) : null
}

const whole =
  (isValid: (value: unknown) => string | null) =>
  (typed: string): string | null =>
    isValid(typed.trim() === '' ? Number.NaN : Number(typed))

const filled = (text: string): string | null => (text === '' ? t('missing') : null)
const isDay = (text: string): string | null => (loanDay(text) ? null : t('day.missing'))
const isRate = rule(termsShape.rateBasisPoints)

const choices = (
  group: 'purpose' | 'schedule' | 'period' | 'dayCount',
  values: readonly string[],
) => values.map((value) => ({ value, label: named(group, value) }))

/** The day of the month of a day in ISO text, without a zero before it. */
const dateOf = (day: string): string => (loanDay(day) ? String(Number(day.slice(8))) : '')

const LoanForm = ({ borrowerId, record, onClose, onDone }: FormProps) => {
  const draft = useDraft('loan', useSessionUser()?.id ?? '', emptyFor(borrowerId))
  const { data: borrowers = [], isError } = useBorrowers(t('borrowers.failed'))
  const form = useForm({
    initialValues: draft.initial,
    validate: {
      borrowerId: filled,
      purpose: filled,
      amount: amountRule(amountSchema),
      rate: (typed) =>
        Number.isNaN(readRate(typed)) ? validation.loanRate : isRate(readRate(typed)),
      instalments: whole(rule(termsShape.instalments)),
      dueDay: whole(rule(termsShape.dueDay)),
      disburseOn: isDay,
      firstDueOn: (day, values) => isDay(day) ?? fitting(values),
    },
  })
  draft.keep(form.getValues)
  const typed = typedTerms(form.values)
  const submit = form.onSubmit(({ purpose, ...values }) => {
    const terms = typedTerms({ purpose, ...values })
    const known = loanPurposes.find((each) => each === purpose)
    if (record.isPending || !terms || !known) return
    record.mutate(
      { ...terms, borrowerId: values.borrowerId, purpose: known },
      {
        onSuccess: (id) => {
          toast({ message: t('loan.done') })
          onDone(id)
        },
      },
    )
  })
  const busy = record.isPending
  const field = (name: keyof Values) => ({
    label: t(`loan.${name}`),
    autoComplete: 'off',
    readOnly: busy,
    ...form.getInputProps(name),
  })
  /** The due day follows the first one, until another is typed. */
  const setFirst = (day: string) => {
    const { dueDay, firstDueOn } = form.values
    form.setFieldValue('firstDueOn', day)
    if (dueDay === '' || dueDay === dateOf(firstDueOn)) form.setFieldValue('dueDay', dateOf(day))
  }
  return (
    <DialogForm
      submitLabel={t('loan.submit')}
      busyLabel={t('saving')}
      busy={busy}
      error={record.error && messageOf(record.error, t('loan.failed'))}
      onSubmit={submit}
      onCancel={onClose}
    >
      <NativeSelect
        data-autofocus
        description={isError ? t('borrowers.failed') : undefined}
        data={[
          { value: '', label: t('choose') },
          ...borrowers.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...field('borrowerId')}
      />
      <NativeSelect
        data={[{ value: '', label: t('choose') }, ...choices('purpose', loanPurposes)]}
        {...field('purpose')}
      />
      <div className={classes.pair}>
        <AmountInput {...field('amount')} size="sm" data-autofocus={undefined} />
        <TextInput inputMode="decimal" placeholder="12.5" rightSection="%" {...field('rate')} />
      </div>
      <NativeSelect data={choices('schedule', scheduleKinds)} {...field('schedule')} />
      <div className={classes.pair}>
        <TextInput inputMode="numeric" {...field('instalments')} />
        <NativeSelect data={choices('period', loanPeriods)} {...field('period')} />
      </div>
      <div className={classes.pair}>
        <TextInput type="date" {...field('disburseOn')} />
        <TextInput
          type="date"
          {...field('firstDueOn')}
          onChange={(event) => setFirst(event.currentTarget.value)}
        />
      </div>
      <div className={classes.pair}>
        <TextInput
          inputMode="numeric"
          {...field('dueDay')}
          disabled={form.values.period === 'weekly'}
        />
        <NativeSelect data={choices('dayCount', dayCounts)} {...field('dayCount')} />
      </div>
      <SchedulePreview typed={typed} />
    </DialogForm>
  )
}

/** Records an application, and shows its schedule while it is typed (docs/product.md 5.26). */
export const LoanDialog = ({ opened, onClose, ...form }: Props) => {
  const record = useRecordLoan(t('loan.failed'))
  const close = () => {
    record.reset()
    onClose()
  }
  return (
    <Dialog title={t('loan.title')} opened={opened} onClose={close} busy={record.isPending}>
      <LoanForm {...form} record={record} onClose={close} />
    </Dialog>
  )
}
