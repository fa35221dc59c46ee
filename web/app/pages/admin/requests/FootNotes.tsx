import { formatDollars } from '@pool/contract/money'
import type { ReactNode } from 'react'
import type { TransactionRow } from '../../../api/transactions.ts'
import { t as admin } from '../../../i18n/admin.ts'
import { t } from '../../../i18n/queue.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { isOpen, lacksNetwork, otherApproval } from '../decisions/requests.ts'
import classes from '../queue/QueuePanel.module.css'

type Props = {
  readonly request: TransactionRow
  readonly shown: TransactionRow | null
  readonly isApprovedByMe: boolean
  readonly waits: Date | null
  readonly error: string | null
}

/** The reasons why a decision is not open, and the sentence of a refusal. */
export const FootNotes = ({ request, shown, isApprovedByMe, waits, error }: Props) => {
  const { exceeds, approvals } = request
  const other = otherApproval(request)
  const warnings: ReactNode[] = [
    isApprovedByMe && t('mine'),
    !isApprovedByMe && exceeds && approvals.length === 0 && admin(`exceeds.${exceeds}`),
    other &&
      !isApprovedByMe &&
      t('received.first', {
        username: other.username,
        amount: formatDollars(other.amount ?? 0),
      }),
    waits && (
      <>
        {t('waits')} <DateTime at={waits} />
      </>
    ),
    shown && isOpen(request) && lacksNetwork(shown) && t('noNetwork'),
  ].filter(Boolean)
  return (
    <>
      {warnings.map((warning, index) => (
        <p key={index} className={classes.warning}>
          {warning}
        </p>
      ))}
      {error && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </>
  )
}
