import { amountSchema } from '@pool/contract/base/fields'
import { planIsClosed } from '@pool/contract/base/messages'
import {
  type Cents,
  cents,
  centsFromDollars,
  dollarsFromCents,
  formatDollars,
} from '@pool/contract/base/money'
import {
  interestOn,
  leastOf,
  type Plan,
  planFor,
  simpleYearlyRate,
} from '@pool/contract/money/plans'
import { IconAlertTriangle } from '@tabler/icons-react'
import { usePoolBook } from '../../api/lending/poolBook.ts'
import type { ShownPlan } from '../../api/money/plans.ts'
import { configuration } from '../../configuration.ts'
import { t as dashboard } from '../../i18n/dashboard.ts'
import { t } from '../../i18n/dialogs.ts'
import { readDollars } from '../../i18n/dollars.ts'
import { formatPercent, formatRate } from '../../i18n/format.ts'
import { PaidBy } from '../../panels/paidBy/PaidBy.tsx'
import { DateTime, zoneName } from '../../ui/DateTime.tsx'
import { useNow } from '../../ui/useNow.ts'
import classes from './Rates.module.css'

/** A plan in the duration select, for example '5 days - 5%' (docs/product.md 3.9). */
export const planLabel = ({ durationDays, rateBasisPoints }: Plan): string =>
  t('invest.plan', { days: durationDays, rate: formatRate(rateBasisPoints) })

/** The typed amount in cents; null while it is missing or invalid. */
export const principalOf = (typed: string): Cents | null => {
  const amount = amountSchema.safeParse(readDollars(typed))
  return amount.success ? centsFromDollars(amount.data) : null
}

const dollarsText = (amount: Cents): string => formatDollars(dollarsFromCents(amount))

/** The maturity of an investment made now. Demonstrations have shorter days. */
const maturityOf = ({ durationDays }: Plan, now: Date): Date =>
  new Date(now.getTime() + durationDays * Number(configuration().daySeconds) * 1_000)

/** The plan's interest on the typed amount, or the least amount that earns. */
const earned = (plan: ShownPlan, principal: Cents | null): string => {
  if (principal === null) return '–'
  const interest = interestOn(principal, plan)
  return interest > 0n
    ? `+ ${dollarsText(interest)}`
    : t('rates.least', { amount: dollarsText(leastOf(plan)) })
}

/** The bounds of a plan that has any, and what still fits in it. */
const boundsOf = ({ least, most, left }: ShownPlan): string =>
  [
    least > 1n && t('rates.from', { amount: dollarsText(least) }),
    most !== null && t('rates.most', { amount: dollarsText(most) }),
    left !== null && t('rates.left', { amount: dollarsText(left) }),
  ]
    .filter(Boolean)
    .join(' · ')

type PlanProps = {
  readonly plan: ShownPlan
  readonly principal: Cents | null
  readonly chosen: boolean
  readonly now: Date
  readonly onChoose: () => void
}

/** A plan that takes no investment now, with the reason in place of its interest. */
const ClosedRow = ({ plan }: { readonly plan: ShownPlan }) => (
  <li className={classes.closed}>
    <span className={classes.label}>{planLabel(plan)}</span>
    <span className={classes.interest}>{t('rates.closed')}</span>
    <span className={classes.reason}>{plan.closed && planIsClosed[plan.closed]}</span>
  </li>
)

const PlanRow = ({ plan, principal, chosen, now, onChoose }: PlanProps) => (
  <li>
    <button type="button" className={classes.plan} aria-pressed={chosen} onClick={onChoose}>
      <span className={classes.label}>{planLabel(plan)}</span>
      <span className={classes.interest}>{earned(plan, principal)}</span>
      <span className={classes.detail}>
        {t('rates.matures')} <DateTime at={maturityOf(plan, now)} />
      </span>
      <span className={classes.detail}>
        {t('rates.yearly', { rate: formatPercent(simpleYearlyRate(plan)) })}
      </span>
      {boundsOf(plan) && <span className={classes.bounds}>{boundsOf(plan)}</span>}
    </button>
  </li>
)

/** The final payout, announced to screen readers. */
const Total = ({ principal, plan }: { principal: Cents | null; plan: Plan | undefined }) => {
  const interest = principal !== null && plan ? interestOn(principal, plan) : null
  const figures = [
    { label: t('invest.earned'), amount: interest },
    {
      label: t('invest.back'),
      amount: interest === null ? null : cents((principal ?? 0n) + interest),
    },
  ]
  return (
    <dl className={classes.total} aria-live="polite">
      {figures.map(({ label, amount }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{amount === null ? '–' : dollarsText(amount)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The yearly rate in percent above which a plan carries a warning. */
const SUSPICIOUS = 100

/** Says who pays the interest, and warns of a high yearly rate: of the chosen plan, else of any. */
const Source = ({ plans }: { plans: readonly Plan[] }) => {
  const { data } = usePoolBook()
  const isHigh = plans.some((each) => simpleYearlyRate(each) > SUSPICIOUS)
  if (!isHigh && !data) return null
  return (
    <div className={isHigh ? classes.warning : classes.source}>
      {isHigh && <IconAlertTriangle size={18} stroke={1.75} aria-hidden />}
      <div>
        {isHigh && <p>{t('rates.warning')}</p>}
        {data && <PaidBy pool={data} small />}
      </div>
    </div>
  )
}

type Props = {
  readonly plans: readonly ShownPlan[]
  readonly typed: string
  /** The days of the chosen plan, or an empty text. */
  readonly chosen: string
  readonly onChoose: (days: string) => void
}

/**
 * Compares the plans on the typed amount: interest, maturity, yearly rate and payout. A press
 * chooses one.
 */
export const Rates = ({ plans, typed, chosen, onChoose }: Props) => {
  const now = useNow()
  const principal = principalOf(typed)
  const plan = planFor(plans, Number(chosen))
  return (
    <>
      <ul className={classes.plans} aria-label={t('rates.title')}>
        {plans.map((each) =>
          each.closed ? (
            <ClosedRow key={each.durationDays} plan={each} />
          ) : (
            <PlanRow
              key={each.durationDays}
              plan={each}
              principal={principal}
              chosen={each === plan}
              now={now}
              onChoose={() => onChoose(String(each.durationDays))}
            />
          ),
        )}
      </ul>
      <Source plans={plan ? [plan] : plans} />
      <Total principal={principal} plan={plan} />
      <div className={classes.notes}>
        <p>{dashboard('rates.risk')}</p>
        <p>{t('rates.zone', { zone: zoneName(now) })}</p>
      </div>
    </>
  )
}
