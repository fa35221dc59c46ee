import { isPaused } from '@pool/contract/messages'
import { BREAK_REASON, LOSS_REASON, type PauseName } from '@pool/contract/pauses'
import { Link } from 'react-router'
import { usePauses } from '../../api/pauses.ts'
import { common } from '../../i18n/common.ts'
import { announcedIn, pauseReason } from '../../i18n/named.ts'
import classes from '../../ui/Notice.module.css'

/** The pauses and their reasons, all or those of one form. Announced politely. */
export const PausesBanner = ({ of, forStaff }: { of?: PauseName; forStaff?: true }) => {
  const shown = usePauses().filter(({ name }) => of === undefined || name === of)
  const sharing = announcedIn(shown)
  return (
    <div role="status" className={classes.place}>
      {shown.length > 0 && (
        <div className={classes.notice}>
          {shown.map(({ name, reason }) => (
            <p key={name}>
              {isPaused[name](pauseReason(reason))}{' '}
              {forStaff && reason === BREAK_REASON && (
                <Link to="/admin/reconciliation">{common('reason.break.more')}</Link>
              )}
              {forStaff && reason === LOSS_REASON && (
                <Link to="/admin/losses">{common('reason.loss.more')}</Link>
              )}
            </p>
          ))}
          {sharing && <p>{sharing}</p>}
        </div>
      )}
    </div>
  )
}
