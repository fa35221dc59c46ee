import { Link } from 'react-router'
import { messageOf } from '../../api/http/errors.ts'
import { useLoan } from '../../api/loans.ts'
import { t } from '../../i18n/loans.ts'
import { ChainTransaction } from '../../ui/ChainTransaction.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { LoadingRows } from '../../ui/LoadingRows.tsx'
import { Day } from './Day.tsx'
import classes from './Loans.module.css'
import { Fact, LoanTerms } from './LoanTerms.tsx'

/** The facts of a proposal about a loan. */
type Props = { readonly facts: Readonly<Record<string, unknown>> }

/** The loan that a proposal is about: the terms, and the transaction that paid it out. */
export const AskedLoan = ({ facts: { loanId, networkName, evidence, disbursedOn } }: Props) => {
  const id = String(loanId)
  const { data: story, error, refetch, isFetching } = useLoan(id, t('failed'))
  if (error && !story)
    return (
      <ErrorState
        message={messageOf(error, t('failed'))}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  if (!story) return <LoadingRows label={t('loading')} />
  return (
    <div className={classes.asked}>
      <LoanTerms loan={story.loan} yearlyRate={story.yearlyRate}>
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
      <p className={classes.muted}>
        <Link to={`/admin/loans/${id}`}>{t('see')}</Link>
      </p>
    </div>
  )
}
