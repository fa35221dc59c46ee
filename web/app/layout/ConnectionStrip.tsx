import { useConnection } from '../connection.ts'
import { common } from '../i18n/common.ts'
import { timeOfDay } from '../i18n/format.ts'
import classes from './ConnectionStrip.module.css'

/**
 * A thin bar on every page while the server cannot be reached. On the landing page theme/page.js
 * shows it.
 */
export const ConnectionStrip = () => {
  const connection = useConnection()
  const isLost = connection.state !== 'there'
  return (
    <div aria-live="polite" className={classes.place}>
      <aside
        className={classes.strip}
        aria-label={common('connection')}
        data-connection
        data-offline={common('connection.offline')}
        data-gone={common('connection.gone')}
        hidden={!isLost}
      >
        {isLost &&
          `${common(`connection.${connection.state}`)} ${common('connection.since', {
            time: timeOfDay(connection.since),
          })}`}
      </aside>
    </div>
  )
}
