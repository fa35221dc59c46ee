/**
 * Caches the last responses by URL with their ETags, so unchanged responses are not sent again. The
 * cache is in memory and for one token (docs/decisions/007).
 */

type Cached = { readonly etag: string; readonly text: string }

/**
 * The most cached responses, and the most characters of one. A page of a list fits, an export does
 * not.
 */
const MOST = 64
const LONGEST = 100_000

let asker: string | null = null
const answers = new Map<string, Cached>()

/** The last response to this token at this URL. */
export const findCached = (token: string | null, url: string): Cached | undefined =>
  token !== null && token === asker ? answers.get(url) : undefined

/** Caches a response, and forgets those of other tokens. */
export const cacheAnswer = (
  token: string,
  url: string,
  { etag, text }: { readonly etag: string | null; readonly text: string },
): void => {
  if (token !== asker) answers.clear()
  asker = token
  answers.delete(url)
  if (etag === null || text.length > LONGEST) return
  answers.set(url, { etag, text })
  for (const oldest of answers.keys()) {
    if (answers.size <= MOST) break
    answers.delete(oldest)
  }
}

export const clearCache = (): void => answers.clear()
