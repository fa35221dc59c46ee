import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { type BatchRow, useBatches } from '../../../api/coins/batches.ts'
import { configuration } from '../../../configuration.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/batches.ts'
import { titleOf } from '../../../layout/map.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { type SessionUser, useMayWrite, useSessionUser } from '../../../session/store.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import classes from './Batches.module.css'
import { BatchState } from './BatchState.tsx'

const BatchDialog = dialogOnDemand(
  async () => (await import('../../../panels/batches/BatchDialog.tsx')).BatchDialog,
)

const Line = ({ batch }: { readonly batch: BatchRow }) => {
  const { id, kind, state, network, coin, total, payouts, madeAt, madeBy } = batch
  return (
    <li className={classes.line}>
      <h2>
        <Link to={`/admin/batches/${id}`}>
          {total} {coin}
        </Link>
        <BatchState state={state} />
      </h2>
      <p className={classes.muted}>
        <span>{t(`kind.${kind ?? 'PAYOUT'}`)}</span>
        <span>{network}</span>
        <span>{t('payouts', { count: payouts ?? 0 })}</span>
        <span>{t('made', { name: madeBy ?? t('somebody') })}</span>
        <DateTime at={madeAt} />
      </p>
    </li>
  )
}

const List = () => {
  const query = useBatches(t('failed'))
  const { data: batches } = query
  if (!batches) return <Pending query={query} failed={t('failed')} loading={t('loading')} />
  return (
    <div className={classes.card}>
      {batches.length === 0 && <EmptyState title={t('empty')} text={t('empty.text')} />}
      <ul className={classes.lines} aria-label={t('list')}>
        {batches.map((batch) => (
          <Line key={batch.id} batch={batch} />
        ))}
      </ul>
    </div>
  )
}

const Screen = ({ user }: { readonly user: SessionUser }) => {
  const collecting = useSubject<true>()
  const mayWrite = useMayWrite()
  return (
    <StaffPage user={user} page="batches" text={t('text')}>
      {mayWrite && configuration().chains !== '' && (
        <div className={classes.actions}>
          <Button variant="default" onClick={() => collecting.open(true)}>
            {t('collect')}
          </Button>
        </div>
      )}
      <List />
      {collecting.row && <BatchDialog opened={collecting.opened} onClose={collecting.close} />}
    </StaffPage>
  )
}

export const meta = () => [{ title: titleOf('batches') }]

/** The batches of payments that are signed outside, for staff (docs/product.md 3.36). */
export default function Batches() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} /> : null
}
