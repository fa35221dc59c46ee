import { useState } from 'react'

/**
 * Shows an entry at once although the URL follows later, and follows the URL when Back or 'Clear'
 * changed it. `asFor` gives the entry's form in the URL.
 */
export const useEntered = (
  asked: string,
  asFor: (entered: string) => string = (entered) => entered,
) => {
  const [entered, setEntered] = useState(asked)
  const [known, setKnown] = useState(asked)
  if (asked !== known) {
    setKnown(asked)
    if (asked !== asFor(entered)) setEntered(asked)
  }
  return [entered, setEntered] as const
}

/** The delay in milliseconds between typing and searching. */
export const TYPING_DELAY_MS = 300
