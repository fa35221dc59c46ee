import type { ReactNode } from 'react'
import classes from './EmptyState.module.css'

type Props = {
  readonly title: string
  readonly text?: string
  readonly action?: ReactNode
  /** As low as its text, without a drawing. */
  readonly plain?: boolean
}

const Ripples = () => (
  <svg
    width="72"
    height="40"
    viewBox="0 0 72 40"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    aria-hidden="true"
  >
    <ellipse cx="36" cy="24" rx="34" ry="12" opacity=".35" />
    <ellipse cx="36" cy="24" rx="22" ry="7.5" opacity=".6" />
    <ellipse cx="36" cy="24" rx="10" ry="3.3" />
  </svg>
)

/** The text of an empty list, and the next step. */
export const EmptyState = ({ title, text, action, plain = false }: Props) => (
  <div className={classes.empty} data-plain={plain}>
    {!plain && <Ripples />}
    <p className={classes.title}>{title}</p>
    {text && <p className={classes.text}>{text}</p>}
    {action}
  </div>
)
