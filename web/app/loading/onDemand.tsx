// ARCHITECTURE.md, "Loading late", says which way to choose.
import { type ComponentType, startTransition, useEffect, useState } from 'react'

type Outcome<Props> = { readonly Component: ComponentType<Props> } | { readonly error: unknown }

/**
 * Draws nothing until the component's code has arrived, and throws if it cannot. React's `lazy`
 * would hold the component back for 300 ms after its fallback.
 */
export const onDemand = <Props extends object>(load: () => Promise<ComponentType<Props>>) => {
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
    if (!outcome) return null
    if ('error' in outcome) throw outcome.error
    return <outcome.Component {...props} />
  }
}
