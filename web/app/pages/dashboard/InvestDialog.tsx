import { NativeSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { amountSchema, durationDaysSchema } from '@pool/contract/fields'
import { callFailed } from '@pool/contract/messages'
import { centsFromDollars, dollarsFromCents, formatDollars } from '@pool/contract/money'
import { interestOn, type Plan, planFor, plans } from '@pool/contract/plans'
import { messageOf } from '../../api/errors.ts'
import { useInvest } from '../../api/investments.ts'
import { t } from '../../i18n/dashboard.ts'
import { formatPercent } from '../../i18n/format.ts'
import { AmountInput, dollarsOf, type TypedAmount } from '../../ui/AmountInput.tsx'
import { Dialog, DialogForm } from '../../ui/FormDialog.tsx'
import { rule } from '../../ui/rule.ts'
import { AvailableBalance } from './AvailableBalance.tsx'
import { amountWithin } from './amountWithin.ts'
import classes from './dialogs.module.css'

const validDuration = rule(durationDaysSchema)
const daysOf = (chosen: string): number | undefined => (chosen === '' ? undefined : Number(chosen))

const labelOf = ({ durationDays, rateBasisPoints }: Plan): string =>
  t('invest.plan', { days: durationDays, rate: formatPercent(rateBasisPoints / 100) })

const durations = [
  { value: '', label: t('invest.choose') },
  ...plans.map((plan) => ({ value: String(plan.durationDays), label: labelOf(plan) })),
]

/** What the typed amount earns over the chosen plan, in dollars; null while either is missing or not valid. */
const quote = (typed: TypedAmount, chosen: string): { interest: number; total: number } | null => {
  const amount = amountSchema.safeParse(dollarsOf(typed))
  const plan = planFor(Number(chosen))
  if (!amount.success || !plan) return null
  const principal = centsFromDollars(amount.data)
  const interest = interestOn(principal, plan)
  return { interest: dollarsFromCents(interest), total: (Number(principal) + Number(interest)) / 100 }
}

const Quote = ({ typed, chosen }: { typed: TypedAmount; chosen: string }) => {
  const quoted = quote(typed, chosen)
  return (
    <dl className={classes.quote} aria-live="polite">
      <div>
        <dt>{t('invest.earned')}</dt>
        <dd>{quoted ? formatDollars(quoted.interest) : '–'}</dd>
      </div>
      <div>
        <dt>{t('invest.back')}</dt>
        <dd>{quoted ? formatDollars(quoted.total) : '–'}</dd>
      </div>
    </dl>
  )
}

type FormProps = {
  readonly userId: string
  readonly balance: number | undefined
  readonly invest: ReturnType<typeof useInvest>
  readonly onDone: () => void
}

const InvestForm = ({ userId, balance, invest, onDone }: FormProps) => {
  const form = useForm({
    initialValues: { amount: '' as TypedAmount, duration: '' },
    validate: { amount: amountWithin(amountSchema, balance), duration: (chosen) => validDuration(daysOf(chosen)) },
  })
  const submit = form.onSubmit(({ amount: typed, duration }) => {
    const amount = Number(typed)
    if (invest.isPending) return
    invest.mutate(
      { userId, amount, durationDays: Number(duration) },
      {
        onSuccess: () => {
          onDone()
          notifications.show({ color: 'green', message: t('invest.done', { amount: formatDollars(amount) }) })
        },
      },
    )
  })
  return (
    <DialogForm
      submitLabel={t('invest')}
      busyLabel={t('processing')}
      busy={invest.isPending}
      error={invest.isError ? messageOf(invest.error, callFailed.invest) : null}
      onSubmit={submit}
      onCancel={onDone}
    >
      <AvailableBalance balance={balance} />
      <AmountInput {...form.getInputProps('amount')} />
      <NativeSelect label={t('invest.duration')} size="md" data={durations} {...form.getInputProps('duration')} />
      <Quote typed={form.values.amount} chosen={form.values.duration} />
    </DialogForm>
  )
}

type Props = { readonly userId: string; readonly balance: number | undefined; readonly opened: boolean; readonly onClose: () => void }

/** The 'Make Investment' dialog (spec §2), with what the typed amount earns. */
export const InvestDialog = ({ userId, balance, opened, onClose }: Props) => {
  const invest = useInvest()
  const close = () => {
    invest.reset()
    onClose()
  }
  return (
    <Dialog title={t('invest')} opened={opened} onClose={close} busy={invest.isPending}>
      <InvestForm userId={userId} balance={balance} invest={invest} onDone={close} />
    </Dialog>
  )
}
