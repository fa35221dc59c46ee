import { Button } from '@mantine/core'
import { planIsClosed } from '@pool/contract/base/messages'
import { formatDollars } from '@pool/contract/base/money'
import { useState } from 'react'
import { usePlanVersions, type VersionRow } from '../../../api/money/planVersions.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { formatRate } from '../../../i18n/format.ts'
import { t } from '../../../i18n/plans.ts'
import { titleOf } from '../../../layout/map.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { draftedDialog } from '../../../session/drafts.ts'
import { type SessionUser, useSessionUser } from '../../../session/store.ts'
import { Tag } from '../../../tables/cells.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import classes from './Plans.module.css'

const PlanDialog = dialogOnDemand(async () => (await import('./PlanDialog.tsx')).PlanDialog)

const boundsOf = ({ least, most }: VersionRow): string =>
  most === null
    ? t('from', { amount: formatDollars(least) })
    : t('between', { least: formatDollars(least), most: formatDollars(most) })

const Version = ({ row }: { readonly row: VersionRow }) => (
  <li className={classes.version}>
    <p className={classes.terms}>
      <strong>{t('version', { version: row.version })}</strong>
      {row.state && <span>{t(`state.${row.state}`)}</span>}
      <span>{formatRate(row.rateBasisPoints)}</span>
      <span>{boundsOf(row)}</span>
      {row.capacity !== null && (
        <span>{t('capacity', { amount: formatDollars(row.capacity) })}</span>
      )}
      {row.leastRunway !== null && <span>{t('leastRunway', { days: row.leastRunway })}</span>}
      <span>{t(row.isOpen ? 'tag.open' : 'tag.closed')}</span>
    </p>
    <p className={classes.facts}>
      {row.startsAt ? (
        <>
          {t('since')} <DateTime at={row.startsAt} />
        </>
      ) : (
        t('first')
      )}
      {row.askedBy && <> · {t('people', { asked: row.askedBy, approved: row.approvedBy ?? '' })}</>}
    </p>
    {row.reason && <p className={classes.facts}>{row.reason}</p>}
  </li>
)

const State = ({ row }: { readonly row: VersionRow }) => {
  if (row.state !== 'current') return <Tag tone="grey">{t('tag.coming')}</Tag>
  if (row.closed) return <Tag tone="amber">{t(`tag.${row.closed}`)}</Tag>
  return <Tag tone="green">{t('tag.open')}</Tag>
}

type PlanProps = {
  /** The versions of one plan, newest first. */
  readonly versions: readonly VersionRow[]
  readonly onChange: ((row: VersionRow) => void) | undefined
}

const Plan = ({ versions, onChange }: PlanProps) => {
  const current = versions.find(({ state }) => state === 'current')
  const [row] = current ? [current] : versions
  if (!row) return null
  const days = row.durationDays
  const atWork = formatDollars(row.atWork)
  return (
    <li className={classes.plan} aria-label={t('plan', { days })}>
      <div className={classes.head}>
        <h2>{t('plan.rate', { days, rate: formatRate(row.rateBasisPoints) })}</h2>
        <State row={row} />
        {onChange && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t('change.named', { days })}
            onClick={() => onChange(versions[0] ?? row)}
          >
            {t('change')}
          </Button>
        )}
      </div>
      <p className={classes.facts}>
        {boundsOf(row)} ·{' '}
        {row.capacity === null
          ? t('atWork', { amount: atWork })
          : t('atWork.of', { amount: atWork, capacity: formatDollars(row.capacity) })}
      </p>
      {row.closed && <p className={classes.closed}>{planIsClosed[row.closed]}</p>}
      <ul className={classes.versions} aria-label={t('versions', { days })}>
        {versions.map((each) => (
          <Version key={each.id} row={each} />
        ))}
      </ul>
    </li>
  )
}

const plansOf = (rows: readonly VersionRow[]): readonly (readonly VersionRow[])[] => [
  ...Map.groupBy(rows, ({ durationDays }) => durationDays).values(),
]

const List = ({ mayAsk, userId }: { readonly mayAsk: boolean; readonly userId: string }) => {
  // A dialog that the last session ended in opens again.
  const [drafted, setDrafted] = useState(draftedDialog(userId))
  const query = usePlanVersions(t('failed'))
  const { data: rows } = query
  const asking = useSubject<VersionRow | 'new'>()
  if (!rows) return <Pending query={query} failed={t('failed')} loading={t('loading')} />
  const resumed =
    drafted === 'plan new' ? 'new' : rows.find((row) => drafted === `plan ${row.durationDays}`)
  const asked = asking.opened ? asking.row : mayAsk && resumed
  return (
    <>
      {mayAsk && (
        <p className={classes.actions}>
          <Button variant="default" size="sm" onClick={() => asking.open('new')}>
            {t('new')}
          </Button>
        </p>
      )}
      <ul className={classes.plans} aria-label={t('list')}>
        {plansOf(rows).map((versions) => (
          <Plan
            key={versions[0]?.durationDays}
            versions={versions}
            onChange={mayAsk ? asking.open : undefined}
          />
        ))}
      </ul>
      {asked && (
        <PlanDialog
          before={asked === 'new' ? null : asked}
          opened
          onClose={() => {
            asking.close()
            setDrafted(null)
          }}
        />
      )}
    </>
  )
}

const Screen = ({ user }: { user: SessionUser }) => (
  <StaffPage user={user} page="plans" text={t('text')}>
    <List mayAsk={user.role === 'SUPER_ADMIN'} userId={user.id} />
  </StaffPage>
)

export const meta = () => [{ title: titleOf('plans') }]

/** Every version of every plan, and the way to ask for one (docs/product.md 3.38). */
export default function Plans() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} /> : null
}
