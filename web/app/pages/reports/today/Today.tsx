import { formatDollars } from '@pool/contract/base/money'
import { todayPaths } from '@pool/contract/reports/todayPaths'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { usePoolBook } from '../../../api/lending/poolBook.ts'
import { type ShownToday, useToday } from '../../../api/reports/today.ts'
import { dateFormat, formatMoment } from '../../../i18n/format.ts'
import { t as paidMonths } from '../../../i18n/paidMonths.ts'
import { t } from '../../../i18n/today.ts'
import { titleOf } from '../../../layout/map.ts'
import { PaidBy } from '../../../panels/paidBy/PaidBy.tsx'
import { PaidMonths } from '../../../panels/paidBy/PaidMonths.tsx'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { useSessionUser } from '../../../session/store.ts'
import { Money } from '../../../ui/Money.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import classes from './Today.module.css'

const pathsOf = ({ since }: ShownToday) => todayPaths(since?.toISOString().slice(0, 10) ?? '')

type LineProps = {
  readonly to: string
  readonly label: string
  readonly isGrave?: boolean
  readonly children?: ReactNode
}

const Line = ({ to, label, isGrave = false, children }: LineProps) => (
  <li>
    <Link to={to} className={classes.line} data-grave={isGrave || undefined}>
      <span>{label}</span>
      <span className={classes.figures}>{children}</span>
    </Link>
  </li>
)

type SumProps = Omit<LineProps, 'children'> & { readonly sum: ShownToday['moneyIn'] }

/** A number of rows and their dollars. */
const Sum = ({ sum: { count, amount }, ...line }: SumProps) => (
  <Line {...line}>
    <span>{count}</span>
    <strong>
      <Money dollars={amount} />
    </strong>
  </Line>
)

const Attention = ({ found }: { readonly found: ShownToday }) => {
  const { late, breaks, alarms, pauses: paused } = found
  const paths = pathsOf(found)
  if (late.count === 0 && breaks === 0 && alarms === 0 && paused.length === 0)
    return <p className={classes.quiet}>{t('quiet')}</p>
  return (
    <ul className={classes.lines}>
      {late.count > 0 && <Sum to={paths.late} label={t('late')} sum={late} isGrave />}
      {breaks > 0 && (
        <Line to={paths.breaks} label={t('breaks')} isGrave>
          {breaks}
        </Line>
      )}
      {alarms > 0 && (
        <Line to={paths.alarms} label={t('alarms')} isGrave>
          {alarms}
        </Line>
      )}
      {paused.map(({ name, since }) => (
        <Line
          key={name}
          to={paths.paused}
          label={t('paused', { name, at: since ? formatMoment(since) : '' })}
          isGrave
        />
      ))}
    </ul>
  )
}

const Decisions = ({ found }: { readonly found: ShownToday }) =>
  found.decisions.length === 0 ? (
    <p className={classes.quiet}>{t('undecided')}</p>
  ) : (
    <ul className={classes.lines}>
      {found.decisions.map(({ username, count, amount }) => (
        <Line key={username} to={pathsOf(found).decided(username)} label={username}>
          <span>{t('decided', { count })}</span>
          <strong>
            <Money dollars={amount} />
          </strong>
        </Line>
      ))}
    </ul>
  )

const Found = ({ found }: { readonly found: ShownToday }) => {
  const paths = pathsOf(found)
  return (
    <div className={classes.parts}>
      <section aria-labelledby="attention">
        <h2 id="attention">{t('attention')}</h2>
        <Attention found={found} />
      </section>
      <section aria-labelledby="money">
        <h2 id="money">{t('money')}</h2>
        <ul className={classes.lines}>
          <Sum to={paths.moneyIn} label={t('moneyIn')} sum={found.moneyIn} />
          <Sum to={paths.moneyOut} label={t('moneyOut')} sum={found.moneyOut} />
          <Sum to={paths.invested} label={t('invested')} sum={found.invested} />
          <Sum to={paths.matured} label={t('matured')} sum={found.matured} />
        </ul>
      </section>
      <section aria-labelledby="decisions">
        <h2 id="decisions">{t('decisions')}</h2>
        <Decisions found={found} />
      </section>
    </div>
  )
}

/** Interest and its payers, as on `/pool`. */
const Interest = () => {
  const { data: pool } = usePoolBook()
  if (!pool) return null
  const { promised, paid, months } = pool.interest
  const sums = { promised: formatDollars(promised), paid: formatDollars(paid) }
  return (
    <section aria-labelledby="interest" className={classes.interest}>
      <h2 id="interest">{paidMonths('interest')}</h2>
      <PaidBy pool={pool} />
      <p>{paidMonths('sums', sums)}</p>
      <PaidMonths months={months} />
    </section>
  )
}

const day = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

const Content = () => {
  const query = useToday(t('failed'))
  const { data } = query
  if (!data) return <Pending query={query} failed={t('failed')} loading={t('loading')} />
  return (
    <>
      {data.since && (
        <p className={classes.since}>{t('since', { at: day().format(data.since) })}</p>
      )}
      <p className={classes.since}>
        <Link to="/security">{t('mail.choose')}</Link>
      </p>
      <Found found={data} />
      <Interest />
    </>
  )
}

export const meta = () => [{ title: titleOf('today') }]

/** The day since yesterday began, for staff (docs/product.md 3.46). */
export default function Today() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return (
    user && (
      <StaffPage user={user} page="today">
        <Content />
      </StaffPage>
    )
  )
}
