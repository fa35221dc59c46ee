import type { ReactNode } from 'react'
import classes from './Person.module.css'

type Props = {
  readonly id: string
  readonly title: string
  readonly text?: string
  readonly children: ReactNode
}

/** A part of a person's page. */
export const Part = ({ id, title, text, children }: Props) => (
  <section className={classes.part} aria-labelledby={id}>
    <div className={classes.head}>
      <h2 id={id}>{title}</h2>
      {text && <p>{text}</p>}
    </div>
    {children}
  </section>
)

/** A part with a table, which brings a heading and a region of its own. */
export const TablePart = ({ id, title, children }: Omit<Props, 'text'>) => (
  <div id={id} className={classes.part} data-table>
    <div className={classes.head} aria-hidden>
      <strong>{title}</strong>
    </div>
    {children}
  </div>
)
