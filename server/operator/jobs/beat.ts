import type pg from 'pg'
import type { Log } from '../../base/process/log.ts'
import { deadRunners, freeWork, hideSign, showSign } from './signsOfLife.ts'
import { type Successes, writeSuccesses } from './successes.ts'
import { isUnderWay, settle, type Works } from './work.ts'

/** Beats after which a statement of an ended runner cannot take a job any more. */
const LATE_BEATS = 20

/** Work of a runner that ended, and the beats since. */
export type Ended = { readonly works: Works; beats: number }

type BeatState = {
  readonly ended: Ended[]
  readonly log: Log
  /** Successes that are not written yet. */
  readonly successes: Successes
  readonly works: Works
  readonly session: pg.PoolClient
  /** Adds the jobs that repeat, which a killed process had taken. */
  readonly repeat: () => Promise<void>
}

/**
 * One beat settles jobs of this process's runners, and frees the work of killed processes. A runner
 * is dead when two beats find no sign of it, so that a new sign may replace a lost one.
 */
export const openBeat = ({ ended, log, successes, works, session, repeat }: BeatState) => {
  let suspects: ReadonlySet<string> = new Set()
  const shown = new Set<string>()
  return async (): Promise<void> => {
    await settle(session, works, { hasEnded: false })
    await writeSuccesses(session, successes)
    for (const each of ended) await settleEnded(session, each, shown)
    const gone = ended.filter((each) => each.beats > LATE_BEATS)
    for (const each of gone) {
      ended.splice(ended.indexOf(each), 1)
      if (each.works.name !== undefined && shown.delete(each.works.name))
        await hideSign(session, each.works.name)
    }
    const dead = await deadRunners(session)
    const runners = dead.filter((name) => suspects.has(name))
    suspects = new Set(dead)
    if (runners.length === 0) return
    await freeWork(session, runners)
    await repeat()
    log.warn({ runners }, 'freed the jobs of killed processes')
  }
}

/** The sign of an ended runner is shown on, since its jobs under way must not be freed. */
const settleEnded = async (session: pg.PoolClient, each: Ended, shown: Set<string>) => {
  const { works } = each
  if (works.name !== undefined && !shown.has(works.name) && (await showSign(session, works.name)))
    shown.add(works.name)
  await settle(session, works, { hasEnded: true })
  each.beats = isUnderWay(works) ? 0 : each.beats + 1
}
