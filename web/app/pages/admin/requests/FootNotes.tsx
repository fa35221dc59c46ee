import { formatDollars } from '@pool/contract/base/money'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { t } from '../../../i18n/queue.ts'
import { DecisionNotes } from '../decisions/DecisionNotes.tsx'
import { otherApproval, type Readiness } from '../decisions/readiness.ts'
import classes from '../queue/QueuePanel.module.css'

type Props = {
  readonly request: TransactionRow
  readonly hindrances: Readiness['hindrances']
  readonly error: string | null
}

/** The reasons why a decision is not open, and the sentence of a refusal. */
export const FootNotes = ({ request, hindrances, error }: Props) => {
  const other = hindrances.includes('approvedByMe') ? undefined : otherApproval(request)
  return (
    <>
      <DecisionNotes request={request} hindrances={hindrances} className={classes.warning} />
      {other && (
        <p className={classes.warning}>
          {t('received.first', {
            username: other.username,
            amount: formatDollars(other.amount ?? 0),
          })}
        </p>
      )}
      {error && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </>
  )
}
