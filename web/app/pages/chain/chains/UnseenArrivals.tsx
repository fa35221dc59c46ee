import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { type Unseen, useSettleUnseen, useUnseen } from '../../../api/coins/unseen.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/chains.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { useMayWrite } from '../../../session/store.ts'
import { Code, Tag } from '../../../tables/cells.tsx'
import { CardLine, CardLines, Facts } from '../../../ui/CardLines.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Pending } from '../../../ui/Pending.tsx'

const SettleDialog = dialogOnDemand(async () => (await import('./SettleDialog.tsx')).SettleDialog)

const Line = ({ arrival, onSettle }: { arrival: Unseen; onSettle: () => void }) => {
  const { network, address, userId, asset, amount, above, height, foundAt } = arrival
  const { settledAt, settledBy, reason } = arrival
  const mayWrite = useMayWrite()
  return (
    <CardLine
      title={
        <>
          {t('unseen.amount', { coins: `${amount} ${asset}` })}
          <Tag tone={settledAt ? 'grey' : 'red'}>
            {t(settledAt ? 'unseen.settled' : 'unseen.open')}
          </Tag>
          {!settledAt && mayWrite && (
            <Button
              variant="default"
              size="compact-sm"
              aria-label={t('settle.named', { coins: `${amount} ${asset}` })}
              onClick={onSettle}
            >
              {t('settle')}
            </Button>
          )}
        </>
      }
    >
      <Facts>
        <span>{network}</span>
        <Code text={address} />
        <span>
          {t('unseen.blocks', { from: String((above ?? 0) + 1), to: String(height ?? 0) })}
        </span>
        <DateTime at={foundAt} />
        {userId ? (
          <Link to={`/admin/users/${userId}`}>{t('person')}</Link>
        ) : (
          <span>{t('nobody')}</span>
        )}
      </Facts>
      {settledAt && (
        <Facts>
          <span>{settledBy ? t('unseen.by', { name: settledBy }) : t('unseen.settled')}</span>
          <DateTime at={settledAt} />
          <q>{reason}</q>
        </Facts>
      )}
    </CardLine>
  )
}

/** Coins by which balances grew beyond the payments, for staff to settle. */
export const UnseenArrivals = () => {
  const query = useUnseen(t('unseen.failed'))
  const { data: arrivals } = query
  const settling = useSubject<Unseen>()
  const settle = useSettleUnseen(t('settle.failed'))
  if (!arrivals) return <Pending query={query} failed={t('unseen.failed')} loading={t('loading')} />
  return (
    <>
      <CardLines
        label={t('unseen')}
        empty={<EmptyState title={t('unseen.empty')} text={t('unseen.empty.text')} />}
      >
        {arrivals.map((arrival) => (
          <Line key={arrival.id} arrival={arrival} onSettle={() => settling.open(arrival)} />
        ))}
      </CardLines>
      {settling.row && (
        <SettleDialog
          id={settling.row.id}
          title={t('settle.title')}
          text={t('settle.text', { coins: `${settling.row.amount} ${settling.row.asset}` })}
          failed={t('settle.failed')}
          settle={settle}
          opened={settling.opened}
          onClose={settling.close}
        />
      )}
    </>
  )
}
