import { Button } from '@mantine/core'
import { useState } from 'react'
import { type ShownReconciliation, useReconciliation } from '../../../api/coins/reconciliation.ts'
import { t } from '../../../i18n/reconciliation.ts'
import { titleOf } from '../../../layout/map.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { type SessionUser, useSessionUser } from '../../../session/store.ts'
import { Tag } from '../../../tables/cells.tsx'
import { CardLine, CardLines, Facts } from '../../../ui/CardLines.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'
import { Pending } from '../../../ui/Pending.tsx'
import { Capital } from './Capital.tsx'
import { Coins } from './Coins.tsx'
import { OwnAddresses } from './OwnAddresses.tsx'
import classes from './Reconciliation.module.css'

const AskDialog = dialogOnDemand(async () => (await import('./AskDialog.tsx')).AskDialog)

type NewestProps = { readonly newest: ShownReconciliation; readonly isPaused: boolean }

const Newest = ({ newest, isPaused }: NewestProps) => {
  const { id, at, isWhole, breaks, isUnpriced, limit, valuation } = newest
  const text = useDollarText()
  const mayAsk = useSessionUser()?.role === 'SUPER_ADMIN'
  const [isAsking, setAsking] = useState(false)
  const isAccepted = !isWhole && breaks === 0 && !isUnpriced
  const said = isAccepted ? t('accepted') : t('broken', { amount: text(breaks) })
  return (
    <>
      <div role="status" className={classes.verdict} data-whole={isWhole && !isPaused}>
        <p>
          <strong>{isWhole ? t('whole') : said}</strong>
        </p>
        {isUnpriced && <p>{t('unpriced')}</p>}
        {isPaused && <p>{t('paused')}</p>}
        <Facts>
          <span>
            {t('at')} <DateTime at={at} />
          </span>
          <span>{t('limit', { amount: text(limit) })}</span>
        </Facts>
        {isPaused && mayAsk && (
          <p>
            <Button size="sm" onClick={() => setAsking(true)}>
              {t('end')}
            </Button>
          </p>
        )}
      </div>
      <Coins newest={newest} />
      <section aria-labelledby="valuation" className={classes.section}>
        <h2 id="valuation">{t('valuation')}</h2>
        <p>{t('valuation.text')}</p>
        <Facts>
          <span>{t('valuation.custody', { amount: text(valuation.custody) })}</span>
          <span>{t('valuation.typed', { amount: text(valuation.typed) })}</span>
          <span>{t('valuation.coins', { amount: text(valuation.coins) })}</span>
          <span>{t('valuation.difference', { amount: text(valuation.difference) })}</span>
        </Facts>
      </section>
      {isAsking && (
        <AskDialog
          title={t('end.title')}
          text={t('end.about', { amount: text(breaks) })}
          asked={(reason) => ({ kind: 'END_BREAK', reconciliationId: id, amount: breaks, reason })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

type Summary = Pick<ShownReconciliation, 'id' | 'at' | 'isWhole' | 'breaks' | 'isPausing'>

const Earlier = ({ earlier }: { readonly earlier: readonly Summary[] }) => {
  const text = useDollarText()
  if (earlier.length === 0) return null
  return (
    <section aria-labelledby="earlier" className={classes.section}>
      <h2 id="earlier">{t('earlier')}</h2>
      <CardLines label={t('earlier')}>
        {earlier.map(({ id, at, isWhole, breaks, isPausing }) => (
          <CardLine key={id}>
            <Facts>
              <DateTime at={at} />
              <Tag tone={isWhole ? 'green' : 'red'}>
                {isWhole ? t('earlier.whole') : t('earlier.broken', { amount: text(breaks) })}
              </Tag>
              {isPausing && <Tag tone="red">{t('earlier.pausing')}</Tag>}
            </Facts>
          </CardLine>
        ))}
      </CardLines>
    </section>
  )
}

const Comparison = () => {
  const query = useReconciliation(t('failed'))
  const { data } = query
  if (!data) return <Pending query={query} failed={t('failed')} loading={t('loading')} />
  const { hasNodes, isPaused, newest, earlier } = data
  if (!hasNodes && !newest)
    return (
      <>
        <EmptyState title={t('empty')} text={t('empty.text')} />
        <Capital />
      </>
    )
  return (
    <>
      {newest ? (
        <Newest newest={newest} isPaused={isPaused} />
      ) : (
        <EmptyState title={t('none')} text={t('none.text')} />
      )}
      <section aria-labelledby="addresses" className={classes.section}>
        <h2 id="addresses">{t('addresses')}</h2>
        <p>{t('addresses.text')}</p>
        <OwnAddresses />
      </section>
      <Earlier earlier={earlier} />
      <Capital />
    </>
  )
}

const Screen = ({ user }: { user: SessionUser }) => (
  <StaffPage user={user} page="reconciliation" text={t('text')}>
    <Comparison />
  </StaffPage>
)

export const meta = () => [{ title: titleOf('reconciliation') }]

/** Coins on the chains beside the books, for staff (docs/product.md 5.25). */
export default function Reconciliation() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} /> : null
}
