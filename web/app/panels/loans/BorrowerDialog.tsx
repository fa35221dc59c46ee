import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { borrowerKinds, grades, relations } from '@pool/contract/borrowers'
import { countrySchema, emailSchema, LONGEST_TEXT } from '@pool/contract/fields'
import { useRecordBorrower } from '../../api/borrowers.ts'
import { messageOf } from '../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { rule } from '../../forms/rule.ts'
import { named, t } from '../../i18n/loans.ts'
import { useDraft } from '../../session/drafts.ts'
import { useSessionUser } from '../../session/store.ts'
import { toast } from '../../ui/toasts.ts'
import classes from './Loans.module.css'

type Props = {
  readonly opened: boolean
  readonly onClose: () => void
  /** Called with the id of the new borrower. */
  readonly onDone: (id: string) => void
}

type FormProps = Omit<Props, 'opened'> & { readonly record: ReturnType<typeof useRecordBorrower> }

const empty = {
  name: '',
  country: '',
  kind: 'person',
  relation: 'none',
  userEmail: '',
  grade: '',
  gradeReason: '',
}

const filled = (text: string): string | null => (text.trim() === '' ? t('missing') : null)
const isEmail = rule(emailSchema)

const choices = (group: 'kind' | 'relation', values: readonly string[]) =>
  values.map((value) => ({ value, label: named(group, value) }))

const BorrowerForm = ({ record, onClose, onDone }: FormProps) => {
  const draft = useDraft('borrower', useSessionUser()?.id ?? '', empty)
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
    },
  })
  draft.keep(form.getValues)
  const submit = form.onSubmit(({ kind, relation, grade, userEmail, ...values }) => {
    if (record.isPending) return
    record.mutate(
      {
        ...values,
        kind: borrowerKinds.find((each) => each === kind) ?? 'person',
        relation: relations.find((each) => each === relation) ?? 'none',
        grade: grades.find((each) => each === grade) ?? 'E',
        ...(userEmail.trim() !== '' && { userEmail: userEmail.trim() }),
      },
      {
        onSuccess: (id) => {
          toast({ message: t('borrower.done') })
          onDone(id)
        },
      },
    )
  })
  const busy = record.isPending
  const field = (name: keyof typeof empty) => ({
    label: t(`borrower.${name}`),
    autoComplete: 'off',
    readOnly: busy,
    ...form.getInputProps(name),
  })
  return (
    <DialogForm
      submitLabel={t('borrower.submit')}
      busyLabel={t('saving')}
      busy={busy}
      error={record.error && messageOf(record.error, t('borrower.failed'))}
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
    </DialogForm>
  )
}

/** Records a borrower with a grade of risk and its reason (docs/product.md 5.26). */
export const BorrowerDialog = ({ opened, onClose, onDone }: Props) => {
  const record = useRecordBorrower(t('borrower.failed'))
  const close = () => {
    record.reset()
    onClose()
  }
  return (
    <Dialog title={t('borrower.title')} opened={opened} onClose={close} busy={record.isPending}>
      <BorrowerForm record={record} onClose={close} onDone={onDone} />
    </Dialog>
  )
}
