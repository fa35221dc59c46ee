import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { amountSchema, textSchema } from '@pool/contract/base/fields'
import { callFailed } from '@pool/contract/base/messages'
import { formatDollars, MINIMUM_DEPOSIT } from '@pool/contract/base/money'
import { useState } from 'react'
import { useDepositTerms } from '../../api/chain/wallets.ts'
import {
  isNotSent,
  isPausedNow,
  isPerhapsRecorded,
  isUnauthorized,
  messageOf,
} from '../../api/http/errors.ts'
import { useDeposit } from '../../api/requests/transactions.ts'
import { configuration } from '../../configuration.ts'
import { AmountInput } from '../../forms/AmountInput.tsx'
import { amountRule } from '../../forms/amountRules.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { rule } from '../../forms/rule.ts'
import { t as dashboard } from '../../i18n/dashboard.ts'
import { t } from '../../i18n/dialogs.ts'
import { readDollars } from '../../i18n/dollars.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import { PausesBanner } from '../../panels/pauses/PausesBanner.tsx'
import { usePausedLabel } from '../../panels/pauses/pausedLabel.ts'
import { useDraft } from '../../session/drafts.ts'
import notice from '../../ui/Notice.module.css'
import type { ShownInstruction } from './DepositAddressDialog.tsx'
import { DepositNetwork } from './DepositNetwork.tsx'
import { DepositSteps } from './DepositSteps.tsx'

const DepositCoin = onDemand(async () => (await import('./DepositCoin.tsx')).DepositCoin)

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

const validAmount = amountRule(amountSchema)
const validDescription = rule(textSchema())

type FormProps = {
  readonly userId: string
  readonly deposit: ReturnType<typeof useDeposit>
  readonly onInstruction: (instruction: ShownInstruction) => void
  readonly onCancel: () => void
}

const DepositForm = ({ userId, deposit, onInstruction, onCancel }: FormProps) => {
  const draft = useDraft('deposit', userId, {
    amount: '',
    networkName: '',
    description: '',
  })
  const form = useForm({
    initialValues: draft.initial,
    validate: { amount: validAmount, description: validDescription },
  })
  draft.keep(form.getValues)
  const { data: terms } = useDepositTerms()
  const [coin, setCoin] = useState('')
  // The first network is chosen already, so that an amount alone is enough.
  const networkName = form.values.networkName || (terms?.networks[0]?.name ?? '')
  const typedDollars = readDollars(form.values.amount) ?? 0
  const isBelow = typedDollars > 0 && typedDollars < MINIMUM_DEPOSIT
  const submit = form.onSubmit(({ amount: typed, description }) => {
    const amount = readDollars(typed)
    if (deposit.isPending || amount === undefined) return
    deposit.mutate(
      { userId, amount, networkName, description, coin },
      {
        onSuccess: ({ data }) => onInstruction({ ...data, amount, unrecorded: null }),
        onError: (error) => {
          const address = fallbackFor(error)
          if (!address) return
          const unrecorded = {
            reason: messageOf(error, callFailed.deposit),
            outcomeUnknown: isPerhapsRecorded(error),
          }
          onInstruction({
            id: null,
            address,
            networkName: FALLBACK_NETWORK,
            quote: null,
            amount,
            unrecorded,
          })
        },
      },
    )
  })
  return (
    <DialogForm
      submitLabel={dashboard('deposit')}
      busyLabel={t('processing')}
      busy={deposit.isPending}
      offLabel={usePausedLabel('deposits')}
      error={
        deposit.isError && !fallbackFor(deposit.error)
          ? messageOf(deposit.error, callFailed.deposit)
          : null
      }
      onSubmit={submit}
      onCancel={onCancel}
    >
      <PausesBanner of="deposits" />
      <AmountInput
        description={t('deposit.minimum', { minimum: formatDollars(MINIMUM_DEPOSIT) })}
        {...form.getInputProps('amount')}
      />
      <div role="status" className={notice.place}>
        {isBelow && (
          <p className={notice.notice}>
            {t('deposit.below', { minimum: formatDollars(MINIMUM_DEPOSIT) })}
          </p>
        )}
      </div>
      <DepositNetwork
        terms={terms}
        chosen={networkName}
        onChoose={(chosen) => form.setFieldValue('networkName', chosen)}
      />
      {terms && terms.quoted.length > 0 && (
        <DepositCoin
          networkName={networkName}
          quoted={terms.quoted}
          chosen={coin}
          onChoose={setCoin}
        />
      )}
      <TextInput
        label={t('description')}
        description={t('deposit.description.hint')}
        size="md"
        maxLength={500}
        {...form.getInputProps('description')}
      />
      <DepositSteps network={networkName} />
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
    <Dialog title={dashboard('deposit')} opened={opened} onClose={close} busy={deposit.isPending}>
      <DepositForm
        userId={userId}
        deposit={deposit}
        onInstruction={onInstruction}
        onCancel={close}
      />
    </Dialog>
  )
}
