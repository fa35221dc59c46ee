/** An act of the demonstration. It may add later ones. */
type Act = () => Promise<void>

/** The acts to come, by moment in milliseconds since 1970. */
export type Agenda = {
  readonly at: (moment: number, act: Act) => void
  /** Runs the acts up to `end` in order, each after `before`. Later ones never happen. */
  readonly run: (end: number, before: (moment: number) => Promise<void>) => Promise<void>
}

export const openAgenda = (): Agenda => {
  /** The next one last. */
  const acts: { readonly moment: number; readonly act: Act }[] = []
  return {
    at: (moment, act) => {
      const place = acts.findLastIndex((other) => other.moment > moment) + 1
      acts.splice(place, 0, { moment, act })
    },
    run: async (end, before) => {
      for (let next = acts.pop(); next && next.moment <= end; next = acts.pop()) {
        await before(next.moment)
        await next.act()
      }
    },
  }
}
