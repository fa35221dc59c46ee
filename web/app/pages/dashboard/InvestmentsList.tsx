import type { UseQueryResult } from '@tanstack/react-query'
import type { InvestmentRow } from '../../api/investments.ts'
import { t } from '../../i18n/dashboard.ts'
import type { Column } from '../../ui/DataTable.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import { Money } from '../../ui/Money.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { ListCard } from './ListCard.tsx'
import classes from './lists.module.css'

const columns: readonly Column<InvestmentRow>[] = [
  {
    heading: t('investments.id'),
    // The start of an id tells rows apart; the whole of it is there to hover and to copy.
    cell: ({ id }) => (
      <span className={classes.id} title={id}>
        {id}
      </span>
    ),
  },
  {
    heading: t('investments.maturity'),
    cell: ({ maturityDate, maturityIsDay }) => <DateTime at={maturityDate} isDay={maturityIsDay} />,
  },
  {
    heading: t('investments.return'),
    numeric: true,
    // The interest alone looks like a loss to whoever takes it for the payout, so its principal stands with it (design §6).
    cell: ({ returnAmount, principal }) => (
      <>
        <Money dollars={returnAmount} />
        {returnAmount !== null && principal !== null && (
          <span className={classes.note}>
            <Principal dollars={principal} />
          </span>
        )}
      </>
    ),
  },
  { heading: t('transactions.status'), cell: ({ status }) => <StatusBadge status={status} /> },
]

const Principal = ({ dollars }: { dollars: number }) => t('investments.principal', { principal: useDollarText()(dollars) })

/** The investor's own investments (spec §2). */
export const InvestmentsList = ({ query }: { query: UseQueryResult<readonly InvestmentRow[]> }) => (
  <ListCard
    title={t('investments')}
    query={query}
    columns={columns}
    empty={<EmptyState title={t('investments.empty')} text={t('investments.empty.text')} />}
  />
)
