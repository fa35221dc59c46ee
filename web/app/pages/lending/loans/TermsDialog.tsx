import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { LONGEST_TEXT } from '@pool/contract/base/fields'
import { dollarsFromCents, formatDollars } from '@pool/contract/base/money'
import { messageOf } from '../../../api/http/errors.ts'
import { type ShownLoan, useAskTerms } from '../../../api/lending/loans.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { dollarsText } from '../../../i18n/dollars.ts'
import { t } from '../../../i18n/loans.ts'
import { rateTyped, today } from '../../../panels/loans/rates.ts'
import {
  SchedulePreview,
  ScheduleSummary,
  useSchedule,
} from '../../../panels/loans/SchedulePreview.tsx'
import { TermsFields } from '../../../panels/loans/TermsFields.tsx'
import { dueDayAfter, termsRules, typedTerms } from '../../../panels/loans/typedTerms.ts'
import { useDraft } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { toast } from '../../../ui/toasts.ts'
import { payoffOn, startAsOn } from './owed.ts'

type Props = {
  readonly story: ShownLoan
  readonly opened: boolean
  readonly onClose: () => void
}

type FormProps = Pick<Props, 'story' | 'onClose'> & { readonly ask: ReturnType<typeof useAskTerms> }

/** The form begins with the terms in force, without the days. */
const emptyFor = ({ loan, restructurings }: ShownLoan) => {
  const { rateBasisPoints, schedule, period, dayCount } = restructurings.at(-1) ?? loan
  return {
    rate: rateTyped(rateBasisPoints ?? 0),
    schedule,
    period,
    dayCount,
    instalments: '12',
    firstDueOn: '',
    dueDay: '',
    reason: '',
    isDistressed: false,
  }
}
type Values = ReturnType<typeof emptyFor>

const TermsForm = ({ story, ask, onClose }: FormProps) => {
  const { loan } = story
  const owed = loan.outstanding ?? 0
  const wholeOf = (values: Values) => ({
    ...values,
    amount: dollarsText(owed),
    disburseOn: today(),
  })
  const draft = useDraft(`newTerms ${loan.id}`, useSessionUser()?.id ?? '', emptyFor(story))
  const form = useForm({
    initialValues: draft.initial,
    validate: {
      ...termsRules<Values>(wholeOf),
      reason: (reason) => (reason.trim() === '' ? t('reason.missing') : null),
    },
  })
  draft.keep(form.getValues)
  const schedule = useSchedule(typedTerms(wholeOf(form.values)), startAsOn(story, today()))
  const { interest } = payoffOn(story, today())
  const submit = form.onSubmit((values) => {
    const typed = typedTerms(wholeOf(values))
    if (ask.isPending || !typed) return
    const { amount: _, disburseOn: __, ...terms } = typed
    const { reason, isDistressed } = values
    ask.mutate(
      { id: loan.id, reason: reason.trim(), isDistressed, ...terms },
      {
        onSuccess: () => {
          toast({ message: t('newTerms.done') })
          onClose()
        },
      },
    )
  })
  const busy = ask.isPending
  const field = (name: Exclude<keyof Values, 'reason' | 'isDistressed'>) => ({
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
      submitLabel={t('newTerms.submit')}
      busyLabel={t('asking')}
      busy={busy}
      error={ask.error && messageOf(ask.error, t('newTerms.failed'))}
      note={<ScheduleSummary schedule={schedule} />}
      onSubmit={submit}
      onCancel={onClose}
    >
      <p>
        {t('newTerms.text', {
          outstanding: formatDollars(owed),
          interest: formatDollars(dollarsFromCents(interest)),
        })}
      </p>
      <TermsFields field={field} period={form.values.period} onFirst={setFirst}>
        <TextInput
          inputMode="decimal"
          data-autofocus
          placeholder="12.5"
          rightSection="%"
          {...field('rate')}
        />
      </TermsFields>
      <SchedulePreview schedule={schedule} carried={interest} />
      <Checkbox
        label={t('newTerms.isDistressed')}
        disabled={busy}
        {...form.getInputProps('isDistressed', { type: 'checkbox' })}
      />
      <Textarea
        label={t('reason')}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={LONGEST_TEXT}
        readOnly={busy}
        {...form.getInputProps('reason')}
      />
    </DialogForm>
  )
}

/** Asks for new terms, as the first of two. Shows their schedule while they are typed. */
export const TermsDialog = ({ story, opened, onClose }: Props) => {
  const ask = useAskTerms(t('newTerms.failed'))
  const close = () => {
    ask.reset()
    onClose()
  }
  return (
    <Dialog title={t('newTerms')} opened={opened} onClose={close} busy={ask.isPending}>
      <TermsForm story={story} ask={ask} onClose={close} />
    </Dialog>
  )
}
