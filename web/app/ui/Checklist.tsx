import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './Checklist.module.css'

export type Step = {
  readonly name: string
  readonly isDone: boolean
  readonly title: string
  /** Said of a step that is not done, with the way to do it. */
  readonly text: string
  readonly action: ReactNode
}

type Props = {
  readonly id: string
  readonly title: string
  /** The words for a done step, for screen readers. */
  readonly done: string
  readonly steps: readonly Step[]
}

/** Steps in order, each with its way until it is done. */
export const Checklist = ({ id, title, done, steps }: Props) => (
  <section className={classes.card} aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    <ol className={classes.steps}>
      {steps.map(({ name, isDone, title: step, text, action }) => (
        <li key={name} data-done={isDone || undefined}>
          {isDone ? (
            <IconCircleCheckFilled size={20} aria-label={done} role="img" />
          ) : (
            <IconCircle size={20} aria-hidden />
          )}
          <div>
            <strong>{step}</strong>
            {!isDone && <p>{text}</p>}
          </div>
          {!isDone && action}
        </li>
      ))}
    </ol>
  </section>
)
