import type { ReactNode } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import type { Subject } from '../../api/requests/stories.ts'
import classes from './StoryLink.module.css'

type Props = Subject & {
  /** The link's name, where its content does not say it. */
  readonly label?: string
  readonly children: ReactNode
}

/** Opens a story in the side panel. It changes the URL, so Back closes the panel. */
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
