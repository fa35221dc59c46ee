import { type RefObject, useEffect, useRef } from 'react'
import { useNavigationType } from 'react-router'

/**
 * Puts the focus on an element when a link within the app has led here. A browser does so by itself
 * when it loads a page; where the app only changes what it shows, the focus would stay on something
 * that is gone, and a screen reader would say nothing.
 */
export const useArrivalFocus = <Focusable extends HTMLElement>(
  hasArrived: boolean,
): RefObject<Focusable | null> => {
  const element = useRef<Focusable>(null)
  const arrivedByLink = useNavigationType() !== 'POP' && hasArrived
  // Only the arrival counts, not what the address does later.
  useEffect(() => {
    if (arrivedByLink && document.activeElement === document.body) element.current?.focus()
  }, [])
  return element
}
