import { IconLogout } from '@tabler/icons-react'
import { Link } from 'react-router'
import { common } from '../i18n/common.ts'
import { AmountsToggle } from './AmountsToggle.tsx'
import classes from './AppHeader.module.css'
import { LogoMark } from './Logo.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'

type Props = { readonly title: string; readonly email: string; readonly onLogout: () => void }

/** The bar above both dashboards: which page this is, whose it is, and the way out. */
export const AppHeader = ({ title, email, onLogout }: Props) => (
  <header className={classes.bar}>
    <div className={classes.inner}>
      <Link to="/" className={classes.home} aria-label={common('nav.home')}>
        <LogoMark />
      </Link>
      <h1 className={classes.title}>{title}</h1>
      <span className={classes.email} title={email}>
        {email}
      </span>
      <AmountsToggle />
      <ThemeToggle />
      <button type="button" className={classes.logout} onClick={onLogout}>
        <IconLogout size={17} stroke={1.75} aria-hidden />
        {common('logout')}
      </button>
    </div>
  </header>
)
