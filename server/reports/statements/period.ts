import { refusal } from '@pool/contract/base/refusals'

/** A month or a year in UTC. `to` is no part of it. */
export type Period = {
  readonly name: string
  readonly from: Date
  readonly to: Date
  /** False while it goes on. Then `to` is the moment of the making. */
  readonly isComplete: boolean
}

/**
 * A movement has the moment at which its transaction began. One that waits for locks may take a
 * minute for each of some statements, and 15 seconds for its commit.
 */
const SETTLES_MS = 300_000

/** The period of a name, `YYYY-MM` or `YYYY`. Throws `statementNotFound` for one of the future. */
export const periodOf = (name: string, now: Date): Period => {
  const [year = 0, month] = name.split('-').map(Number)
  const from = new Date(Date.UTC(year, (month ?? 1) - 1, 1))
  const end = new Date(Date.UTC(month ? year : year + 1, month ?? 0, 1))
  if (from > now) throw refusal('statementNotFound')
  const isComplete = end.getTime() + SETTLES_MS <= now.getTime()
  return { name, from, to: isComplete || end < now ? end : now, isComplete }
}

/** Names of months and years from a moment to now, the newest first, a year before its months. */
export const periodsSince = (first: Date, now: Date): string[] => {
  const names: string[] = []
  for (let year = now.getUTCFullYear(); year >= first.getUTCFullYear(); year -= 1) {
    const last = year === now.getUTCFullYear() ? now.getUTCMonth() : 11
    const earliest = year === first.getUTCFullYear() ? first.getUTCMonth() : 0
    names.push(String(year))
    for (let month = last; month >= earliest; month -= 1)
      names.push(`${year}-${String(month + 1).padStart(2, '0')}`)
  }
  return names
}

/** A part of the name of a file that is made while its period goes on. Empty afterwards. */
export const untilIn = ({ isComplete, to }: Period): string =>
  isComplete ? '' : `-until-${to.toISOString().replace(/[:.]/g, '')}`

/** A period as a file tells it. */
export const periodText = ({ name, from, to, isComplete }: Period) => ({
  name,
  from: from.toISOString(),
  to: to.toISOString(),
  isComplete,
})
