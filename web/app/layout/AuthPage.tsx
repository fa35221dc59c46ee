import type { ReactNode } from 'react'
import { Rings } from '../ui/Rings.tsx'
import classes from './AuthPage.module.css'
import { type HeadProps, PageHead } from './PageHead.tsx'
import { SiteFooter } from './SiteFooter.tsx'
import { SiteHeader } from './SiteHeader.tsx'
import { MAIN } from './SkipLink.tsx'
import { useArrivalFocus } from './useArrivalFocus.ts'

type Props = HeadProps & {
  readonly headline: string
  readonly subline: string
  /** The link to the page that a reader may have meant. */
  readonly otherwise: ReactNode
  readonly children: ReactNode
}

/** The frame of the pages with a form for visitors. */
export const AuthPage = ({ headline, subline, otherwise, children, ...head }: Props) => {
  const heading = useArrivalFocus<HTMLHeadingElement>(true)
  return (
    <div className={classes.page}>
      <PageHead {...head} />
      <SiteHeader page={head.path === '/login' ? 'login' : 'register'} />
      <main id={MAIN} tabIndex={-1} className={classes.main}>
        <Rings className={classes.rings} />
        <h1 ref={heading} tabIndex={-1} className={classes.headline}>
          {headline}
        </h1>
        <p className={classes.subline}>{subline}</p>
        <div className={classes.card}>{children}</div>
        <p className={classes.otherwise}>{otherwise}</p>
      </main>
      <SiteFooter variant="reduced" />
    </div>
  )
}
