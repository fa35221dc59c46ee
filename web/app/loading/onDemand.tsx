// ARCHITECTURE.md, "Loading late", says which way to choose.
import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'

type Outcome<Props> = { readonly Component: ComponentType<Props> } | { readonly error: unknown }

/**
 * Draws `waiting`, or nothing, until the component's code has arrived. Throws if it cannot. React's
 * `lazy` would hold the component back for 300 ms, and draw it anew at each change meanwhile.
 */
export const onDemand = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: (props: Props) => ReactNode = () => null,
) => {
  let known: Outcome<Props> | undefined
  const fetched = async (): Promise<Outcome<Props>> => {
    try {
      known = { Component: await load() }
      return known
    } catch (error) {
      // Not cached, so the next use tries again.
      return { error }
    }
  }
  return (props: Props) => {
    const [outcome, setOutcome] = useState(known)
    useEffect(() => {
      if (!outcome) void fetched().then((result) => startTransition(() => setOutcome(result)))
    }, [outcome])
    if (!outcome) return waiting(props)
    if ('error' in outcome) throw outcome.error
    return <outcome.Component {...props} />
  }
}
