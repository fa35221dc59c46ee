import { isPaused } from '@pool/contract/messages'
import type { PauseName } from '@pool/contract/pauses'
import { usePauses } from '../../api/pauses.ts'
import classes from '../../ui/Notice.module.css'

/** The pauses and their reasons, all or those of one form. Announced politely. */
export const PausesBanner = ({ of }: { of?: PauseName }) => {
  const shown = usePauses().filter(({ name }) => of === undefined || name === of)
  return (
    <div role="status" className={classes.place}>
      {shown.length > 0 && (
        <div className={classes.notice}>
          {shown.map(({ name, reason }) => (
            <p key={name}>{isPaused[name](reason)}</p>
          ))}
        </div>
      )}
    </div>
  )
}
