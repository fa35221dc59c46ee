import { DEFAULT_DESTINATION } from '@pool/contract/requests/requests'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { type TransactionRow, waitsUntil } from '../../api/requests/transactions.ts'
import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/story.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { NetworkBadge } from '../../ui/NetworkBadge.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useNow } from '../../ui/useNow.ts'
import classes from './StoryPanel.module.css'

const Warning = ({ children }: { children: ReactNode }) => (
  <p className={classes.warning}>
    <IconAlertTriangle size={17} aria-hidden />
    <span>{children}</span>
  </p>
)

/**
 * The address that a withdrawal is paid to now (docs/threats.md T6, T17). Warns of one saved after
 * the request, and of a missing one.
 */
export const PayoutAddress = ({ transaction }: { transaction: TransactionRow }) => {
  const { payee, destinationAddress, networkName, status, createdAt } = transaction
  const waits = waitsUntil(transaction, useNow())
  const isPending = status === 'PENDING'
  if (!payee) return isPending ? <Warning>{t('paid.none')}</Warning> : null
  const isSaved = destinationAddress === DEFAULT_DESTINATION
  const isNewer =
    isPending && isSaved && payee.since !== null && createdAt !== null && payee.since > createdAt
  const network = payee.networkName ?? networkName
  return (
    <div className={classes.address} data-paid-address>
      <div className={classes.paidHead}>
        <h3>{t(isPending ? 'paid.pending' : 'paid')}</h3>
        {network ? (
          <NetworkBadge network={network} />
        ) : (
          <span className={classes.aside}>{t('paid.anyNetwork')}</span>
        )}
      </div>
      <code className={classes.code}>{payee.address}</code>
      {isSaved && payee.since && (
        <p className={classes.aside}>
          {t('paid.saved')} <DateTime at={payee.since} /> (<RelativeTime at={payee.since} />)
        </p>
      )}
      {!isSaved && <p className={classes.aside}>{t('paid.given')}</p>}
      {payee.firstNamed && (
        <p className={classes.aside}>
          {t('paid.firstNamed')} <DateTime at={payee.firstNamed} /> (
          <RelativeTime at={payee.firstNamed} />)
        </p>
      )}
      {isNewer && <Warning>{t('paid.newer')}</Warning>}
      {waits && (
        <Warning>
          {t('paid.waits')} <DateTime at={waits} />
        </Warning>
      )}
      {isPending && !network && configuration().poolMode === 'live' && (
        <Warning>{t('paid.network')}</Warning>
      )}
    </div>
  )
}
