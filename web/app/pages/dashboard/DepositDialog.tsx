import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { amountSchema, textSchema } from '@pool/contract/fields'
import { callFailed } from '@pool/contract/messages'
import {
  isNotSent,
  isOutcomeUnknown,
  isPausedNow,
  isUnauthorized,
  messageOf,
} from '../../api/http/errors.ts'
import { useDeposit } from '../../api/transactions.ts'
import { configuration } from '../../configuration.ts'
import { AmountInput, dollarsOf, type TypedAmount } from '../../forms/AmountInput.tsx'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { rule } from '../../forms/rule.ts'
import { t } from '../../i18n/dashboard.ts'
import { PausesBanner } from '../../panels/pauses/PausesBanner.tsx'
import type { ShownInstruction } from './DepositAddressDialog.tsx'

/** The network of the operator's fallback address (docs/product.md 5.6). */
const FALLBACK_NETWORK = 'Bitcoin'

/**
 * The operator's fallback address after a failure (docs/product.md 5.6). Empty without a session,
 * during a pause, and when the operator set none.
 */
const fallbackFor = (error: unknown): string =>
  isUnauthorized(error) || isNotSent(error) || isPausedNow(error)
    ? ''
    : configuration().fallbackDepositAddress

const validAmount = rule(amountSchema)
const validDescription = rule(textSchema())

type FormProps = {
  readonly userId: string
  readonly deposit: ReturnType<typeof useDeposit>
  readonly onInstruction: (instruction: ShownInstruction) => void
  readonly onCancel: () => void
}

const DepositForm = ({ userId, deposit, onInstruction, onCancel }: FormProps) => {
  const form = useForm({
    initialValues: { amount: '' as TypedAmount, description: '' },
    validate: { amount: (typed) => validAmount(dollarsOf(typed)), description: validDescription },
  })
  const submit = form.onSubmit(({ amount: typed, description }) => {
    const amount = Number(typed)
    if (deposit.isPending) return
    deposit.mutate(
      { userId, amount, description },
      {
        onSuccess: ({ data }) => onInstruction({ ...data, amount, unrecorded: null }),
        onError: (error) => {
          const address = fallbackFor(error)
          if (!address) return
          const unrecorded = {
            reason: messageOf(error, callFailed.deposit),
            outcomeUnknown: isOutcomeUnknown(error),
          }
          onInstruction({ address, networkName: FALLBACK_NETWORK, amount, unrecorded })
        },
      },
    )
  })
  return (
    <DialogForm
      submitLabel={t('deposit')}
      busyLabel={t('processing')}
      busy={deposit.isPending}
      error={
        deposit.isError && !fallbackFor(deposit.error)
          ? messageOf(deposit.error, callFailed.deposit)
          : null
      }
      onSubmit={submit}
      onCancel={onCancel}
    >
      <PausesBanner of="deposits" />
      <AmountInput {...form.getInputProps('amount')} />
      <TextInput
        label={t('description')}
        description={t('deposit.description.hint')}
        size="md"
        maxLength={500}
        {...form.getInputProps('description')}
      />
    </DialogForm>
  )
}

type Props = {
  readonly userId: string
  readonly opened: boolean
  readonly onClose: () => void
  readonly onInstruction: (instruction: ShownInstruction) => void
}

/** The 'Initiate Deposit' dialog (docs/product.md 3.7). */
export const DepositDialog = ({ userId, opened, onClose, onInstruction }: Props) => {
  const deposit = useDeposit()
  const close = () => {
    deposit.reset()
    onClose()
  }
  return (
    <Dialog title={t('deposit')} opened={opened} onClose={close} busy={deposit.isPending}>
      <DepositForm
        userId={userId}
        deposit={deposit}
        onInstruction={onInstruction}
        onCancel={close}
      />
    </Dialog>
  )
}
