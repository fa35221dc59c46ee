import { NativeSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { amountSchema, durationDaysSchema } from '@pool/contract/base/fields'
import {
  aboveMost,
  belowLeast,
  callFailed,
  earnsNothing,
  planIsClosed,
  planNearlyFull,
} from '@pool/contract/base/messages'
import { type Cents, dollarsFromCents, formatDollars } from '@pool/contract/base/money'
import * as validation from '@pool/contract/base/validation'
import { interestOn, leastOf, planFor } from '@pool/contract/money/plans'
import { messageOf } from '../../api/http/errors.ts'
import { useInvest } from '../../api/money/investments.ts'
import { type ShownPlan, usePlans } from '../../api/money/plans.ts'
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
import { toast } from '../../ui/toasts.ts'
import { AmountShares } from './AmountShares.tsx'
import { AvailableBalance } from './AvailableBalance.tsx'
import { planLabel, principalOf, Rates } from './Rates.tsx'

const isDuration = rule(durationDaysSchema)

/** Refuses a duration of no plan or of a closed one, as the server does. */
const validDuration = (plans: readonly ShownPlan[], chosen: string): string | null => {
  const broken = isDuration(chosen === '' ? undefined : Number(chosen))
  if (broken !== null) return broken
  const plan = planFor(plans, Number(chosen))
  if (!plan) return validation.durationInvalid
  return plan.closed && planIsClosed[plan.closed]
}

const choicesOf = (plans: readonly ShownPlan[]) => [
  { value: '', label: t('invest.choose') },
  ...plans.map((plan) => ({
    value: String(plan.durationDays),
    label: plan.closed ? t('invest.closed', { plan: planLabel(plan) }) : planLabel(plan),
    disabled: plan.closed !== null,
  })),
]

/** Refuses an amount that the chosen plan does not take, as the server does. */
const fitting = (typed: string, plan: ShownPlan | undefined): string | null => {
  const principal = principalOf(typed)
  if (principal === null || !plan) return null
  const { least, most, left } = plan
  const dollars = (amount: Cents) => formatDollars(dollarsFromCents(amount))
  if (principal < least) return belowLeast(dollars(least))
  if (most !== null && principal > most) return aboveMost(dollars(most))
  if (interestOn(principal, plan) === 0n) return earnsNothing(dollars(leastOf(plan)))
  return left !== null && principal > left ? planNearlyFull(dollars(left)) : null
}

type FormProps = {
  readonly userId: string
  readonly balance: number | undefined
  readonly invest: ReturnType<typeof useInvest>
  readonly onDone: () => void
}

const InvestForm = ({ userId, balance, invest, onDone }: FormProps) => {
  const plans = usePlans()
  const validAmount = amountWithin(amountSchema, balance)
  const draft = useDraft('invest', userId, { amount: '', duration: '' })
  const form = useForm({
    initialValues: draft.initial,
    validate: {
      amount: (typed, { duration }) =>
        validAmount(typed) ?? fitting(typed, planFor(plans, Number(duration))),
      duration: (chosen) => validDuration(plans, chosen),
    },
  })
  draft.keep(form.getValues)
  const closed = planFor(plans, Number(form.values.duration))?.closed
  const closedLabel = closed || plans.every((plan) => plan.closed !== null) ? t('invest.off') : null
  const submit = form.onSubmit(({ amount: typed, duration }) => {
    const amount = readDollars(typed)
    if (invest.isPending || amount === undefined) return
    invest.mutate(
      {
        userId,
        amount,
        durationDays: Number(duration),
        planId: planFor(plans, Number(duration))?.id ?? null,
      },
      {
        onSuccess: () => {
          onDone()
          toast({
            message: t('invest.done', { amount: formatDollars(amount) }),
          })
        },
      },
    )
  })
  return (
    <DialogForm
      submitLabel={dashboard('invest')}
      busyLabel={t('processing')}
      busy={invest.isPending}
      offLabel={usePausedLabel('investing') ?? closedLabel}
      error={invest.isError ? messageOf(invest.error, callFailed.invest) : null}
      onSubmit={submit}
      onCancel={onDone}
    >
      <PausesBanner of="investing" />
      <AvailableBalance balance={balance} />
      <AmountInput
        {...form.getInputProps('amount')}
        above={aboveBalance(form.values.amount, balance)}
      />
      <AmountShares
        balance={balance}
        amount={readDollars(form.values.amount)}
        onChoose={(share) => form.setFieldValue('amount', dollarsText(share))}
      />
      <NativeSelect
        label={t('invest.duration')}
        size="md"
        data={choicesOf(plans)}
        {...form.getInputProps('duration')}
      />
      <Rates
        plans={plans}
        typed={form.values.amount}
        chosen={form.values.duration}
        onChoose={(days) => form.setFieldValue('duration', days)}
      />
    </DialogForm>
  )
}

type Props = {
  readonly userId: string
  readonly balance: number | undefined
  readonly opened: boolean
  readonly onClose: () => void
}

/** The 'Make Investment' dialog, with the interest of the typed amount (docs/product.md 3.9). */
export const InvestDialog = ({ userId, balance, opened, onClose }: Props) => {
  const invest = useInvest()
  const close = () => {
    invest.reset()
    onClose()
  }
  return (
    <Dialog title={dashboard('invest')} opened={opened} onClose={close} busy={invest.isPending}>
      <InvestForm userId={userId} balance={balance} invest={invest} onDone={close} />
    </Dialog>
  )
}
