import type { MantineColorScheme, MantineColorSchemeManager } from '@mantine/core'

const KEY = 'mantine-color-scheme-value'
const ATTRIBUTE = 'data-mantine-color-scheme'

type Watcher = (scheme: MantineColorScheme) => void
const watchers = new Set<Watcher>()
let mantine: Watcher | undefined

const isScheme = (value: unknown): value is MantineColorScheme => value === 'auto' || value === 'light' || value === 'dark'

const read = (): MantineColorScheme => {
  if (typeof window === 'undefined') return 'auto'
  try {
    const stored = window.localStorage.getItem(KEY)
    return isScheme(stored) ? stored : 'auto'
  } catch {
    return 'auto'
  }
}

const write = (scheme: MantineColorScheme): void => {
  try {
    window.localStorage.setItem(KEY, scheme)
  } catch {
    // A browser without storage keeps the choice until the page is left.
  }
}

const darkSystem = () => window.matchMedia('(prefers-color-scheme: dark)')

const show = (scheme: MantineColorScheme): void => {
  const shown = scheme === 'auto' ? (darkSystem().matches ? 'dark' : 'light') : scheme
  document.documentElement.setAttribute(ATTRIBUTE, shown)
  for (const watcher of watchers) watcher(scheme)
}

/** Switches between light and dark. Choosing what the system has anyway goes back to following it. */
export const toggleColorScheme = (): void => {
  const next = document.documentElement.getAttribute(ATTRIBUTE) === 'dark' ? 'light' : 'dark'
  const scheme = (next === 'dark') === darkSystem().matches ? 'auto' : next
  write(scheme)
  show(scheme)
}

/** Follows the system and the other tabs, on pages with and without Mantine. Returns the way out. */
export const followColorScheme = (): (() => void) => {
  const system = darkSystem()
  const onSystem = () => show(read())
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY) show(read())
  }
  system.addEventListener('change', onSystem)
  window.addEventListener('storage', onStorage)
  return () => {
    system.removeEventListener('change', onSystem)
    window.removeEventListener('storage', onStorage)
  }
}

/** The same choice, as Mantine wants it. The landing page has no Mantine, so the choice cannot live there. */
export const colorSchemeManager: MantineColorSchemeManager = {
  get: read,
  set: write,
  subscribe: (watcher) => {
    mantine = watcher
    watchers.add(watcher)
  },
  unsubscribe: () => {
    if (mantine) watchers.delete(mantine)
  },
  clear: () => write('auto'),
}
