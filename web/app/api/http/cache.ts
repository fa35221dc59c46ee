/**
 * The last answers to what this page reads, by address, with the server's tags: what has not
 * changed is not sent again. In this page's memory alone, and only for the token that asked: no
 * cache of the browser ever holds anybody's money (docs/decisions/007).
 */

type Kept = { readonly tag: string; readonly text: string }

/**
 * The most answers that are kept, and the longest of them, in characters: a page of a list, not an
 * export.
 */
const MOST = 64
const LONGEST = 100_000

let asker: string | null = null
const answers = new Map<string, Kept>()

/** What was answered when this token last read this address. */
export const findCached = (token: string | null, address: string): Kept | undefined =>
  token !== null && token === asker ? answers.get(address) : undefined

/**
 * Keeps an answer in place of what was answered there before, and of everything that was answered
 * to another token.
 */
export const cacheAnswer = (
  token: string,
  address: string,
  { tag, text }: { readonly tag: string | null; readonly text: string },
): void => {
  if (token !== asker) answers.clear()
  asker = token
  answers.delete(address)
  if (tag === null || text.length > LONGEST) return
  answers.set(address, { tag, text })
  for (const oldest of answers.keys()) {
    if (answers.size <= MOST) break
    answers.delete(oldest)
  }
}

export const clearCache = (): void => answers.clear()
