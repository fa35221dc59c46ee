import { Children, type ReactNode } from 'react'
import classes from './CardLines.module.css'

type Props = {
  readonly label: string
  /** Shown without lines. */
  readonly empty?: ReactNode
  readonly children: ReactNode
}

/** A card with a line for each entry. */
export const CardLines = ({ label, empty, children }: Props) => (
  <div className={classes.card}>
    {Children.count(children) === 0 && empty}
    <ul className={classes.lines} aria-label={label}>
      {children}
    </ul>
  </div>
)

type LineProps = {
  readonly title?: ReactNode
  /** True for a list that the heading of the page names. */
  readonly isTop?: boolean
  readonly children: ReactNode
}

export const CardLine = ({ title, isTop = false, children }: LineProps) => (
  <li className={classes.line}>
    {title && (isTop ? <h2>{title}</h2> : <h3>{title}</h3>)}
    {children}
  </li>
)

/** Short facts side by side, quieter than the text around them. */
export const Facts = ({ children }: { readonly children: ReactNode }) => (
  <p className={classes.facts}>{children}</p>
)
