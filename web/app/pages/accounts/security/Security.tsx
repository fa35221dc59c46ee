import { t } from '../../../i18n/map.ts'
import { AppFrame } from '../../../layout/AppFrame.tsx'
import { AppHeader } from '../../../layout/AppHeader.tsx'
import { titleOf } from '../../../layout/map.ts'
import { SiteFooter } from '../../../layout/SiteFooter.tsx'
import { MAIN } from '../../../layout/SkipLink.tsx'
import { onceIdle } from '../../../loading/onceIdle.ts'
import { onDemand } from '../../../loading/onDemand.tsx'
import { AccountMenu } from '../../../panels/account/AccountMenu.tsx'
import { isStaff, logout, type SessionUser, useSession } from '../../../session/store.ts'
import { Email } from './Email.tsx'
import { Factors } from './Factors.tsx'
import { Password } from './Password.tsx'
import classes from './Security.module.css'

const FrozenBanner = onDemand(
  async () => (await import('../../../panels/account/FrozenBanner.tsx')).FrozenBanner,
)
const Below = onDemand(async () => {
  await new Promise<void>((resolve) => void onceIdle(resolve))
  return (await import('./Below.tsx')).Below
})

const Screen = ({ user }: { user: SessionUser }) => (
  <>
    <AppHeader
      title={t('security')}
      email={user.email}
      account={<AccountMenu user={user} shortcuts={[]} />}
      onLogout={logout}
    />
    <main id={MAIN} tabIndex={-1} className={classes.main}>
      {user.frozen && <FrozenBanner email={user.email} />}
      <Email user={user} />
      <Password user={user} />
      <Factors />
      <Below isStaff={isStaff(user)} />
    </main>
    <SiteFooter variant="reduced" />
  </>
)

/** The page before the session is known. */
const Frame = () => (
  <AppFrame of="anyone" title={t('security')}>
    <main className={classes.main} />
  </AppFrame>
)

export const meta = () => [{ title: titleOf('security') }]

/** The page that keeps an account its owner's (docs/product.md 3.24). */
export default function Security() {
  const session = useSession()
  if (session.status === 'unknown') return <Frame />
  // Null between a logout and the guard's redirect.
  return session.status === 'in' ? <Screen user={session.user} /> : null
}
