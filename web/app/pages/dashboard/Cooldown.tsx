import { useEffect, useState } from 'react'
import { useCooldownEnd } from '../../api/accounts/cooldown.ts'
import { t } from '../../i18n/dialogs.ts'
import { dateFormat } from '../../i18n/format.ts'
import { useSessionUser } from '../../session/store.ts'
import classes from '../../ui/Notice.module.css'

const SECOND_MS = 1_000
const moment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

/** A cooldown of withdrawals: its end, and the milliseconds until then. */
export type Cooldown = { readonly until: Date; readonly left: number }

/** The cooldown of the user's withdrawals, counted down each second, or null. */
export const useCooldown = (): Cooldown | null => {
  const until = useCooldownEnd(useSessionUser()?.email)
  const [now, setNow] = useState(Date.now)
  const left = until === null ? 0 : until.getTime() - now
  const isCoolingDown = left > 0
  useEffect(() => {
    if (!isCoolingDown) return
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [isCoolingDown])
  return until && isCoolingDown ? { until, left } : null
}

/** States the end of the cooldown, and counts down. The clock is not announced each second. */
export const CooldownNotice = ({ until, left }: Cooldown) => {
  const seconds = Math.ceil(left / SECOND_MS)
  const values = {
    hours: Math.floor(seconds / 3_600),
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  }
  return (
    <div className={classes.notice}>
      <p role="status">{t('withdraw.rest', { moment: moment().format(until) })}</p>
      <p role="timer">{t('withdraw.rest.left', values)}</p>
    </div>
  )
}
