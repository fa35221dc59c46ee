import { Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { LONGEST_TEXT } from '@pool/contract/base/fields'
import * as validation from '@pool/contract/base/validation'
import { isPast } from '@pool/contract/lending/loanRecords'
import { messageOf } from '../../../api/http/errors.ts'
import { useAddCollateral } from '../../../api/lending/loanRecords.ts'
import { AmountInput } from '../../../forms/AmountInput.tsx'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { readDollars } from '../../../i18n/dollars.ts'
import { t } from '../../../i18n/loanRecords.ts'
import facts from '../../../panels/loans/Loans.module.css'
import { today } from '../../../panels/loans/rates.ts'
import { isDay, validAmount } from '../../../panels/loans/typedTerms.ts'
import { useDraft } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { toast } from '../../../ui/toasts.ts'

type Props = { readonly loanId: string; readonly opened: boolean; readonly onClose: () => void }

type FormProps = Omit<Props, 'opened'> & { readonly add: ReturnType<typeof useAddCollateral> }

const CollateralForm = ({ loanId, add, onClose }: FormProps) => {
  const draft = useDraft(`collateral ${loanId}`, useSessionUser()?.id ?? '', {
    description: '',
    value: '',
    valuedOn: today(),
  })
  const form = useForm({
    initialValues: draft.initial,
    validate: {
      description: (text) => (text.trim() === '' ? t('missing') : null),
      value: validAmount,
      valuedOn: (day) => isDay(day) ?? (isPast(day) ? null : validation.dayFuture),
    },
  })
  draft.keep(form.getValues)
  const busy = add.isPending
  const submit = form.onSubmit(({ description, value, valuedOn }) => {
    if (busy) return
    add.mutate(
      { id: loanId, description: description.trim(), value: readDollars(value) ?? 0, valuedOn },
      {
        onSuccess: () => {
          toast({ message: t('collateral.done') })
          onClose()
        },
      },
    )
  })
  const field = (name: 'description' | 'value' | 'valuedOn') => ({
    label: t(`collateral.${name}`),
    autoComplete: 'off',
    readOnly: busy,
    ...form.getInputProps(name),
  })
  return (
    <DialogForm
      submitLabel={t('collateral.submit')}
      busyLabel={t('saving')}
      busy={busy}
      error={add.error && messageOf(add.error, t('collateral.failed'))}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Textarea
        data-autofocus
        autosize
        minRows={2}
        maxRows={6}
        maxLength={LONGEST_TEXT}
        {...field('description')}
      />
      <div className={facts.pair}>
        <AmountInput {...field('value')} size="sm" data-autofocus={undefined} />
        <TextInput type="date" max={today()} {...field('valuedOn')} />
      </div>
    </DialogForm>
  )
}

/** Adds collateral of a loan (docs/product.md 5.35). */
export const CollateralDialog = ({ loanId, opened, onClose }: Props) => {
  const add = useAddCollateral(t('collateral.failed'))
  const close = () => {
    add.reset()
    onClose()
  }
  return (
    <Dialog title={t('collateral.add')} opened={opened} onClose={close} busy={add.isPending}>
      <CollateralForm loanId={loanId} add={add} onClose={close} />
    </Dialog>
  )
}
