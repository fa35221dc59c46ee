import type { ReactNode } from 'react'
import classes from './Card.module.css'

type Props = {
  readonly id: string
  readonly title: string
  readonly text: string
  /** Stands beside the words. */
  readonly action?: ReactNode
  /** Stands below them. */
  readonly children?: ReactNode
}

/** A part of the security page. */
export const Card = ({ id, title, text, action, children }: Props) => (
  <section className={classes.card} aria-labelledby={id}>
    <div className={classes.head}>
      <div className={classes.words}>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
      </div>
      {action}
    </div>
    {children}
  </section>
)
