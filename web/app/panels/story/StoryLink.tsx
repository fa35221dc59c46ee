import type { ReactNode } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import type { Subject } from '../../api/stories.ts'
import classes from './StoryLink.module.css'

type Props = Subject & {
  /** What the link is called where its content does not say what it opens. */
  readonly label?: string
  readonly children: ReactNode
}

/**
 * Opens the side panel with the story of a transaction or an investment. It is an address of its
 * own, so Back closes the panel.
 */
export const StoryLink = ({ kind, id, label, children }: Props) => {
  const [parameters] = useSearchParams()
  const { state } = useLocation()
  const next = new URLSearchParams(parameters)
  next.delete('transaction')
  next.delete('investment')
  next.set(kind, id)
  return (
    <Link
      to={{ search: `?${next}` }}
      state={state}
      className={classes.link}
      preventScrollReset
      {...(label && { 'aria-label': label })}
    >
      {children}
    </Link>
  )
}
