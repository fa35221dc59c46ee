// web/app/README.md, "Loading late", says which way to choose.
import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react'
import { type Missing, whyMissing } from './missing.ts'

/** Draws what is missing. Shell fetches it ahead, so that it is there without a network. */
const fetchSigns = () => import('./NotLoaded.tsx')
type Signs = Awaited<ReturnType<typeof fetchSigns>>

type Failure = { readonly why: Missing; readonly signs: Signs }
type Outcome<Props> =
  | { readonly Component: ComponentType<Props> }
  | { readonly failure: Failure }
  | { readonly error: unknown }

type Ways<Props> = {
  /** Draws this, or nothing, until the code has arrived. */
  readonly waiting?: (props: Props) => ReactNode
  /** Draws this if it does not arrive, in place of a sentence with a button. */
  readonly missing?: (
    signs: Signs,
    failure: { readonly why: Missing; readonly onAgain: () => void },
    props: Props,
  ) => ReactNode
}

/**
 * Draws a component whose code comes later. Says so in its place if it does not come. React's
 * `lazy` would hold the component back for 300 ms, and draw it anew at each change meanwhile.
 */
export const onDemand = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  {
    waiting = () => null,
    missing = ({ NotLoaded }, failure) => <NotLoaded {...failure} />,
  }: Ways<Props> = {},
) => {
  let known: Outcome<Props> | undefined
  const fetched = async (): Promise<Outcome<Props>> => {
    try {
      known = { Component: await load() }
      return known
    } catch (error) {
      console.error('A part could not be loaded:', error)
      // Not cached, so the next use tries again.
      return Promise.all([fetchSigns(), whyMissing()]).then(
        ([signs, why]) => ({ failure: { signs, why } }),
        () => ({ error }),
      )
    }
  }
  return (props: Props) => {
    const [outcome, setOutcome] = useState(known)
    useEffect(() => {
      if (!outcome) void fetched().then((result) => startTransition(() => setOutcome(result)))
    }, [outcome])
    if (!outcome) return waiting(props)
    if ('error' in outcome) throw outcome.error
    if ('Component' in outcome) return <outcome.Component {...props} />
    const { signs, why } = outcome.failure
    return missing(signs, { why, onAgain: () => setOutcome(undefined) }, props)
  }
}

type DialogProps = { readonly opened?: boolean; readonly onClose: () => void }

/** An `onDemand` for a dialog or a panel: a dialog says that it could not be loaded. */
export const dialogOnDemand = <Props extends DialogProps>(
  load: () => Promise<ComponentType<Props>>,
) =>
  onDemand<Props>(load, {
    missing: ({ DialogNotLoaded }, failure, { opened = true, onClose }) =>
      opened && (
        <DialogNotLoaded
          {...failure}
          onClose={() => {
            // The next opening finds it, if it is there by then.
            failure.onAgain()
            onClose()
          }}
        />
      ),
  })

/** Sentences in the corner of the page, where some were said. */
export const SaidInCorner = onDemand(async () => (await fetchSigns()).SaidInCorner)

/** Fetches what says that something is missing. Without it a missing part replaces the page. */
export const fetchAhead = (): void => void fetchSigns().catch(() => undefined)
