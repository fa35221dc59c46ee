import type { ReactNode } from 'react'
import { t } from '../../i18n/map.ts'
import { AppHeader } from '../../layout/AppHeader.tsx'
import { mayRead, type PageName, placeOf } from '../../layout/map.ts'
import { SiteFooter } from '../../layout/SiteFooter.tsx'
import { MAIN } from '../../layout/SkipLink.tsx'
import type { Shortcut } from '../../layout/shortcuts/shortcuts.ts'
import { logout, type SessionUser } from '../../session/store.ts'
import { AccountMenu } from '../account/AccountMenu.tsx'
import classes from './StaffPage.module.css'

type Props = {
  readonly user: SessionUser
  readonly page: PageName
  /** The name of one row, such as one loan. Without it the page has its own. */
  readonly title?: string
  readonly text?: string
  readonly shortcuts?: readonly Shortcut[]
  readonly children: ReactNode
}

/** One sentence for staff who may not read a page, and no form that the server would refuse. */
const Refused = ({ page }: Pick<Props, 'page'>) => (
  <p className={classes.text}>
    {t(placeOf(page).readers === 'superAdmins' ? 'refused.superAdmins' : 'refused.accounts')}
  </p>
)

/** A page for staff beside the admin dashboard. */
export const StaffPage = ({ user, page, title, text, shortcuts = [], children }: Props) => {
  // A row is read also by those who do not see the list.
  const isRead = title !== undefined || mayRead(user.role, page)
  return (
    <>
      <AppHeader
        title={title ?? t(page)}
        email={user.email}
        account={<AccountMenu user={user} shortcuts={shortcuts} />}
        onLogout={logout}
      />
      <main id={MAIN} tabIndex={-1} className={classes.main}>
        {isRead && text && <p className={classes.text}>{text}</p>}
        {isRead ? children : <Refused page={page} />}
      </main>
      <SiteFooter variant="reduced" />
    </>
  )
}
