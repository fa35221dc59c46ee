import { IconLogout } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { common } from '../i18n/common.ts'
import { LogoMark } from '../ui/Logo.tsx'
import { AmountsToggle } from './AmountsToggle.tsx'
import classes from './AppHeader.module.css'
import { PrintHeader } from './PrintHeader.tsx'
import { SkipLink } from './SkipLink.tsx'
import { ShortcutsButton } from './shortcuts/ShortcutsButton.tsx'
import type { Shortcut } from './shortcuts/shortcuts.ts'
import { ThemeToggle } from './ThemeToggle.tsx'
import { useArrivalFocus } from './useArrivalFocus.ts'

type Props = {
  readonly title: string
  /** Null until the session is known. */
  readonly email: string | null
  /** The owner of the screen. */
  readonly account?: ReactNode
  /** The shortcuts of this screen. */
  readonly shortcuts?: readonly Shortcut[]
  readonly onLogout?: () => void
}

/** The bar above both dashboards: title, owner and logout. Print has the owner and the moment. */
export const AppHeader = ({ title, email, account, shortcuts = [], onLogout }: Props) => {
  const heading = useArrivalFocus<HTMLHeadingElement>(email !== null)
  return (
    <>
      <SkipLink />
      <header className={classes.bar}>
        <div className={classes.inner}>
          <Link to="/" className={classes.home} aria-label={common('nav.home')}>
            <LogoMark />
          </Link>
          <h1 ref={heading} tabIndex={-1} className={classes.title}>
            {title}
          </h1>
          <span className={classes.email}>{account}</span>
          <div className={classes.tools}>
            <ShortcutsButton shortcuts={shortcuts} />
            <AmountsToggle />
            <ThemeToggle />
          </div>
          <button type="button" className={classes.logout} onClick={onLogout}>
            <IconLogout size={17} stroke={1.75} aria-hidden />
            {common('logout')}
          </button>
        </div>
      </header>
      {email !== null && <PrintHeader email={email} />}
    </>
  )
}
