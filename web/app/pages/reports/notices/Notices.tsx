import { noticeStates } from '@pool/contract/reports/notices'
import { Link, useSearchParams } from 'react-router'
import { useUnread } from '../../../api/reports/unread.ts'
import { t as name } from '../../../i18n/map.ts'
import { t } from '../../../i18n/notices.ts'
import { AppHeader } from '../../../layout/AppHeader.tsx'
import { titleOf } from '../../../layout/map.ts'
import { SiteFooter } from '../../../layout/SiteFooter.tsx'
import { MAIN } from '../../../layout/SkipLink.tsx'
import { AccountMenu } from '../../../panels/account/AccountMenu.tsx'
import { NoticeList } from '../../../panels/notices/NoticeList.tsx'
import { logout, type SessionUser, useSession } from '../../../session/store.ts'
import classes from './Notices.module.css'

const Filter = ({ state }: { readonly state: string | undefined }) => (
  <nav className={classes.filter} aria-label={t('filter')}>
    {[undefined, ...noticeStates].map((each) => (
      <Link
        key={each ?? 'all'}
        to={each ? `?state=${each}` : '?'}
        replace
        {...(each === state && { 'aria-current': true })}
      >
        {t(each ? `filter.${each}` : 'filter.all')}
      </Link>
    ))}
  </nav>
)

const Screen = ({ user }: { readonly user: SessionUser }) => {
  const [parameters] = useSearchParams()
  const state = noticeStates.find((each) => each === parameters.get('state'))
  const unread = useUnread() ?? 0
  return (
    <>
      <AppHeader
        title={name('notices')}
        email={user.email}
        account={<AccountMenu user={user} shortcuts={[]} />}
        onLogout={logout}
      />
      <main id={MAIN} tabIndex={-1} className={classes.main}>
        <p className={classes.mails}>
          <Link to="/security">{t('chooseMails')}</Link>
        </p>
        <div className={classes.list}>
          <NoticeList
            heading={<Filter state={state} />}
            opened
            hasUnread={unread > 0}
            state={state}
          />
        </div>
      </main>
      <SiteFooter variant="reduced" />
    </>
  )
}

export const meta = () => [{ title: titleOf('notices') }]

/** Events of the user's money and account, by read and unread (docs/product.md 8.17). */
export default function Notices() {
  const session = useSession()
  return session.status === 'in' ? <Screen user={session.user} /> : null
}
