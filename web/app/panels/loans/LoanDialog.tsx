import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { amountSchema } from '@pool/contract/fields'
import { dayCounts, loanDay, loanPeriods } from '@pool/contract/loanDays'
import { loanPurposes } from '@pool/contract/loans'
import {
  HIGHEST_RATE,
  MOST_INSTALMENTS,
  type TypedTerms,
  termsFrom,
} from '@pool/contract/loanTerms'
import { validation } from '@pool/contract/messages'
import { scheduleKinds } from '@pool/contract/schedules'
import { useBorrowers } from '../../api/borrowers.ts'
import { messageOf } from '../../api/http/errors.ts'
import { useRecordLoan } from '../../api/loans.ts'
import { AmountInput } from '../../forms/AmountInput.tsx'
import { amountRule } from '../../forms/amountRules.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { readDollars } from '../../i18n/dollars.ts'
import { named, t } from '../../i18n/loans.ts'
import { useDraft } from '../../session/drafts.ts'
import { useSessionUser } from '../../session/store.ts'
import { toast } from '../../ui/toasts.ts'
import classes from './Loans.module.css'
import { readRate, today } from './rates.ts'
import { SchedulePreview, ScheduleSummary, useSchedule } from './SchedulePreview.tsx'

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

const isWhole = (value: number, most: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= most

const validAmount = amountRule(amountSchema)
const filled = (text: string): string | null => (text === '' ? t('missing') : null)
const isDay = (text: string): string | null => (loanDay(text) ? null : t('day.missing'))
const isRate = (typed: string): string | null =>
  readRate(typed) <= HIGHEST_RATE ? null : validation.loanRate
const isCount = (typed: string): string | null =>
  isWhole(Number(typed), MOST_INSTALMENTS) ? null : validation.loanInstalments
const isDueDay = (typed: string): string | null =>
  isWhole(Number(typed), 31) ? null : validation.loanDueDay

const known = <const Word extends string>(words: readonly Word[], typed: string): Word =>
  words.find((word) => word === typed) ?? (words[0] as Word)

/** The terms as the call takes them, or null while a field is empty or wrong. */
const typedTerms = (values: Values): TypedTerms | null => {
  const { amount, rate, instalments, dueDay, disburseOn, firstDueOn } = values
  const faults = [validAmount(amount), isRate(rate), isCount(instalments), isDueDay(dueDay)]
  const isWrong = [...faults, isDay(disburseOn), isDay(firstDueOn)].some((fault) => fault !== null)
  if (isWrong) return null
  return {
    amount: readDollars(amount) ?? 0,
    rateBasisPoints: readRate(rate),
    schedule: known(scheduleKinds, values.schedule),
    period: known(loanPeriods, values.period),
    dayCount: known(dayCounts, values.dayCount),
    instalments: Number(instalments),
    dueDay: Number(dueDay),
    disburseOn,
    firstDueOn,
  }
}

/** Refuses typed terms that do not fit together, at the field of the first day. */
const fitting = (values: Values): string | null => {
  const typed = typedTerms(values)
  const terms = typed && termsFrom(typed)
  return typeof terms === 'string' ? t(`problem.${terms}`) : null
}

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
      amount: validAmount,
      rate: isRate,
      instalments: isCount,
      dueDay: isDueDay,
      disburseOn: isDay,
      firstDueOn: (day, values) => isDay(day) ?? fitting(values),
    },
  })
  draft.keep(form.getValues)
  const schedule = useSchedule(typedTerms(form.values))
  const submit = form.onSubmit(({ purpose, ...values }) => {
    const terms = typedTerms({ purpose, ...values })
    if (record.isPending || !terms) return
    record.mutate(
      { ...terms, borrowerId: values.borrowerId, purpose: known(loanPurposes, purpose) },
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
      note={<ScheduleSummary schedule={schedule} />}
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
      <SchedulePreview schedule={schedule} />
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
