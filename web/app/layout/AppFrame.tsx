import type { ReactNode } from 'react'
import classes from './AppFrame.module.css'
import { AppHeader } from './AppHeader.tsx'
import { LoadingMark } from './LoadingPage.tsx'

type Props = {
  readonly of: 'investor' | 'staff' | 'anyone'
  readonly title: string
  readonly children: ReactNode
}

/**
 * The start of a signed-in user's page, as the document brings it before any script. None of its
 * controls work yet.
 */
export const AppFrame = ({ of, title, children }: Props) => (
  <>
    <div className={`${classes.frame} ${classes[of]}`} inert aria-busy>
      <AppHeader title={title} email={null} />
      {children}
    </div>
    <div className={classes.waiting}>
      <LoadingMark />
    </div>
  </>
)
