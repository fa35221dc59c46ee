import { useEffect } from 'react'
import { Logo } from './Logo.tsx'
import classes from './ProblemPage.module.css'

/** What stands in for a page that failed: never a stack, always a way on. */
export const ProblemPage = ({ error }: { error: unknown }) => {
  useEffect(() => console.error('The page failed:', error), [error])
  return (
    <main className={classes.page}>
      <title>Something went wrong</title>
      <Logo />
      <h1 className={classes.title}>Something went wrong on this page</h1>
      <p className={classes.text}>
        Nothing was sent on your behalf by this error, and your money is where it was. Reload the page; if that does not help, please write
        to support.
      </p>
      <p className={classes.actions}>
        <button type="button" className={classes.button} onClick={() => window.location.reload()}>
          Reload the page
        </button>
        <a href="/">Go to the start page</a>
      </p>
    </main>
  )
}
