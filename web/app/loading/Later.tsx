import { type ReactNode, useDeferredValue } from 'react'
import classes from './Later.module.css'

/** Reserves the place of the end of a page. */
export const Unplaced = () => <div className={classes.place} aria-busy />

/**
 * Draws the end of a page after its beginning, in turns. Reserves its place, so that Back finds the
 * old position.
 */
export const Later = ({ children }: { children: ReactNode }) =>
  useDeferredValue(true, false) ? children : <Unplaced />
