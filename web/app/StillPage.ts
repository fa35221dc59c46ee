import { createContext } from 'react'

/**
 * True while a page is written that is complete as HTML and carries no React: one whose route says
 * `handle.still`. The browser never sees true: a page that React draws stays under its care.
 */
export const StillPage = createContext(false)
