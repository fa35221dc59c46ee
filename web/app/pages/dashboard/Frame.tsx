import { configuration } from '../../configuration.ts'
import { t } from '../../i18n/dashboard.ts'
import { AppFrame } from '../../layout/AppFrame.tsx'
import { Shape } from '../../layout/Shape.tsx'
import classes from './page.module.css'
import { Welcome } from './Welcome.tsx'

/** The page before the session is known and the code has arrived. */
export const Frame = () => (
  <AppFrame of="investor" title={t('title')}>
    <title>{`${t('title')} · ${configuration().productName}`}</title>
    <main className={classes.page}>
      <Welcome />
      <Shape of="investor" />
    </main>
  </AppFrame>
)
