/**
 * Reads a list to its end, a page at a time. Rows that stay in it hold up none behind them. `read`
 * returns the page after a row, in the order of a key that no change of a row moves.
 */
export const pagesOf = async function* <Row>(
  most: number,
  read: (after: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  for (let after: Row | undefined; ; ) {
    const page = await read(after)
    if (page.length > 0) yield page
    after = page.at(-1)
    if (page.length < most) return
  }
}

/** Acts on each row of every page. One that fails holds up no other, and is thrown at the end. */
export const onEachOf = async <Row>(
  pages: AsyncIterable<readonly Row[]> | readonly (readonly Row[])[],
  act: (row: Row) => Promise<void>,
): Promise<void> => {
  const failures: unknown[] = []
  for await (const page of pages)
    for (const row of page)
      try {
        await act(row)
      } catch (error) {
        failures.push(error)
      }
  if (failures.length > 0) throw failures[0]
}
