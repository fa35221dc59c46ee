import type { ReactNode } from 'react'
import classes from './AppFrame.module.css'
import { AppHeader } from './AppHeader.tsx'
import { LoadingMark } from './LoadingPage.tsx'

type Props = {
  readonly of: 'investor' | 'staff'
  readonly title: string
  readonly children: ReactNode
}

/**
 * What a dashboard begins with, as the document brings it: there before any script, for those whose
 * dashboard it is. Until the app knows who is signed in nothing in it can be pressed.
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
