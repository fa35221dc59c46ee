import { Link } from 'react-router'
import { configuration } from '../configuration.ts'
import { common } from '../i18n/common.ts'
import { Logo } from '../ui/Logo.tsx'
import { LanguageLink } from './LanguageLink.tsx'
import classes from './SiteFooter.module.css'

// The mark of a prerendered page has no digits, and theme/page.js completes the link.
const digitsOf = (phone: string): string => (/\d/.test(phone) ? phone.replace(/\D/g, '') : phone)

/** The ways to support: mail, messaging and hours (docs/product.md 1.5). */
const Support = () => {
  const { supportEmail, supportPhone } = configuration()
  return (
    <ul className={classes.links}>
      <li>
        <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
      </li>
      <li>
        <a
          href={`https://wa.me/${digitsOf(supportPhone)}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {common('support.messaging', { phone: supportPhone })}
        </a>
      </li>
      <li>{common('support.hours')}</li>
      <li>
        <LanguageLink />
      </li>
    </ul>
  )
}

/** Names the operator and links the operator's own pages. A link without an address is hidden. */
const Operator = () => {
  const { operatorName, termsUrl, privacyUrl } = configuration()
  return (
    <p className={classes.operator}>
      {common('footer.operator', { operator: operatorName })}
      <a href={termsUrl}>{common('footer.terms')}</a>
      <a href={privacyUrl}>{common('footer.privacy')}</a>
    </p>
  )
}

/**
 * The foot of the public pages: full on the landing page, reduced elsewhere (docs/product.md 1.5).
 */
export const SiteFooter = ({ variant }: { variant: 'homepage' | 'reduced' }) =>
  variant === 'reduced' ? (
    <footer className={classes.footer} data-variant="reduced">
      <div className={classes.inner}>
        <Support />
        <Operator />
      </div>
    </footer>
  ) : (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <div className={classes.about}>
          <Logo />
          <p>{common('footer.pitch')}</p>
        </div>
        <nav aria-label={common('nav.footer')}>
          <h2 className={classes.heading}>{common('footer.explore')}</h2>
          <ul className={classes.links}>
            <li>
              <Link to="/#how-it-works">{common('footer.howItWorks')}</Link>
            </li>
            <li>
              <Link to="/#features">{common('sections.features')}</Link>
            </li>
            <li>
              <Link to="/#about">{common('sections.about')}</Link>
            </li>
            <li>
              <Link to="/login">{common('footer.signIn')}</Link>
            </li>
          </ul>
        </nav>
        <div>
          <h2 className={classes.heading}>{common('footer.support')}</h2>
          <Support />
        </div>
      </div>
      <div className={classes.small}>
        <p>{common('footer.risk')}</p>
        <Operator />
      </div>
    </footer>
  )
