import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { configuration } from '../../configuration.ts'
import { common } from '../../i18n/common.ts'
import { homeOf, RAIL } from '../../layout/rail.ts'
import { SkipLink } from '../../layout/SkipLink.tsx'
import { late } from '../../loading/missing.ts'
import { onceIdle } from '../../loading/onceIdle.ts'
import { onDemand } from '../../loading/onDemand.tsx'
import { useSessionUser } from '../../session/store.ts'
import { LogoMark } from '../../ui/Logo.tsx'
import classes from './Framed.module.css'

// No screen waits for it: its width is reserved.
const Rail = onDemand(async () => {
  await new Promise<void>((resolve) => void onceIdle(resolve))
  return (await late(() => import('./Rail.tsx'))).Rail
})

/**
 * The frame of every page of a signed-in user: the rail beside the page, on phones a sheet that the
 * button _Menu_ opens. theme/page.js says whose it is before the session is known.
 */
export const Framed = ({ children }: { readonly children: ReactNode }) => {
  const user = useSessionUser()
  return (
    <div className={classes.frame}>
      <SkipLink />
      <nav id={RAIL} popover="auto" className={classes.rail} aria-label={common('nav.pages')}>
        <Link
          to={homeOf(user?.role ?? 'client')}
          className={classes.brand}
          aria-label={common('nav.home')}
        >
          <LogoMark />
          <span aria-hidden>{configuration().productName}</span>
        </Link>
        {user && <Rail key={user.id} user={user} />}
      </nav>
      {children}
    </div>
  )
}
