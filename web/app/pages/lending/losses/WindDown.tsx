import { Button } from '@mantine/core'
import { useState } from 'react'
import { type ShownWindDown, useWindDown } from '../../../api/lending/windDown.ts'
import { formatMoment } from '../../../i18n/format.ts'
import { t } from '../../../i18n/losses.ts'
import { titleOf } from '../../../layout/map.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { StaffPage } from '../../../panels/staffPage/StaffPage.tsx'
import { useSessionUser } from '../../../session/store.ts'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'
import { Pending } from '../../../ui/Pending.tsx'
import classes from './Losses.module.css'

const StepDialog = dialogOnDemand(async () => (await import('./StepDialog.tsx')).StepDialog)

const sums = [
  'invested',
  'committed',
  'outgoing',
  'held',
  'available',
  'outstanding',
  'reserve',
  'capital',
  'taken',
] as const

/** The sentences on how far it is. */
const State = ({ found }: { readonly found: ShownWindDown }) => {
  const { since, lastMaturity, claimsUntil, owed, reserve } = found
  const text = useDollarText()
  if (!since) return <p>{t('end.runs')}</p>
  return (
    <>
      <p>
        <strong>{t('end.since', { at: formatMoment(since) })}</strong>
      </p>
      {lastMaturity && <p>{t('end.lastMaturity', { at: formatMoment(lastMaturity) })}</p>}
      {owed > 0 ? (
        <p>{t('end.owed', { amount: text(owed) })}</p>
      ) : (
        <p>{t(reserve === 0 ? 'end.zero' : 'end.done')}</p>
      )}
      {claimsUntil && <p>{t('end.claims', { at: formatMoment(claimsUntil) })}</p>}
    </>
  )
}

const Found = ({ found }: { readonly found: ShownWindDown }) => {
  const { since, owed, reserve, taken, holders, repayments } = found
  const text = useDollarText()
  const mayAsk = useSessionUser()?.role === 'SUPER_ADMIN'
  const [step, setStep] = useState<'begin' | 'stop' | 'take'>()
  return (
    <>
      <div role="status" className={classes.verdict}>
        <State found={found} />
        {mayAsk && (
          <p className={classes.ends}>
            {!since && (
              <Button size="sm" variant="default" onClick={() => setStep('begin')}>
                {t('begin')}
              </Button>
            )}
            {since && (
              <Button
                size="sm"
                disabled={owed > 0 || reserve === 0}
                onClick={() => setStep('take')}
              >
                {t('take')}
              </Button>
            )}
            {since && taken === 0 && (
              <Button size="sm" variant="default" onClick={() => setStep('stop')}>
                {t('stop')}
              </Button>
            )}
          </p>
        )}
      </div>
      {since && (
        <dl className={classes.sums}>
          {sums.map((name) => (
            <div key={name}>
              <dt>{t(`end.${name}`, { holders })}</dt>
              <dd>{text(found[name])}</dd>
            </div>
          ))}
        </dl>
      )}
      {step && (
        <StepDialog
          step={step}
          amount={reserve}
          repayments={repayments}
          onClose={() => setStep(undefined)}
        />
      )}
    </>
  )
}

const Progress = () => {
  const query = useWindDown(t('end.failed'))
  const { data } = query
  return data ? (
    <Found found={data} />
  ) : (
    <Pending query={query} failed={t('end.failed')} loading={t('end.loading')} />
  )
}

export const meta = () => [{ title: titleOf('windDown') }]

/** The end of the pool: how far it is, and the steps that two super admins take (5.42). */
export default function WindDown() {
  const user = useSessionUser()
  // Null between a logout and the guard's redirect.
  return (
    user && (
      <StaffPage user={user} page="windDown" text={t('end.text')}>
        <Progress />
      </StaffPage>
    )
  )
}
