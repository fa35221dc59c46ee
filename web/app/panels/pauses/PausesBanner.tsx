import { isPaused } from '@pool/contract/base/messages'
import {
  BREAK_REASON,
  LOSS_REASON,
  type PauseName,
  WIND_DOWN_REASON,
} from '@pool/contract/money/pauses'
import { Link } from 'react-router'
import { usePauses } from '../../api/money/pauses.ts'
import { common } from '../../i18n/common.ts'
import { announcedIn, pauseReason } from '../../i18n/named.ts'
import classes from '../../ui/Notice.module.css'

/** The pauses and their reasons, all or those of one form. Announced politely. */
export const PausesBanner = ({ of, forStaff }: { of?: PauseName; forStaff?: true }) => {
  const found = usePauses().filter(({ name }) => of === undefined || name === of)
  const ending = found.find(({ reason }) => reason === WIND_DOWN_REASON)
  // A wind-down is said once, for all that it pauses.
  const shown = found.filter((each) => each.reason !== WIND_DOWN_REASON || each === ending)
  const sharing = announcedIn(shown)
  return (
    <div role="status" className={classes.place}>
      {shown.length > 0 && (
        <div className={classes.notice}>
          {shown.map(({ name, reason }) => (
            <p key={name}>
              {reason === WIND_DOWN_REASON
                ? pauseReason(reason)
                : isPaused[name](pauseReason(reason))}{' '}
              {forStaff && reason === BREAK_REASON && (
                <Link to="/admin/reconciliation">{common('reason.break.more')}</Link>
              )}
              {forStaff && reason === LOSS_REASON && (
                <Link to="/admin/losses">{common('reason.loss.more')}</Link>
              )}
              {forStaff && reason === WIND_DOWN_REASON && (
                <Link to="/admin/wind-down">{common('reason.windDown.more')}</Link>
              )}
            </p>
          ))}
          {sharing && <p>{sharing}</p>}
        </div>
      )}
    </div>
  )
}
