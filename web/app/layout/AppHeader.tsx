import { IconLogout } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { common } from '../i18n/common.ts'
import { AmountsToggle } from './AmountsToggle.tsx'
import classes from './AppHeader.module.css'
import { PrintHeader } from './PrintHeader.tsx'
import { RAIL } from './rail.ts'
import { ThemeToggle } from './ThemeToggle.tsx'
import { useArrivalFocus } from './useArrivalFocus.ts'

type Props = {
  readonly title: string
  /** Null until the session is known. */
  readonly email: string | null
  /** The menu of the screen's owner. */
  readonly account?: ReactNode
  readonly onLogout?: () => void
}

/**
 * The bar above a signed-in page: title, owner and logout, on phones also the pages. Print has a
 * letterhead instead.
 */
export const AppHeader = ({ title, email, account, onLogout }: Props) => {
  const heading = useArrivalFocus<HTMLHeadingElement>(email !== null)
  return (
    <>
      <header className={classes.bar}>
        <div className={classes.inner}>
          <button
            type="button"
            className={classes.menu}
            popoverTarget={RAIL}
            aria-label={common('nav.menu')}
          />
          <h1 ref={heading} tabIndex={-1} className={classes.title}>
            {title}
          </h1>
          <div className={classes.account}>{account}</div>
          <div className={classes.tools}>
            <AmountsToggle />
            <ThemeToggle />
          </div>
          <button type="button" className={classes.logout} onClick={onLogout}>
            <IconLogout size={17} stroke={1.75} aria-hidden />
            <span className={classes.logoutName}>{common('logout')}</span>
          </button>
        </div>
      </header>
      {email !== null && <PrintHeader email={email} />}
    </>
  )
}
