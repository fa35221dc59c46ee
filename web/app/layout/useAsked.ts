import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'

/** Runs the act that the URL asks for with `?open=`, once. The URL then forgets it. */
export const useAsked = (acts: Readonly<Record<string, () => void>>): void => {
  const [parameters, setParameters] = useSearchParams()
  const current = useRef(acts)
  current.current = acts
  const asked = parameters.get('open') ?? ''
  useEffect(() => {
    const act = Object.hasOwn(current.current, asked) ? current.current[asked] : undefined
    if (!act) return
    act()
    setParameters(
      (before) => {
        before.delete('open')
        return before
      },
      { replace: true, preventScrollReset: true },
    )
  }, [asked, setParameters])
}
