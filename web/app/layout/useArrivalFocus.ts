import { type RefObject, useEffect, useRef } from 'react'
import { useNavigationType } from 'react-router'

/**
 * Focuses an element after a link within the app. Otherwise the focus would stay on a removed
 * element and screen readers would be silent.
 */
export const useArrivalFocus = <Focusable extends HTMLElement>(
  hasArrived: boolean,
): RefObject<Focusable | null> => {
  const element = useRef<Focusable>(null)
  const arrivedByLink = useNavigationType() !== 'POP' && hasArrived
  // Runs at the arrival only, not at later changes of the URL.
  useEffect(() => {
    if (arrivedByLink && document.activeElement === document.body)
      element.current?.focus({ preventScroll: true })
  }, [])
  return element
}
