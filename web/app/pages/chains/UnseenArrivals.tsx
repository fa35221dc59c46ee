import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { type Unseen, useSettleUnseen, useUnseen } from '../../api/unseen.ts'
import { useSubject } from '../../forms/useSubject.ts'
import { t } from '../../i18n/chains.ts'
import { dialogOnDemand } from '../../loading/onDemand.tsx'
import { useMayWrite } from '../../session/store.ts'
import { Code, Tag } from '../../tables/cells.tsx'
import { DateTime } from '../../ui/DateTime.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pending } from '../../ui/Pending.tsx'
import classes from './Chains.module.css'

const SettleDialog = dialogOnDemand(async () => (await import('./SettleDialog.tsx')).SettleDialog)

const Line = ({ arrival, onSettle }: { arrival: Unseen; onSettle: () => void }) => {
  const { network, address, userId, asset, amount, above, height, foundAt } = arrival
  const { settledAt, settledBy, reason } = arrival
  const mayWrite = useMayWrite()
  return (
    <li className={classes.line}>
      <h3>
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
      </h3>
      <p className={classes.facts}>
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
      </p>
      {settledAt && (
        <p className={classes.facts}>
          <span>{settledBy ? t('unseen.by', { name: settledBy }) : t('unseen.settled')}</span>
          <DateTime at={settledAt} />
          <q>{reason}</q>
        </p>
      )}
    </li>
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
    <div className={classes.card}>
      {arrivals.length === 0 && (
        <EmptyState title={t('unseen.empty')} text={t('unseen.empty.text')} />
      )}
      <ul className={classes.lines} aria-label={t('unseen')}>
        {arrivals.map((arrival) => (
          <Line key={arrival.id} arrival={arrival} onSettle={() => settling.open(arrival)} />
        ))}
      </ul>
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
    </div>
  )
}
