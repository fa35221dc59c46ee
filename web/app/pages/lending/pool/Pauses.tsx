import { isPaused } from '@pool/contract/base/messages'
import { usePauses } from '../../../api/money/pauses.ts'
import { announcedIn, pauseReason } from '../../../i18n/named.ts'
import { t } from '../../../i18n/pool.ts'
import classes from './Pool.module.css'

/** The pauses of this moment and an announced loss, or that everything is open. */
export const Pauses = () => {
  const pauses = usePauses()
  const sharing = announcedIn(pauses)
  if (pauses.length === 0) return <p className={classes.at}>{t('trust.running')}</p>
  return (
    <div className={classes.proves}>
      {pauses.map(({ name, reason }) => (
        <p key={name}>{isPaused[name](pauseReason(reason))}</p>
      ))}
      {sharing && <p>{sharing}</p>}
    </div>
  )
}
