import {
  IDLE_LOGOUT_MS,
  IDLE_WARNING_MS,
  idleResettingEvents,
} from '@pool/contract/accounts/session'
import { logout } from '@pool/contract/accounts/users'
import { useEffect } from 'react'
import { common } from '../../i18n/common.ts'
import idleScript from '../../theme/idle.js?raw'
import classes from './IdleNotice.module.css'

const clock = {
  logoutAfter: IDLE_LOGOUT_MS,
  warnFor: IDLE_WARNING_MS,
  events: idleResettingEvents,
  logout: logout.path,
}

/** The idle warning of a signed-in user on this page, which theme/idle.js runs. */
export const IdleNotice = () => {
  // The page's own HTML brings the script. After a link within the app it comes here, or with the
  // page itself, which has nothing to lose.
  useEffect(() => {
    import('../../theme/idle.js').then(
      () => window.dispatchEvent(new Event('idle')),
      () => {
        if (navigator.onLine) window.location.reload()
        else window.addEventListener('online', () => window.location.reload(), { once: true })
      },
    )
  }, [])
  return (
    <>
      {import.meta.env.SSR && <script dangerouslySetInnerHTML={{ __html: idleScript }} />}
      <section
        role="alertdialog"
        aria-labelledby="idle"
        className={classes.notice}
        data-idle={JSON.stringify(clock)}
        hidden
      >
        <h2 id="idle" className={classes.title}>
          {common('idle.title')}
        </h2>
        <p role="timer" data-sentence={common('idle.left', { seconds: '{seconds}' })} />
        <p className={classes.actions}>
          <button type="button" data-idle-act="stay" className={classes.stay}>
            {common('idle.stay')}
          </button>
          <button type="button" data-idle-act="logout" className={classes.leave}>
            {common('idle.logout')}
          </button>
        </p>
        <button
          type="button"
          data-idle-act="stay"
          className={classes.close}
          aria-label={common('close')}
        >
          ×
        </button>
      </section>
    </>
  )
}
