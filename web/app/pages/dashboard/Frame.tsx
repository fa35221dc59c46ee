import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/dashboard.ts'
import { AppFrame } from '../../layout/AppFrame.tsx'
import classes from './page.module.css'
import { Welcome } from './Welcome.tsx'

/**
 * What stands there from the first moment on, before it is known who looks and before the code for
 * it has arrived.
 */
export const Frame = () => (
  <AppFrame of="investor" title={t('title')}>
    <title>{`${t('title')} · ${configuration().productName}`}</title>
    <main className={classes.page}>
      <Welcome />
    </main>
  </AppFrame>
)
