import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { useProposalStep } from '../../../api/agreements/proposals.ts'
import { useOwnAddresses } from '../../../api/coins/reconciliation.ts'
import type { ShownWindDown } from '../../../api/lending/windDown.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/losses.ts'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'
import classes from './Losses.module.css'

type Repayments = ShownWindDown['repayments']

type Props = {
  readonly step: 'begin' | 'stop' | 'take'
  /** The free reserve, which leaves whole. */
  readonly amount: number
  /** Both people say that these arrived, where capital is taken out. */
  readonly repayments: Repayments
  readonly onClose: () => void
}

// Spread, because a linter rejects explicit tab stops.
const scrolls = { tabIndex: 0 }

/** The repayments by their references, the largest first. */
const Confirmed = ({ repayments }: Pick<Props, 'repayments'>) => {
  const { count, amount, largest } = repayments
  const text = useDollarText()
  const more = count - largest.length
  return (
    <>
      <p>{t('take.repayments', { count, amount: text(amount) })}</p>
      {count > 0 && (
        <ul className={classes.confirmed} aria-label={t('take.list')} {...scrolls}>
          {largest.map((each, place) => (
            <li key={place}>
              <span>{each.reference}</span>
              <span>{text(each.amount)}</span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p>{t('take.more', { count: more })}</p>}
    </>
  )
}

type AddressProps = {
  readonly value: number
  readonly onChange: (place: number) => void
  readonly addresses: readonly { readonly network: string; readonly address: string }[]
}

/** The own address from which the operator takes the coins. */
const Address = ({ value, onChange, addresses }: AddressProps) =>
  addresses.length === 0 ? (
    <p>{t('take.noAddress')}</p>
  ) : (
    <NativeSelect
      label={t('take.address')}
      size="md"
      value={value}
      data={addresses.map(({ network, address }, place) => ({
        value: String(place),
        label: `${network} ${address}`,
      }))}
      onChange={({ currentTarget }) => onChange(Number(currentTarget.value))}
    />
  )

/** Asks for a step of the wind-down. A second super admin decides. */
export const StepDialog = ({ step, amount, repayments, onClose }: Props) => {
  const text = useDollarText()
  const ask = useProposalStep(t('step.failed'))
  const { data } = useOwnAddresses(t('step.failed'))
  const addresses = (data ?? []).filter((each) => each.class !== 'CHANGE')
  const [place, setPlace] = useState(0)
  const own = addresses[place]
  return (
    <ReasonDialog
      grave={step === 'begin'}
      words={{
        title: t(`${step}.title`, { amount: text(amount) }),
        reason: t('step.reason'),
        missing: t('step.missing'),
        submit: t('step.ask'),
        busy: t('step.asking'),
        failed: t('step.failed'),
      }}
      step={ask}
      send={(reason, done) => {
        if (step === 'take' && !own) return
        const asked =
          step === 'take' && own
            ? {
                kind: 'WITHDRAW_CAPITAL' as const,
                amount,
                networkName: own.network,
                address: own.address,
                repayments: { ...repayments, largest: [...repayments.largest] },
                reason,
              }
            : {
                kind: step === 'begin' ? ('WIND_DOWN' as const) : ('END_WIND_DOWN' as const),
                reason,
              }
        ask.mutate({ step: 'ask', asked }, { onSuccess: () => done(t('step.asked')) })
      }}
      onClose={onClose}
    >
      <p>{t(`${step}.text`)}</p>
      {step === 'take' && (
        <>
          <Address value={place} onChange={setPlace} addresses={addresses} />
          <Confirmed repayments={repayments} />
        </>
      )}
    </ReasonDialog>
  )
}
