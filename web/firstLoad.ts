/**
 * Chunks that load once a screen is usable: charts, changes, the bell, the rail, the end of a page,
 * and what says that a part is missing.
 */
const LATER =
  /\/(Plot|changes|Bell|unread|Below|WorksIn|poolBook|figures|notices|NotLoaded|rail|Rail)-[\w-]+\.js$/
/** The rest of staff's dashboard. It loads once the queue is drawn, with all that it needs. */
const AFTER_THE_QUEUE = /\/Records-[\w-]+\.js$/

/** The scripts of a first load, from the URLs that a page asked for, in order. */
export const firstLoad = (asked: readonly string[]): readonly string[] => {
  const end = asked.findIndex((url) => AFTER_THE_QUEUE.test(url))
  return asked.slice(0, end < 0 ? asked.length : end).filter((url) => !LATER.test(url))
}
