import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { countrySchema, emailSchema, LONGEST_TEXT } from '@pool/contract/base/fields'
import { borrowerKinds, grades, relations } from '@pool/contract/lending/borrowers'
import { messageOf } from '../../api/http/errors.ts'
import {
  type ShownBorrower,
  useCorrectBorrower,
  useRecordBorrower,
} from '../../api/lending/borrowers.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { rule } from '../../forms/rule.ts'
import { named, t } from '../../i18n/loans.ts'
import { useDraft } from '../../session/drafts.ts'
import { useSessionUser } from '../../session/store.ts'
import { toast } from '../../ui/toasts.ts'
import classes from './Loans.module.css'

type Props = {
  /** The borrower whose record is corrected. Without one a new one is recorded. */
  readonly corrects?: ShownBorrower
  readonly opened: boolean
  readonly onClose: () => void
  /** Called with the id of the borrower. */
  readonly onDone: (id: string) => void
}

type FormProps = Omit<Props, 'opened'> & {
  readonly record: ReturnType<typeof useRecordBorrower>
  readonly correct: ReturnType<typeof useCorrectBorrower>
}

const empty = {
  name: '',
  country: '',
  kind: 'person',
  relation: 'none',
  userEmail: '',
  grade: '',
  gradeReason: '',
  reason: '',
}

const valuesOf = ({
  name,
  country,
  kind,
  relation,
  userEmail,
  grade,
  gradeReason,
}: ShownBorrower) => ({
  name,
  country,
  kind,
  relation,
  grade,
  gradeReason,
  userEmail: userEmail ?? '',
  reason: '',
})

const filled = (text: string): string | null => (text.trim() === '' ? t('missing') : null)
const isEmail = rule(emailSchema)

const choices = (group: 'kind' | 'relation', values: readonly string[]) =>
  values.map((value) => ({ value, label: named(group, value) }))

const BorrowerForm = ({ corrects, record, correct, onClose, onDone }: FormProps) => {
  const draft = useDraft(
    corrects ? `correct ${corrects.id}` : 'borrower',
    useSessionUser()?.id ?? '',
    corrects ? valuesOf(corrects) : empty,
  )
  const form = useForm({
    initialValues: draft.initial,
    validate: {
      name: filled,
      country: rule(countrySchema),
      userEmail: (email, { relation }) => {
        if (email.trim() !== '') return isEmail(email.trim())
        return relation === 'staff' ? t('borrower.userEmail.missing') : null
      },
      grade: filled,
      gradeReason: (reason) => (reason.trim() === '' ? t('reason.missing') : null),
      reason: (reason) => (corrects && reason.trim() === '' ? t('reason.missing') : null),
    },
  })
  draft.keep(form.getValues)
  const { isPending: busy, error } = corrects ? correct : record
  const words = corrects ? 'correct' : 'borrower'
  const submit = form.onSubmit(({ kind, relation, grade, userEmail, reason, ...values }) => {
    if (busy) return
    const facts = {
      ...values,
      kind: borrowerKinds.find((each) => each === kind) ?? 'person',
      relation: relations.find((each) => each === relation) ?? 'none',
      grade: grades.find((each) => each === grade) ?? 'E',
      ...(userEmail.trim() !== '' && { userEmail: userEmail.trim() }),
    }
    const onSuccess = (id: string) => {
      toast({ message: t(`${words}.done`) })
      onDone(id)
    }
    if (corrects)
      correct.mutate({ id: corrects.id, reason: reason.trim(), ...facts }, { onSuccess })
    else record.mutate(facts, { onSuccess })
  })
  const field = (name: keyof typeof empty) => ({
    label: name === 'reason' ? t('correct.reason') : t(`borrower.${name}`),
    autoComplete: 'off',
    readOnly: busy,
    ...form.getInputProps(name),
  })
  return (
    <DialogForm
      submitLabel={t(`${words}.submit`)}
      busyLabel={t('saving')}
      busy={busy}
      error={error && messageOf(error, t(`${words}.failed`))}
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextInput data-autofocus maxLength={200} {...field('name')} />
      <div className={classes.pair}>
        <NativeSelect data={choices('kind', borrowerKinds)} {...field('kind')} />
        <TextInput maxLength={2} {...field('country')} />
      </div>
      <NativeSelect
        description={t('borrower.relation.hint')}
        data={choices('relation', relations)}
        {...field('relation')}
        onChange={(event) => {
          form.setFieldValue('relation', event.currentTarget.value)
          form.clearFieldError('userEmail')
        }}
      />
      <TextInput type="email" description={t('borrower.userEmail.hint')} {...field('userEmail')} />
      <NativeSelect
        data={[
          { value: '', label: t('choose') },
          ...grades.map((grade) => ({ value: grade, label: grade })),
        ]}
        {...field('grade')}
      />
      <Textarea
        autosize
        minRows={2}
        maxRows={6}
        maxLength={LONGEST_TEXT}
        {...field('gradeReason')}
      />
      {corrects && (
        <Textarea autosize minRows={2} maxRows={6} maxLength={LONGEST_TEXT} {...field('reason')} />
      )}
    </DialogForm>
  )
}

/** Records a borrower with a grade of risk, or corrects one (docs/product.md 5.26 and 5.31). */
export const BorrowerDialog = ({ opened, onClose, ...form }: Props) => {
  const record = useRecordBorrower(t('borrower.failed'))
  const correct = useCorrectBorrower(t('correct.failed'))
  const close = () => {
    record.reset()
    correct.reset()
    onClose()
  }
  return (
    <Dialog
      title={t(form.corrects ? 'correct.title' : 'borrower.title')}
      opened={opened}
      onClose={close}
      busy={record.isPending || correct.isPending}
    >
      <BorrowerForm {...form} record={record} correct={correct} onClose={close} />
    </Dialog>
  )
}
