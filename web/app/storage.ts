/**
 * The browser's storage. A browser may refuse it to a site, or have no room left. Then this page
 * remembers what it was told, until it is left.
 */
const storageOf = (open: () => Storage) => {
  /** The entries that the browser did not take, with null for one that it did not remove. */
  const untaken = new Map<string, string | null>()
  const tell = (key: string, value: string | null): void => {
    try {
      if (value === null) open().removeItem(key)
      else open().setItem(key, value)
      untaken.delete(key)
    } catch {
      untaken.set(key, value)
    }
  }
  return {
    /** The value, or null. An empty one counts as none. */
    read: (key: string): string | null => {
      const here = untaken.get(key)
      if (here !== undefined) return here
      try {
        return open().getItem(key) || null
      } catch {
        return null
      }
    },
    write: (key: string, value: string): void => tell(key, value),
    remove: (key: string): void => tell(key, null),
  }
}

/** Kept for all tabs. */
export const stored = storageOf(() => window.localStorage)

/** Kept for this tab. */
export const storedInTab = storageOf(() => window.sessionStorage)

/** False where the browser keeps nothing beyond this page. */
export const isStorageKept = (): boolean => {
  try {
    window.localStorage.setItem('probe', 'x')
    window.localStorage.removeItem('probe')
    return true
  } catch {
    return false
  }
}
