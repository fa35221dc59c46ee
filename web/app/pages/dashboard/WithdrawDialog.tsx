import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { amountSchema, textSchema, withdrawalAmountSchema } from '@pool/contract/base/fields'
import { callFailed } from '@pool/contract/base/messages'
import {
  FEE_BORNE,
  FEE_BORNE_PERCENT,
  formatDollars,
  MINIMUM_WITHDRAWAL,
} from '@pool/contract/base/money'
import { WIND_DOWN_REASON } from '@pool/contract/money/pauses'
import { DEFAULT_DESTINATION, destinationOf } from '@pool/contract/requests/requests'
import { fieldOf, messageOf } from '../../api/http/errors.ts'
import { useOwes } from '../../api/money/owes.ts'
import { usePauses } from '../../api/money/pauses.ts'
import { shareNamedBy, useWithdraw, type Withdrawal } from '../../api/requests/transactions.ts'
import { AmountInput } from '../../forms/AmountInput.tsx'
import { aboveBalance, amountWithin } from '../../forms/amountRules.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { rule } from '../../forms/rule.ts'
import { t as dashboard } from '../../i18n/dashboard.ts'
import { t } from '../../i18n/dialogs.ts'
import { dollarsText, readDollars } from '../../i18n/dollars.ts'
import { PausesBanner } from '../../panels/pauses/PausesBanner.tsx'
import { usePausedLabel } from '../../panels/pauses/pausedLabel.ts'
import { useDraft } from '../../session/drafts.ts'
import { useSessionUser } from '../../session/store.ts'
import notice from '../../ui/Notice.module.css'
import { toast } from '../../ui/toasts.ts'
import { AmountShares } from './AmountShares.tsx'
import { AvailableBalance } from './AvailableBalance.tsx'
import { CooldownNotice, useCooldown } from './Cooldown.tsx'
import { Destination, useTypedDestination } from './Destination.tsx'
import classes from './dialogs.module.css'
import { UnconfirmedNotice, useUnconfirmed } from './Unconfirmed.tsx'
import { WithdrawalSentence, without } from './WithdrawalSentence.tsx'

const validText = rule(textSchema())

/** The share of the network's fee that a refusal of this very request named, or null. */
const shownShare = (
  { error, variables }: ReturnType<typeof useWithdraw>,
  asked: Omit<Withdrawal, 'amount'> & { readonly amount: number | undefined },
): number | null => {
  if (!variables) return null
  const { networkFee: _, ...refused } = variables
  return JSON.stringify(refused) === JSON.stringify(asked) ? shareNamedBy(error) : null
}

type FormProps = {
  readonly userId: string
  readonly balance: number | undefined
  readonly withdraw: ReturnType<typeof useWithdraw>
  readonly onPayoutAddress: () => void
  readonly onDone: () => void
}

