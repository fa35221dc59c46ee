import { DEFAULT_DESTINATION } from '@pool/contract/messages'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { TransactionRow } from '../../api/transactions.ts'
import { t } from '../../i18n/story.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { NetworkBadge } from '../../ui/NetworkBadge.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import classes from './StoryPanel.module.css'

const Warning = ({ children }: { children: string }) => (
  <p className={classes.warning}>
    <IconAlertTriangle size={17} aria-hidden />
    {children}
  </p>
)

/**
 * Where a withdrawal is paid in fact and since when that is known, as the server says at this moment (threats 6, 17): whoever approves must see an
 * address that was saved only after the withdrawal was asked for, and one that cannot be paid to at all.
 */
export const Payee = ({ transaction }: { transaction: TransactionRow }) => {
  const { payee, destinationAddress, networkName, status, createdAt } = transaction
  const isPending = status === 'PENDING'
  if (!payee) return isPending ? <Warning>{t('payee.none')}</Warning> : null
  const isSaved = destinationAddress === DEFAULT_DESTINATION
  const isNewer = isPending && isSaved && payee.since !== null && createdAt !== null && payee.since > createdAt
  const network = payee.networkName ?? networkName
  return (
    <div className={classes.address} data-payee>
      <div className={classes.payeeHead}>
        <h3>{t(isPending ? 'payee.pending' : 'payee')}</h3>
        {network ? <NetworkBadge network={network} /> : <span className={classes.aside}>{t('payee.anyNetwork')}</span>}
      </div>
      <code className={classes.code}>{payee.address}</code>
      {isSaved && payee.since && (
        <p className={classes.aside}>
          {t('payee.saved')} <DateTime at={payee.since} /> (<RelativeTime at={payee.since} />)
        </p>
      )}
      {!isSaved && <p className={classes.aside}>{t('payee.given')}</p>}
      {isNewer && <Warning>{t('payee.newer')}</Warning>}
    </div>
  )
}
