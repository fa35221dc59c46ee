import { type ReactNode, useDeferredValue } from 'react'
import classes from './Later.module.css'

/**
 * What is not seen at first, at the end of a page: drawn once the screen shows what stands above
 * it, in turns that leave the browser free to answer. Its place is kept meanwhile, so that Back
 * finds where somebody was.
 */
export const Later = ({ children }: { children: ReactNode }) =>
  useDeferredValue(true, false) ? children : <div className={classes.place} aria-busy />
