import { Link } from 'react-router'
import { type ShownLoan, useLoan } from '../../api/lending/loans.ts'
import { t as list } from '../../i18n/loanList.ts'
import { t as onRecord } from '../../i18n/loanRecords.ts'
import { named, t } from '../../i18n/loans.ts'
import { ChainTransaction } from '../../ui/ChainTransaction.tsx'
import { Money } from '../../ui/Money.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { Day } from './Day.tsx'
import classes from './Loans.module.css'
import { Fact, LoanTerms } from './LoanTerms.tsx'
import { rateText } from './rates.ts'

/** The facts of a proposal about a loan. */
type Props = { readonly facts: Readonly<Record<string, unknown>> }

/** The new terms that a proposal asks for, beside those in force. */
const Asked = ({ facts }: Props) => {
  if (typeof facts.rateBasisPoints !== 'number') return null
  return (
    <section className={classes.preview} aria-label={t('newTerms')}>
      <h3>{t('newTerms')}</h3>
      <dl className={classes.facts}>
        <Fact name={t('rate')}>{rateText(facts.rateBasisPoints)}</Fact>
        <Fact name={t('schedule')}>{named('schedule', String(facts.schedule))}</Fact>
        <Fact name={t('instalments')}>
          {String(facts.instalments)} · {named('period', String(facts.period))}
        </Fact>
        <Fact name={t('firstDueOn')}>
          <Day on={String(facts.firstDueOn)} />
        </Fact>
        <Fact name={t('dayCount')}>{named('dayCount', String(facts.dayCount))}</Fact>
        <Fact name={t('newTerms.why')}>
          {t(facts.isDistressed === true ? 'newTerms.distressed' : 'newTerms.free')}
        </Fact>
      </dl>
    </section>
  )
}

/** The value of all collateral that counts, with its texts. */
const Secured = ({ collateral }: Pick<ShownLoan, 'collateral'>) => {
  const counting = collateral.filter(({ withdrawnFor }) => withdrawnFor === null)
  if (counting.length === 0) return onRecord('collateral.none')
  const cents = counting.reduce((sum, { value }) => sum + Math.round((value ?? 0) * 100), 0)
  return (
    <>
      <Money dollars={cents / 100} /> · {counting.map(({ description }) => description).join('; ')}
    </>
  )
}

/** The loan that a proposal is about: the terms, and the transaction that paid it out. */
export const AskedLoan = ({ facts }: Props) => {
  const { loanId, networkName, evidence, disbursedOn, address } = facts
  const id = String(loanId)
  const query = useLoan(id, t('failed'))
  const { data: story } = query
  if (!story) return <Pending query={query} failed={t('failed')} loading={t('loading')} />
  return (
    <div className={classes.asked}>
      <Asked facts={facts} />
      <LoanTerms loan={story.loan} yearlyRate={story.yearlyRate}>
        {Boolean(story.loan.outstanding) && (
          <>
            <Fact name={list('outstanding')}>
              <Money dollars={story.loan.outstanding} />
            </Fact>
            <Fact name={list('pastDue')}>{list('days', { count: story.loan.daysPastDue })}</Fact>
          </>
        )}
        <Fact name={onRecord('collateral')}>
          <Secured collateral={story.collateral} />
        </Fact>
        {typeof evidence === 'string' && (
          <Fact name={t('disburse.disbursedOn')}>
            <Day on={String(disbursedOn)} />
          </Fact>
        )}
      </LoanTerms>
      {typeof evidence === 'string' && (
        <p className={classes.muted}>
          {t('evidence', { network: String(networkName) })}{' '}
          <ChainTransaction network={String(networkName)} id={evidence} />
        </p>
      )}
      {typeof address === 'string' && (
        <p className={classes.muted}>
          {t('sending', { network: String(networkName) })} <code>{address}</code>
        </p>
      )}
      <p className={classes.muted}>
        <Link to={`/admin/loans/${id}`}>{t('see')}</Link>
      </p>
    </div>
  )
}
