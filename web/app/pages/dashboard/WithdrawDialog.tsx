import { NativeSelect, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { textSchema, withdrawalAmountSchema } from '@pool/contract/fields'
import { callFailed } from '@pool/contract/messages'
import { formatDollars, MINIMUM_WITHDRAWAL } from '@pool/contract/money'
import { PAYOUT_ADDRESS_WAIT_HOURS } from '@pool/contract/payoutAddresses'
import { fieldOf, messageOf } from '../../api/http/errors.ts'
import { useWithdraw } from '../../api/transactions.ts'
import { useNetworks } from '../../api/wallets.ts'
import { configuration } from '../../configuration.ts'
import { AmountInput, type TypedAmount } from '../../forms/AmountInput.tsx'
import { amountWithin } from '../../forms/amountWithin.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { rule } from '../../forms/rule.ts'
import { common } from '../../i18n/common.ts'
import { t } from '../../i18n/dashboard.ts'
import { PausesBanner } from '../../panels/pauses/PausesBanner.tsx'
import { AvailableBalance } from './AvailableBalance.tsx'
import { DefaultAddress } from './DefaultAddress.tsx'

const validText = rule(textSchema())

type FormProps = {
  readonly userId: string
  readonly balance: number | undefined
  readonly withdraw: ReturnType<typeof useWithdraw>
  readonly onPayoutAddress: () => void
  readonly onDone: () => void
}

const WithdrawForm = ({ userId, balance, withdraw, onPayoutAddress, onDone }: FormProps) => {
  const networks = useNetworks()
  const form = useForm({
    initialValues: {
      amount: '' as TypedAmount,
      destinationAddress: '',
      networkName: '',
      description: '',
    },
    validate: {
      amount: amountWithin(withdrawalAmountSchema, balance),
      destinationAddress: validText,
      description: validText,
    },
  })
  // Only a typed address has a network. Without one the Default Address counts.
  const isAddressed = form.values.destinationAddress.trim() !== ''
  const submit = form.onSubmit(({ amount: typed, networkName, ...texts }) => {
    const amount = Number(typed)
    if (withdraw.isPending) return
    withdraw.mutate(
      { userId, amount, ...texts, ...(isAddressed && { networkName }) },
      {
        onSuccess: () => {
          onDone()
          notifications.show({
            color: 'green',
            message: t('withdraw.done', { amount: formatDollars(amount) }),
          })
        },
      },
    )
  })
  const said = withdraw.isError ? messageOf(withdraw.error, callFailed.withdraw) : null
  const field = fieldOf(withdraw.error)
  const isAboutDestination = field === 'destinationAddress'
  const isAboutNetwork = field === 'networkName' && isAddressed
  const isLive = configuration().poolMode === 'live'
  const destination = form.getInputProps('destinationAddress')
  return (
    <DialogForm
      submitLabel={t('withdraw')}
      busyLabel={t('processing')}
      busy={withdraw.isPending}
      error={isAboutDestination || isAboutNetwork ? null : said}
      onSubmit={submit}
      onCancel={onDone}
    >
      <PausesBanner of="withdrawals" />
      <AvailableBalance balance={balance} />
      <AmountInput
        description={t('withdraw.minimum', { minimum: formatDollars(MINIMUM_WITHDRAWAL) })}
        {...form.getInputProps('amount')}
      />
      <TextInput
        label={t('withdraw.destination')}
        description={t('withdraw.destination.hint', { fallback: common('defaultDestination') })}
        size="md"
        maxLength={500}
        autoComplete="off"
        spellCheck={false}
        {...destination}
        error={destination.error ?? (isAboutDestination ? said : null)}
      />
      {isAddressed ? (
        <NativeSelect
          label={t('withdraw.network')}
          description={t(isLive ? 'withdraw.network.needed' : 'withdraw.network.hint')}
          size="md"
          data={[
            { value: '', label: t('withdraw.network.none') },
            ...networks.map(({ name, displayName }) => ({ value: name, label: displayName })),
          ]}
          {...form.getInputProps('networkName')}
          error={isAboutNetwork ? said : null}
        />
      ) : (
        <DefaultAddress onChange={onPayoutAddress} />
      )}
      {isLive && isAddressed && (
        <Text size="sm" c="dimmed">
          {t('withdraw.wait', { hours: PAYOUT_ADDRESS_WAIT_HOURS })}
        </Text>
      )}
      <TextInput
        label={t('description')}
        size="md"
        maxLength={500}
        {...form.getInputProps('description')}
      />
    </DialogForm>
  )
}

type Props = {
  readonly userId: string
  readonly balance: number | undefined
  readonly opened: boolean
  /** Opens the dialog of the payout address instead. */
  readonly onPayoutAddress: () => void
  readonly onClose: () => void
}

/** The 'Initiate Withdrawal' dialog (docs/product.md 3.8). */
export const WithdrawDialog = ({ userId, balance, opened, onPayoutAddress, onClose }: Props) => {
  const withdraw = useWithdraw()
  const close = () => {
    withdraw.reset()
    onClose()
  }
  return (
    <Dialog title={t('withdraw')} opened={opened} onClose={close} busy={withdraw.isPending}>
      <WithdrawForm
        userId={userId}
        balance={balance}
        withdraw={withdraw}
        onPayoutAddress={onPayoutAddress}
        onDone={close}
      />
    </Dialog>
  )
}
