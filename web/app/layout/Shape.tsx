import classes from './Shape.module.css'

const cells = {
  investor: ['balance', 'act', 'act2', 'act3', 'value', 'interest', 'next', 'list'],
  staff: ['queue', 'stat', 'stat2', 'stat3', 'stat4', 'stat5', 'records'],
} as const

/** The shape of a dashboard, in the place of its cards until they come. */
export const Shape = ({ of }: { of: keyof typeof cells }) => (
  <div className={`${classes.shape} ${classes[of]}`} aria-hidden>
    {cells[of].map((cell) => (
      <span key={cell} />
    ))}
  </div>
)
