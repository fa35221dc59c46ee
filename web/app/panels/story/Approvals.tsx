import type { TransactionRow } from '../../api/requests/transactions.ts'
import { t } from '../../i18n/story.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Money } from '../../ui/Money.tsx'
import classes from './Approvals.module.css'

/** The approvals so far, for staff, with amounts that differ. Empty where one person decides. */
export const Approvals = ({
  transaction: { amount: asked, approvals, approvalsNeeded, status },
}: {
  transaction: TransactionRow
}) => {
  if (approvalsNeeded < 2 || status !== 'PENDING') return null
  return (
    <div className={classes.approvals}>
      <p className={classes.count}>
        <span className={classes.pips} aria-hidden>
          {Array.from({ length: approvalsNeeded }, (_, place) => (
            <i key={place} data-given={place < approvals.length} />
          ))}
        </span>
        {t('approvals.count', { given: approvals.length, needed: approvalsNeeded })}
      </p>
      {approvals.map(({ username, amount, at }) => (
        <p key={username}>
          {t('by.named', { username })} {t('approvals.at')} <DateTime at={at} />
          {amount !== null && amount !== asked && (
            <>
              {' · '}
              {t('received')} <Money dollars={amount} always />
            </>
          )}
        </p>
      ))}
    </div>
  )
}
