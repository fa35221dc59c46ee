import { useEffect } from 'react'
import { common } from '../i18n/common.ts'
import { Logo } from '../ui/Logo.tsx'
import classes from './ProblemPage.module.css'

/** Replaces a page that failed: no stack, always a way on. */
export const ProblemPage = ({ error }: { error: unknown }) => {
  useEffect(() => console.error('The page failed:', error), [error])
  return (
    <main className={classes.page}>
      <title>{common('problem.title')}</title>
      <Logo />
      <h1 className={classes.title}>{common('problem.heading')}</h1>
      <p className={classes.text}>{common('problem.text')}</p>
      <p className={classes.actions}>
        <button type="button" className={classes.button} onClick={() => window.location.reload()}>
          {common('problem.reload')}
        </button>
        <a href="/">{common('problem.home')}</a>
      </p>
    </main>
  )
}
