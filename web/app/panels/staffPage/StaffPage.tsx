import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { t } from '../../i18n/staffPage.ts'
import { AppHeader } from '../../layout/AppHeader.tsx'
import { SiteFooter } from '../../layout/SiteFooter.tsx'
import { MAIN } from '../../layout/SkipLink.tsx'
import type { Shortcut } from '../../layout/shortcuts/shortcuts.ts'
import { logout, type SessionUser } from '../../session/store.ts'
import { AccountMenu } from '../account/AccountMenu.tsx'
import classes from './StaffPage.module.css'

type Props = {
  readonly user: SessionUser
  /** In the header. */
  readonly title: string
  /** Without one, the content has its own. */
  readonly heading?: string
  readonly text?: string
  readonly shortcuts?: readonly Shortcut[]
  readonly children: ReactNode
}

/** A page for staff beside the admin dashboard, with the way back to it. */
export const StaffPage = ({ user, title, heading, text, shortcuts = [], children }: Props) => (
  <>
    <AppHeader
      title={title}
      email={user.email}
      account={<AccountMenu user={user} shortcuts={shortcuts} />}
      onLogout={logout}
    />
    <main id={MAIN} tabIndex={-1} className={classes.main}>
      <Link to="/admin" className={classes.back} data-print="none">
        <IconArrowLeft size={16} aria-hidden />
        {t('back')}
      </Link>
      {heading && <h2 className={classes.heading}>{heading}</h2>}
      {text && <p className={classes.text}>{text}</p>}
      {children}
    </main>
    <SiteFooter variant="reduced" />
  </>
)
