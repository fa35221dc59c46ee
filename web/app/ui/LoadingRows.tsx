import classes from './LoadingRows.module.css'

/** The place of rows that are loading. Plain elements, since it is drawn while much else is. */
export const LoadingRows = ({ label }: { label: string }) => (
  <div className={classes.rows} role="status" aria-label={label}>
    {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((row) => (
      <span key={row} />
    ))}
  </div>
)
