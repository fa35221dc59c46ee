/** Keeps `lanes` calls under way until `most` have begun or `until` answers true. */
export const closedLoop = async (
  one: (index: number) => Promise<unknown>,
  { lanes, most = Number.POSITIVE_INFINITY, until = () => false }: Loop,
): Promise<number> => {
  let begun = 0
  const lane = async () => {
    while (begun < most && !until()) {
      begun += 1
      await one(begun - 1)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return begun
}

type Loop = {
  readonly lanes: number
  readonly most?: number
  readonly until?: () => boolean
}
