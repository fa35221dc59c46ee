import { useEffect } from 'react'
import { useSearchParams } from 'react-router'

/** Runs the act that the URL asks for with `?open=`, once. The URL then forgets it. */
export const useAsked = (acts: Readonly<Record<string, () => void>>): void => {
  const [parameters, setParameters] = useSearchParams()
  const act = acts[parameters.get('open') ?? '']
  useEffect(() => {
    if (!act) return
    act()
    parameters.delete('open')
    setParameters(parameters, { replace: true, preventScrollReset: true })
  })
}
