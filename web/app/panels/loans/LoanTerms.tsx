import type { ReactNode } from 'react'
import type { LoanRow } from '../../api/lending/loanList.ts'
import { named, t } from '../../i18n/loans.ts'
import { Money } from '../../ui/Money.tsx'
import { Day } from './Day.tsx'
import classes from './Loans.module.css'
import { rateText } from './rates.ts'

type FactProps = { readonly name: string; readonly children: ReactNode }

/** A named fact in a list of facts. */
export const Fact = ({ name, children }: FactProps) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

type Props = {
  readonly loan: LoanRow
  /** In basis points. Null where it is not known. */
  readonly yearlyRate: number | null
  /** Stand before the terms. */
  readonly children?: ReactNode
}

/** True for a loan that was disbursed, also once it ended. */
export const wasPaidOut = (status: string): boolean =>
  ['ACTIVE', 'DEFAULTED', 'WRITTEN_OFF', 'REPAID'].includes(status)

/** The terms of a loan, as both people who approve it read them. */
export const LoanTerms = ({ loan, yearlyRate, children }: Props) => {
  const { amount, rateBasisPoints, purpose, schedule, period, dayCount } = loan
  const { instalments, disburseOn, firstDueOn, status } = loan
  const isPaidOut = wasPaidOut(status)
  return (
    <dl className={classes.facts}>
      {children}
      <Fact name={t('amount')}>
        <Money dollars={amount} />
      </Fact>
      {loan.fromInvestors > 0 && (
        <Fact name={t('fromInvestors')}>
          <Money dollars={loan.fromInvestors} />
        </Fact>
      )}
      <Fact name={t('rate')}>{rateBasisPoints === null ? '' : rateText(rateBasisPoints)}</Fact>
      {yearlyRate !== null && <Fact name={t('yearlyRate')}>{rateText(yearlyRate)}</Fact>}
      <Fact name={t('schedule')}>{named('schedule', schedule)}</Fact>
      <Fact name={t('instalments')}>
        {instalments} · {named('period', period)}
      </Fact>
      <Fact name={t('dayCount')}>{named('dayCount', dayCount)}</Fact>
      <Fact name={t(isPaidOut ? 'disbursedOn' : 'disburseOn')}>
        <Day on={disburseOn} />
      </Fact>
      {loan.takenOverOn !== null && (
        <Fact name={t('takenOverOn')}>
          <Day on={loan.takenOverOn} />
        </Fact>
      )}
      <Fact name={t('firstDueOn')}>
        <Day on={firstDueOn} />
      </Fact>
      <Fact name={t('purpose')}>{named('purpose', purpose)}</Fact>
    </dl>
  )
}
