import { MINIMUM_ENTRY } from '@pool/contract/base/money'
import { Link } from 'react-router'
import { configuration } from '../../configuration.ts'
import { common } from '../../i18n/common.ts'
import { t } from '../../i18n/landing.ts'
import { PageHead } from '../../layout/PageHead.tsx'
import { SiteFooter } from '../../layout/SiteFooter.tsx'
import { SiteHeader } from '../../layout/SiteHeader.tsx'
import { MAIN } from '../../layout/SkipLink.tsx'
import { Features } from './Features.tsx'
import { Figures } from './Figures.tsx'
import { IdleNotice } from './IdleNotice.tsx'
import classes from './Landing.module.css'
import { MoneyFlow } from './MoneyFlow.tsx'
import { Pauses } from './Pauses.tsx'
import { Plans } from './Plans.tsx'
import { Risk } from './Risk.tsx'
import { Steps } from './Steps.tsx'

/**
 * Complete as HTML without React: CSS moves, a popover is the menu, theme/page.js does the rest.
 */
export const handle = { still: true }

const Hero = () => (
  <section className={classes.hero}>
    <div className={classes.pitch}>
      <h1 className={classes.title}>{t('hero.title')}</h1>
      <p className={classes.lead}>{t('hero.lead', { minimum: `$${MINIMUM_ENTRY}` })}</p>
      <p className={classes.actions}>
        <Link to="/register" className={classes.start}>
          {t('hero.start')}
        </Link>
        <Link to="/#how-it-works" className={classes.more}>
          {t('hero.more')}
        </Link>
      </p>
      <p className={classes.caution}>{t('hero.caution')}</p>
    </div>
    <MoneyFlow />
  </section>
)

const Closing = () => (
  <section className={classes.closing}>
    <h2 className={classes.closingTitle}>{t('closing.title')}</h2>
    <p className={classes.closingActions}>
      <Link to="/register" className={classes.closingStart}>
        {common('getStarted')}
      </Link>
      <Link to="/login" className={classes.closingSignIn}>
        {common('signIn')}
      </Link>
    </p>
  </section>
)

/** The landing page (docs/product.md 1.4, 3.1). It claims nothing that the product does not do. */
export default function Landing() {
  return (
    <>
      <PageHead
        path="/"
        title={t('pageTitle', { product: configuration().productName })}
        description={t('description')}
      />
      <SiteHeader page="landing" />
      <main id={MAIN} tabIndex={-1} className={classes.page}>
        <div>
          <Pauses />
          <Hero />
        </div>
        <Plans />
        <Figures />
        <Steps />
        <Features />
        <Risk />
        <Closing />
      </main>
      <SiteFooter variant="homepage" />
      <IdleNotice />
    </>
  )
}
