import { MINIMUM_ENTRY } from '@pool/contract/money'
import { Link } from 'react-router'
import { configuration } from '../../configuration.ts'
import { SiteFooter } from '../../ui/SiteFooter.tsx'
import { SiteHeader } from '../../ui/SiteHeader.tsx'
import { Features } from './Features.tsx'
import classes from './Landing.module.css'
import { MoneyFlow } from './MoneyFlow.tsx'
import { Plans } from './Plans.tsx'
import { Risk } from './Risk.tsx'
import { Steps } from './Steps.tsx'

/** Complete as HTML, so the page carries no React: what moves is CSS, the menu a popover, the rest theme/page.js. */
export const handle = { still: true }

const Hero = () => (
  <section className={classes.hero}>
    <div className={classes.pitch}>
      <h1 className={classes.title}>Peer Lending Pool</h1>
      <p className={classes.lead}>
        Put as little as ${MINIMUM_ENTRY} to work for days, not years. Your interest is fixed before you start, and set aside for you the
        moment you invest.
      </p>
      <p className={classes.actions}>
        <Link to="/register" className={classes.start}>
          Start Investing
        </Link>
        <Link to="/#how-it-works" className={classes.more}>
          See how it works
        </Link>
      </p>
      <p className={classes.caution}>Capital is at risk. Returns are paid only from the pool's reserve.</p>
    </div>
    <MoneyFlow />
  </section>
)

const Closing = () => (
  <section className={classes.closing}>
    <h2 className={classes.closingTitle}>Start with an amount you are at ease with</h2>
    <p>Opening an account takes a minute and costs nothing. You decide if and when to deposit.</p>
    <p className={classes.closingActions}>
      <Link to="/register" className={classes.closingStart}>
        Get Started
      </Link>
      <Link to="/login" className={classes.closingSignIn}>
        Sign In
      </Link>
    </p>
  </section>
)

/** The landing page (spec §1, §2). It claims nothing that the product does not do. */
export default function Landing() {
  return (
    <>
      <title>{`${configuration().productName} · Fixed interest from a shared lending pool`}</title>
      <meta
        name="description"
        content="A peer-to-peer lending pool: deposit crypto and invest for a few days at interest fixed in advance and set aside from the pool's reserve."
      />
      <SiteHeader page="landing" />
      <main className={classes.page}>
        <Hero />
        <Plans />
        <Steps />
        <Features />
        <Risk />
        <Closing />
      </main>
      <SiteFooter variant="homepage" />
    </>
  )
}
