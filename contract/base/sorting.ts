/** Sorts of lists of any size. */
export const sortsOfAnySize: readonly string[] = ['createdAt', 'name']

/** The most rows of a list in any other order, or with a filter, that no index serves. */
export const MOST_SORTED = 100_000
