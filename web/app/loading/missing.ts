/** Code that could not be loaded: why, what is said where it has no place, and a reload. */
import { useSyncExternalStore } from 'react'

/** `gone`: the server answers, but its version has no such file. `away`: nothing answers. */
export type Missing = 'gone' | 'away'

/** A file that every version has. */
const PROBE = '/robots.txt'

/** Asks the server why a file did not come. Browsers do not say it. */
export const whyMissing = async (): Promise<Missing> => {
  if (!navigator.onLine) return 'away'
  const isThere = await fetch(PROBE, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  return isThere ? 'gone' : 'away'
}

/** The sentences about it, which Shell fetches ahead. Without them there is a mark alone. */
export const words = (): Promise<(key: 'unchecked' | `corner.${Missing}`) => string> =>
  import('../i18n/late.ts').then(
    ({ t }) => t,
    () => () => '…',
  )

/** A sentence in the corner of the page. `why` adds the button that helps. */
export type Said = { readonly message: string; readonly why: Missing | null }

let said: readonly Said[] = []
const none: readonly Said[] = []
const watchers = new Set<() => void>()

const become = (next: readonly Said[]): void => {
  said = next
  for (const watcher of watchers) watcher()
}

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Says a sentence in the corner of the page, once, by code that is there already. */
export const sayPlainly = (message: string, why: Missing | null = null): void => {
  if (!said.some((each) => each.message === message)) become([...said, { message, why }])
}

export const forgetSaid = (): void => become([])

export const useSaid = (): readonly Said[] =>
  useSyncExternalStore(
    watch,
    () => said,
    () => none,
  )

/** Thrown for code that could not be loaded, with the sentence for the user. */
export class MissingError extends Error {}

/**
 * Loads code for work without a place on the screen. Says in the corner that it could not be
 * loaded, and throws a {@link MissingError}.
 */
export const late = async <Code>(load: () => Promise<Code>): Promise<Code> => {
  try {
    return await load()
  } catch (cause) {
    const why = await whyMissing()
    const message = (await words())(`corner.${why}`)
    sayPlainly(message, why)
    throw new MissingError(message, { cause })
  }
}

let beforeReload: () => void = () => undefined

/** Runs `keep` before the page loads the new version. One function at a time. */
export const onReload = (keep: () => void): void => {
  beforeReload = keep
}

/** Loads the page again, which brings the new version. Drafts are kept. */
export const loadNewVersion = (): void => {
  beforeReload()
  window.location.reload()
}
