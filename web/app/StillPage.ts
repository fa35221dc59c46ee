import { createContext } from 'react'

/**
 * True while the build writes a page without React, one whose route says `handle.still`. Browsers
 * always see false.
 */
export const StillPage = createContext(false)
