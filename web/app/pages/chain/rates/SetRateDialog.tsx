import { TextInput } from '@mantine/core'
import { rateFrom } from '@pool/contract/chain/rates'
import { type FormEvent, useState } from 'react'
import { type RateRow, useSetRate } from '../../../api/chain/rates.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/rates.ts'
import { toast } from '../../../ui/toasts.ts'

type Props = {
  readonly rate: RateRow
  readonly opened: boolean
  readonly onClose: () => void
}

type FormProps = Pick<Props, 'rate' | 'onClose'> & { readonly set: ReturnType<typeof useSetRate> }

const SetRateForm = ({ rate: { coin, isDollar }, set, onClose }: FormProps) => {
  const [dollars, setDollars] = useState('')
  const [isWrong, setWrong] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = dollars.trim()
    const isRate = rateFrom(typed) !== null
    setWrong(!isRate)
    if (set.isPending || !isRate) return
    set.mutate(
      { coin, dollars: typed },
      {
        onSuccess: (waits) => {
          toast({ message: t(waits ? 'dialog.waits' : 'dialog.done') })
          onClose()
        },
      },
    )
  }
  return (
    <DialogForm
      submitLabel={t('dialog.submit')}
      busyLabel={t('dialog.busy')}
      busy={set.isPending}
      error={set.error && messageOf(set.error, t('dialog.failed'))}
      onSubmit={submit}
      onCancel={onClose}
    >
      <p>{t('dialog.text', { coin })}</p>
      <TextInput
        label={t('dialog.dollars', { coin })}
        {...(isDollar && { description: t('dialog.dollar') })}
        size="md"
        inputMode="decimal"
        autoComplete="off"
        maxLength={22}
        data-autofocus
        value={dollars}
        readOnly={set.isPending}
        error={isWrong && t('dialog.invalid')}
        onChange={(event) => {
          setDollars(event.currentTarget.value)
          setWrong(false)
        }}
      />
    </DialogForm>
  )
}

/** Sets the dollars that a coin counts as. In live mode a second member of staff approves it. */
export const SetRateDialog = ({ rate, opened, onClose }: Props) => {
  const set = useSetRate(t('dialog.failed'))
  const close = () => {
    set.reset()
    onClose()
  }
  return (
    <Dialog
      title={t('dialog.title', { coin: rate.coin })}
      opened={opened}
      onClose={close}
      busy={set.isPending}
    >
      <SetRateForm rate={rate} set={set} onClose={close} />
    </Dialog>
  )
}
