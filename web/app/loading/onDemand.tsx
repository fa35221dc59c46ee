/*
 * The ways to load or draw something late, by who waits for it:
 * - somebody asks for it (a dialog, a side panel, the first toast): `onDemand`.
 * - its place can be seen meanwhile (a dashboard, a tab): React's `lazy` in a `Suspense`.
 * - it stands below what a page shows first, and its code is there: `Later`.
 * - the rest of many rows: `useInTurns`.
 * - a form's rules, before the first submit: `useLateRules`.
 * - nobody (following changes): `onceIdle`, then a plain `import()`.
 * - only a browser knows it, so a prerendered page must not show it: `useHydrated`.
 */
import { type ComponentType, startTransition, useEffect, useState } from 'react'

type Outcome<Props> = { readonly Component: ComponentType<Props> } | { readonly error: unknown }

/**
 * A component whose code is fetched when it is first drawn, and nothing in its place until then.
 * Not React's `lazy`: what a Suspense boundary has waited for is held back until its fallback has
 * stood for 300 ms, and the code is there after ten. For what somebody asks for; what a page begins
 * with is better in turns. Throws where it stands if the code cannot be had.
 */
export const onDemand = <Props extends object>(load: () => Promise<ComponentType<Props>>) => {
  let known: Outcome<Props> | undefined
  const fetched = async (): Promise<Outcome<Props>> => {
    try {
      known = { Component: await load() }
      return known
    } catch (error) {
      // Not kept: it is tried again by whoever draws it next.
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
