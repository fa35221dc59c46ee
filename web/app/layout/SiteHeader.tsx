import newsreader from '@fontsource/newsreader/files/newsreader-latin-500-normal.woff2?url'
import { IconMenu2 } from '@tabler/icons-react'
import { Link } from 'react-router'
import { common } from '../i18n/common.ts'
import { Logo } from '../ui/Logo.tsx'
import classes from './SiteHeader.module.css'
import { SkipLink } from './SkipLink.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

const sections = [
  { to: '/#how-it-works', label: common('sections.howItWorks') },
  { to: '/#features', label: common('sections.features') },
  { to: '/#about', label: common('sections.about') },
  { to: '/pool?tab=proof', label: common('sections.checkUs') },
] as const

const signIn = { to: '/login', label: common('signIn') }
const dashboard = { to: '/dashboard', label: common('toDashboard') }
const getStarted = { to: '/register', label: common('getStarted') }

/** The links of each page besides the sections of the landing page. */
const actionsOn = {
  landing: [signIn, getStarted],
  login: [getStarted],
  register: [signIn],
  pool: [signIn, getStarted],
} as const

/** Pages that signed-in users read, too. */
const isForUsers = (page: keyof typeof actionsOn): boolean => page === 'landing' || page === 'pool'

type Props = { readonly page: keyof typeof actionsOn }

/** The bar of the public pages. On a phone its menu needs no script. */
export const SiteHeader = ({ page }: Props) => {
  const actions = actionsOn[page]
  return (
    <header className={classes.bar}>
      <SkipLink />
      <link rel="preload" href={newsreader} as="font" type="font/woff2" crossOrigin="anonymous" />
      <div className={classes.inner}>
        <Link to="/" className={classes.home}>
          <Logo />
        </Link>
        <nav className={classes.sections} aria-label={common('nav.main')}>
          {sections.map(({ to, label }) => (
            <Link key={to} to={to} className={classes.link}>
              {label}
            </Link>
          ))}
        </nav>
        <ThemeToggle />
        {actions.map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            className={classes[to === '/register' ? 'primary' : 'secondary']}
            data-for="visitor"
          >
            {label}
          </Link>
        ))}
        {isForUsers(page) && (
          <Link to={dashboard.to} className={classes.primary} data-for="user">
            {dashboard.label}
          </Link>
        )}
        <button
          type="button"
          className={classes.toggle}
          popoverTarget="site-menu"
          aria-label={common('nav.menu')}
        >
          <IconMenu2 size={22} stroke={1.75} aria-hidden />
        </button>
      </div>
      <nav id="site-menu" popover="auto" className={classes.menu} aria-label={common('nav.menu')}>
        {sections.map(({ to, label }) => (
          <Link key={to} to={to} className={classes.entry}>
            {label}
          </Link>
        ))}
        {actions.map(({ to, label }) => (
          <Link key={to} to={to} className={classes.entry} data-for="visitor">
            {label}
          </Link>
        ))}
        {isForUsers(page) && (
          <Link to={dashboard.to} className={classes.entry} data-for="user">
            {dashboard.label}
          </Link>
        )}
      </nav>
    </header>
  )
}
