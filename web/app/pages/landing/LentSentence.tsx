import { configuration } from '../../configuration.ts'
import classes from './LentSentence.module.css'

/** A sentence for a pool that may lend investors' principal. Others do not show it. */
export const LentSentence = ({ children }: { readonly children: string }) => (
  <span className={classes.sentence} data-lent={configuration().lendPrincipal}>
    {' '}
    {children}
  </span>
)
