import { type ReactNode, useEffect, useRef, useState } from 'react'

/** Draws the end of a page once its user comes to it, so that others make no call for it. */
export const OnceNear = ({ children }: { children: ReactNode }) => {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (isNear || !place.current) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) setNear(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear])
  return isNear ? children : <div ref={place} />
}
