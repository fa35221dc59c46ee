import { Button, TextInput } from '@mantine/core'
import { formatDollars } from '@pool/contract/base/money'
import { USUAL_STRESS } from '@pool/contract/lending/stress'
import { type FormEvent, useState } from 'react'
import { type ShownStress, useStress } from '../../../api/lending/stress.ts'
import { formatRate } from '../../../i18n/format.ts'
import { t } from '../../../i18n/stress.ts'
import { titleOf } from '../../../layout/map.ts'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { type SessionUser, useSessionUser } from '../../../session/store.ts'
import { ChartCard } from '../../../ui/chart/ChartCard.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import classes from './Stress.module.css'

const facts = ['outstanding', 'loss', 'capital', 'reserve'] as const

/** The operator's capital in loans. */
const capitalIn = ({ outstanding, lent }: ShownStress): number =>
  (Math.round(outstanding * 100) - Math.round(lent * 100)) / 100

/** Investors' principal in loans: from what default on it is lost, and how much. */
const Principal = ({ found }: { readonly found: ShownStress }) => (
  <>
    <p>
      {t('unsafe.principal', { amount: formatDollars(found.lent) })}{' '}
      {found.lostFrom === null
        ? t('unsafe.borne')
        : t('unsafe.begins', { percent: found.lostFrom })}
    </p>
    <p>
      {t('unsafe.lost', {
        covered: formatDollars(found.covered),
        lost: formatDollars(found.lost),
        share: formatRate(found.share),
      })}
    </p>
  </>
)

const Answer = ({ found }: { readonly found: ShownStress }) => (
  <section aria-labelledby="answer" className={classes.section}>
    <h2 id="answer" aria-live="polite">
      {t('answer', { percent: found.percent })}
    </h2>
    <dl className={classes.facts}>
      {facts.map((name) => (
        <div key={name}>
          <dt>{t(name)}</dt>
          <dd>{formatDollars(found[name])}</dd>
        </div>
      ))}
    </dl>
    <div className={classes.verdicts}>
      <div className={classes.verdict} data-safe>
        <h3>{t('safe')}</h3>
        <p>{t('safe.committed', { amount: formatDollars(found.committed) })}</p>
        {found.lent === 0 && <p>{t('safe.principal')}</p>}
      </div>
      <div className={classes.verdict}>
        <h3>{t('unsafe')}</h3>
        <p>{t('unsafe.capital', { amount: formatDollars(capitalIn(found)) })}</p>
        {found.lent > 0 && <Principal found={found} />}
      </div>
    </div>
  </section>
)

const Plans = ({ plans }: Pick<ShownStress, 'plans'>) => (
  <section aria-labelledby="plans" className={classes.section}>
    <h2 id="plans">{t('plans')}</h2>
    <p>{t('plans.text')}</p>
    <table className={classes.table} aria-labelledby="plans">
      <thead>
        <tr>
          <th scope="col">{t('plan')}</th>
          <th scope="col">{t('rate')}</th>
          <th scope="col">{t('principal')}</th>
        </tr>
      </thead>
      <tbody>
        {plans.map(({ durationDays, rateBasisPoints, principal }) => (
          <tr key={durationDays}>
            <th scope="row">{t('plan.days', { days: durationDays })}</th>
            <td>{formatRate(rateBasisPoints)}</td>
            <td>{formatDollars(principal)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** Days of the axis that have a label. */
const TICKS = 30

const Days = ({ days }: Pick<ShownStress, 'days'>) => {
  const short = days.find(({ left }) => left < 0)
  const names = days.map(({ day }) => String(day))
  return (
    <section aria-labelledby="days" className={classes.section}>
      <h2 id="days">{t('days')}</h2>
      <p role="status" className={classes.verdict} data-safe={short === undefined || undefined}>
        {short ? t('short', { day: short.day, amount: formatDollars(-short.left) }) : t('enough')}
      </p>
      <ChartCard
        title={t('chart')}
        heading={t('day')}
        failed={null}
        picture={{
          shape: 'area',
          isOrdered: true,
          points: names.map((name, day) => ({ name, tick: day % TICKS === 0 ? name : null })),
          series: [
            { label: t('left'), tone: 'accent', values: days.map(({ left }) => left) },
            { label: t('owed'), tone: 'amber', values: days.map(({ owed }) => owed) },
          ],
        }}
      />
    </section>
  )
}

const Question = () => {
  const [typed, setTyped] = useState(String(USUAL_STRESS))
  const [percent, setPercent] = useState(USUAL_STRESS)
  const [isWrong, setWrong] = useState(false)
  const query = useStress(percent, t('failed'))
  const { data } = query
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = !/^\s*(100|\d{1,2})\s*$/.test(typed)
    setWrong(wrong)
    if (wrong) return
    if (Number(typed) === percent) void query.refetch()
    setPercent(Number(typed))
  }
  return (
    <>
      <form className={classes.form} onSubmit={submit} noValidate>
        <TextInput
          label={t('percent')}
          inputMode="numeric"
          value={typed}
          error={isWrong && t('invalid')}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit">{t('count')}</Button>
      </form>
      {!data && <Pending query={query} failed={t('failed')} loading={t('loading')} />}
      {data && (
        <>
          <Answer found={data} />
          <Plans plans={data.plans} />
          <Days days={data.days} />
        </>
      )}
    </>
  )
}

const Screen = ({ user }: { readonly user: SessionUser }) => (
  <StaffPage user={user} page="stress" text={t('text')}>
    <Question />
  </StaffPage>
)

export const meta = () => [{ title: titleOf('stress') }]

/** The pool after many loans defaulted (docs/product.md 5.30). */
export default function Stress() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return user ? <Screen user={user} /> : null
}