const WithdrawForm = ({ userId, balance, withdraw, onPayoutAddress, onDone }: FormProps) => {
  // Long: the fields of a withdrawal share one draft and one judge of the amount.
  const draft = useDraft('withdraw', userId, {
    amount: '',
    destinationAddress: '',
    networkName: '',
    description: '',
  })
  // To the last cent, as the pool winds down.
  const isEnding = usePauses().some(({ reason }) => reason === WIND_DOWN_REASON)
  const least = isEnding ? amountSchema : withdrawalAmountSchema
  const form = useForm({
    initialValues: draft.initial,
    validate: {
      amount: amountWithin(least, balance),
      destinationAddress: validText,
      description: validText,
    },
  })
  draft.keep(form.getValues)
  // Only a typed address has a network. Without one the Default Address counts.
  const { amount: typedAmount, ...texts } = form.values
  const isAddressed = texts.destinationAddress.trim() !== ''
  const goesTo = destinationOf(texts)
  const checked = useTypedDestination(goesTo === DEFAULT_DESTINATION ? '' : goesTo)
  const submit = form.onSubmit(({ amount: typed, networkName, ...texts }) => {
    const amount = readDollars(typed)
    if (withdraw.isPending || amount === undefined) return
    const asked = { userId, amount, ...texts, ...(isAddressed && { networkName }) }
    const share = shownShare(withdraw, asked)
    withdraw.mutate(
      {
        ...asked,
        ...(share !== null && { networkFee: share }),
      },
      {
        onSuccess: () => {
          onDone()
          toast({
            message: t('withdraw.done', { amount: formatDollars(without(amount, share)) }),
          })
        },
      },
    )
  })
  const cooldown = useCooldown()
  const unconfirmed = useUnconfirmed()
  const owes = useOwes(useSessionUser()?.email)
  const pausedLabel = usePausedLabel('withdrawals')
  const said = withdraw.isError ? messageOf(withdraw.error, callFailed.withdraw) : null
  const field = fieldOf(withdraw.error)
  const isAboutDestination = field === 'destinationAddress'
  const isAboutNetwork = field === 'networkName' && isAddressed
  const destination = form.getInputProps('destinationAddress')
  const validAmount = amountWithin(least, balance)
  const dollars = readDollars(typedAmount)
  const { networkName: named, ...others } = texts
  const share = shownShare(withdraw, {
    userId,
    amount: dollars,
    ...others,
    ...(isAddressed && { networkName: named }),
  })
  // Beside an error no sentence promises anything, but for the share that it asks to agree to.
  const isRefused = (withdraw.isError && share === null) || Object.keys(form.errors).length > 0
  return (
    <DialogForm
      submitLabel={share === null ? dashboard('withdraw') : t('withdraw.agree')}
      busyLabel={t('processing')}
      busy={withdraw.isPending}
      offLabel={
        pausedLabel ??
        (unconfirmed
          ? t('withdraw.unconfirmed.off')
          : owes > 0
            ? t('withdraw.owes.off')
            : cooldown
              ? t('withdraw.rest.off')
              : null)
      }
      error={isAboutDestination || isAboutNetwork ? null : said}
      note={
        <WithdrawalSentence
          amount={isRefused || validAmount(typedAmount) !== null ? null : (dollars ?? null)}
          share={share}
          balance={balance}
          destination={goesTo}
        />
      }
      onSubmit={submit}
      onCancel={onDone}
    >
      <PausesBanner of="withdrawals" />
      {unconfirmed && <UnconfirmedNotice email={unconfirmed} />}
      {cooldown && <CooldownNotice {...cooldown} />}
      {owes > 0 && (
        <div className={notice.notice} role="status">
          {t('withdraw.owes', { amount: formatDollars(owes) })}
        </div>
      )}
      <AvailableBalance balance={balance} />
      <AmountInput
        description={
          isEnding
            ? t('withdraw.anySum')
            : t('withdraw.minimum', { minimum: formatDollars(MINIMUM_WITHDRAWAL) })
        }
        {...form.getInputProps('amount')}
        above={aboveBalance(typedAmount, balance)}
      />
      <AmountShares
        balance={balance}
        amount={dollars}
        onChoose={(share) => form.setFieldValue('amount', dollarsText(share))}
      />
      <p className={classes.sentence}>
        {t('withdraw.fee', { fee: formatDollars(FEE_BORNE), percent: FEE_BORNE_PERCENT })}
      </p>
      <Destination
        checked={checked}
        isAddressed={isAddressed}
        isDescribed={goesTo !== DEFAULT_DESTINATION}
        networkName={isAddressed ? texts.networkName : ''}
        destination={{
          ...destination,
          error: destination.error ?? (isAboutDestination ? said : null),
        }}
        network={{
          ...form.getInputProps('networkName'),
          error: isAboutNetwork ? said : null,
        }}
        onPayoutAddress={onPayoutAddress}
      />
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
    <Dialog title={dashboard('withdraw')} opened={opened} onClose={close} busy={withdraw.isPending}>
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
