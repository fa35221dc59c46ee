import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { type ShownLosses, useLosses } from '../../../api/lending/losses.ts'
import { formatMoment } from '../../../i18n/format.ts'
import { t } from '../../../i18n/losses.ts'
import { titleOf } from '../../../layout/map.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { type SessionUser, useSessionUser } from '../../../session/store.ts'
import { CardLine, CardLines, Facts } from '../../../ui/CardLines.tsx'
import { DateTime } from '../../../ui/DateTime.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'
import { Pending } from '../../../ui/Pending.tsx'
import classes from './Losses.module.css'

const EndDialog = dialogOnDemand(async () => (await import('./EndDialog.tsx')).EndDialog)

const Open = ({ book }: { readonly book: ShownLosses }) => {
  const { lossId, open, free, invested, sharedAt } = book
  const text = useDollarText()
  const mayAsk = useSessionUser()?.role === 'SUPER_ADMIN'
  const [asking, setAsking] = useState<'bear' | 'share'>()
  const missing = Math.round((open - free) * 100) / 100
  return (
    <>
      <div role="status" className={classes.verdict} data-open={open > 0}>
        <p>
          <strong>{open > 0 ? t('open', { amount: text(open) }) : t('none')}</strong>
        </p>
        {open > 0 && <p>{t('open.text', { free: text(free) })}</p>}
        {open > 0 && missing > 0 && <p>{t('open.short', { missing: text(missing) })}</p>}
        {open > invested && <p>{t('share.tooLarge', { invested: text(invested) })}</p>}
        {open > 0 && sharedAt && (
          <p>
            <strong>{t('announced', { at: formatMoment(sharedAt) })}</strong>
          </p>
        )}
        {open > 0 && mayAsk && (
          <p className={classes.ends}>
            <Button size="sm" disabled={missing > 0} onClick={() => setAsking('bear')}>
              {t('bear')}
            </Button>
            <Button
              size="sm"
              variant="default"
              disabled={open > invested || sharedAt !== null}
              onClick={() => setAsking('share')}
            >
              {t('share')}
            </Button>
          </p>
        )}
      </div>
      {asking && lossId !== null && (
        <EndDialog end={asking} book={{ ...book, lossId }} onClose={() => setAsking(undefined)} />
      )}
    </>
  )
}

const WriteOffs = ({ lines }: Pick<ShownLosses, 'lines'>) => {
  const text = useDollarText()
  if (lines.length === 0) return <EmptyState title={t('empty')} />
  return (
    <CardLines label={t('list')}>
      {lines.map(({ loanId, borrower, at, capital, covered, lost, borneBy, returned }) => (
        <CardLine key={loanId} isTop title={<Link to={`/admin/loans/${loanId}`}>{borrower}</Link>}>
          <Facts>
            <DateTime at={at} />
            <span>{t('capital', { amount: text(capital) })}</span>
            <span>{t('covered', { amount: text(covered) })}</span>
            <span>{t('lost', { amount: text(lost) })}</span>
            {lost > 0 && borneBy && <span>{t(`borneBy.${borneBy}`)}</span>}
            {returned > 0 && <span>{t('returned', { amount: text(returned) })}</span>}
          </Facts>
        </CardLine>
      ))}
    </CardLines>
  )
}

const Book = () => {
  const query = useLosses(t('failed'))
  const { data } = query
  if (!data) return <Pending query={query} failed={t('failed')} loading={t('loading')} />
  return (
    <>
      <Open book={data} />
      <WriteOffs lines={data.lines} />
    </>
  )
}

const Screen = ({ user }: { user: SessionUser }) => (
  <StaffPage user={user} page="losses" text={t('text')}>
    <Book />
  </StaffPage>
)

export const meta = () => [{ title: titleOf('losses') }]

/** Losses of investors' principal and who bears them, for staff (docs/product.md 5.32). */
export default function Losses() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} /> : null
}
