import { Button } from '@mantine/core'
import { type RateRow, useRates } from '../../../api/chain/rates.ts'
import { useSubject } from '../../../forms/useSubject.ts'
import { t } from '../../../i18n/rates.ts'
import { titleOf } from '../../../layout/map.ts'
import { dialogOnDemand, onDemand } from '../../../loading/onDemand.tsx'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { type SessionUser, useMayWrite, useSessionUser } from '../../../session/store.ts'
import { Tag } from '../../../tables/cells.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { RecentTime } from '../../../ui/RelativeTime.tsx'
import { rateText } from '../../../ui/rateText.ts'
import classes from './Rates.module.css'

const SetRateDialog = dialogOnDemand(
  async () => (await import('./SetRateDialog.tsx')).SetRateDialog,
)
const Waiting = onDemand(async () => (await import('../../admin/wallets/Waiting.tsx')).Waiting)

const tones = { counts: 'green', old: 'amber', far: 'amber', none: 'grey' } as const

/** The last reading of the price URLs of a coin. */
const Sources = ({ coin, reading }: Pick<RateRow, 'coin' | 'reading'>) => {
  if (!reading) return null
  return (
    <div className={classes.sources}>
      <p>
        {t('sources.read')} · <RecentTime at={reading.at} />
      </p>
      <ul aria-label={t('sources', { coin })}>
        {reading.prices.map(({ host, dollars }) => (
          <li key={host}>
            <span>{host}</span>
            <span>{dollars === null ? t('price.none') : rateText(dollars)}</span>
          </li>
        ))}
      </ul>
      {reading.problem && <p className={classes.problem}>{t(`problem.${reading.problem}`)}</p>}
    </div>
  )
}

const sourceOf = ({ source, setBy }: RateRow): string =>
  source === 'MEDIAN' ? t('source.MEDIAN') : t('source.SET', { name: setBy ?? '' })

const Card = ({ row, onSet }: { readonly row: RateRow; readonly onSet: () => void }) => {
  const { coin, dollars, source, at, isDollar, state, reading } = row
  const mayWrite = useMayWrite()
  return (
    <li className={classes.card} aria-label={coin}>
      <div className={classes.head}>
        <strong>{coin}</strong>
        <Tag tone={tones[state]}>
          {t(state === 'counts' && isDollar ? 'state.one' : `state.${state}`)}
        </Tag>
        {mayWrite && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t('set.named', { coin })}
            onClick={onSet}
          >
            {t('set')}
          </Button>
        )}
      </div>
      <p className={classes.dollars}>{dollars === null ? t('none') : rateText(dollars)}</p>
      {source && (
        <p className={classes.facts}>
          {sourceOf(row)} · <RecentTime at={at} />
        </p>
      )}
      <Sources coin={coin} reading={reading} />
    </li>
  )
}

const List = () => {
  const query = useRates(t('failed'))
  const { data: rates } = query
  const setting = useSubject<RateRow>()
  if (!rates) return <Pending query={query} failed={t('failed')} loading={t('loading')} />
  return (
    <>
      <ul className={classes.cards} aria-label={t('list')}>
        {rates.map((row) => (
          <Card key={row.coin} row={row} onSet={() => setting.open(row)} />
        ))}
      </ul>
      {setting.row && (
        <SetRateDialog rate={setting.row} opened={setting.opened} onClose={setting.close} />
      )}
    </>
  )
}

const Screen = ({ user }: { user: SessionUser }) => (
  <StaffPage user={user} page="rates" text={t('text')}>
    <Waiting of="rates" />
    <List />
  </StaffPage>
)

export const meta = () => [{ title: titleOf('rates') }]

/** The dollars that each coin counts as, for staff (docs/product.md 3.34). */
export default function Rates() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} /> : null
}
