import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { formatDollars } from '@pool/contract/base/money'
import { loanPurposes } from '@pool/contract/lending/loans'
import { messageOf } from '../../api/http/errors.ts'
import type { LoanRow } from '../../api/lending/loanList.ts'
import { useRecordLoan } from '../../api/lending/loans.ts'
import { configuration } from '../../configuration.ts'
import { AmountInput } from '../../forms/AmountInput.tsx'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { dollarsText, readDollars } from '../../i18n/dollars.ts'
import { t } from '../../i18n/loans.ts'
import { useDraft } from '../../session/drafts.ts'
import { useSessionUser } from '../../session/store.ts'
import { toast } from '../../ui/toasts.ts'
import { BorrowerField } from './BorrowerField.tsx'
import classes from './Loans.module.css'
import { today } from './rates.ts'
import { SchedulePreview, ScheduleSummary, useSchedule } from './SchedulePreview.tsx'
import { choices, TermsFields } from './TermsFields.tsx'
import {
  dueDayAfter,
  filled,
  isDay,
  known,
  termsRules,
  typedTerms,
  validAmount,
} from './typedTerms.ts'

type Props = {
  /** The borrower that is chosen at first. Empty for none. */
  readonly borrowerId: string
  /** The loan of the same borrower that the new one refinances. */
  readonly refinances?: LoanRow
  readonly opened: boolean
  readonly onClose: () => void
  /** Called with the id of the new loan. */
  readonly onDone: (id: string) => void
}

type FormProps = Omit<Props, 'opened'> & { readonly record: ReturnType<typeof useRecordLoan> }

const emptyFor = (borrowerId: string, refinances?: LoanRow) => ({
  borrowerId,
  purpose: refinances ? 'refinancing' : '',
  amount: refinances?.outstanding ? dollarsText(refinances.outstanding) : '',
  fromInvestors: '',
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

const LoanForm = ({ borrowerId, refinances, record, onClose, onDone }: FormProps) => {
  const draft = useDraft(
    refinances ? `refinance ${refinances.id}` : 'loan',
    useSessionUser()?.id ?? '',
    emptyFor(borrowerId, refinances),
  )
  const form = useForm({
    initialValues: draft.initial,
    validate: {
      borrowerId: filled,
      purpose: filled,
      amount: validAmount,
      fromInvestors: (typed) => (typed.trim() === '' ? null : validAmount(typed)),
      disburseOn: isDay,
      ...termsRules<Values>((values) => values),
    },
  })
  draft.keep(form.getValues)
  const schedule = useSchedule(typedTerms(form.values))
  const submit = form.onSubmit(({ purpose, ...values }) => {
    const terms = typedTerms(values)
    const ofInvestors = readDollars(values.fromInvestors)
    if (record.isPending || !terms) return
    record.mutate(
      {
        ...terms,
        borrowerId: values.borrowerId,
        purpose: known(loanPurposes, purpose),
        ...(refinances && { refinancesId: refinances.id }),
        ...(ofInvestors !== null && { fromInvestors: ofInvestors }),
      },
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
  const setFirst = (day: string) => {
    form.setFieldValue('dueDay', dueDayAfter(form.values, day))
    form.setFieldValue('firstDueOn', day)
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
      {refinances && (
        <p>
          {t('refinance.text', {
            amount: formatDollars(refinances.amount ?? 0),
            outstanding: formatDollars(refinances.outstanding ?? 0),
          })}
        </p>
      )}
      {refinances ? (
        <NativeSelect
          data-autofocus
          data={[{ value: refinances.borrowerId, label: refinances.borrower }]}
          {...field('borrowerId')}
        />
      ) : (
        <BorrowerField {...field('borrowerId')} />
      )}
      <NativeSelect
        data={[{ value: '', label: t('choose') }, ...choices('purpose', loanPurposes)]}
        {...field('purpose')}
      />
      <div className={classes.pair}>
        <AmountInput {...field('amount')} size="sm" data-autofocus={undefined} />
        <TextInput inputMode="decimal" placeholder="12.5" rightSection="%" {...field('rate')} />
      </div>
      {configuration().lendPrincipal !== '' && (
        <AmountInput
          {...field('fromInvestors')}
          description={t('loan.fromInvestors.text')}
          size="sm"
          data-autofocus={undefined}
        />
      )}
      <TermsFields field={field} period={form.values.period} onFirst={setFirst}>
        <TextInput type="date" {...field('disburseOn')} />
      </TermsFields>
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
    <Dialog
      title={t(form.refinances ? 'refinance.title' : 'loan.title')}
      opened={opened}
      onClose={close}
      busy={record.isPending}
    >
      <LoanForm {...form} record={record} onClose={close} />
    </Dialog>
  )
}
