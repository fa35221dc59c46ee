/** Rehearses the end of the pool in a sandbox or a copy, down to zero (docs/product.md 5.42). */
import type { Pool } from 'pg'
import { readRunOff } from '../../ledger/sums/runOff.ts'
import { setClock, withClock } from '../demo/clock.ts'
import type { DemoContext } from '../demo/life.ts'
import { isOver, liveDay, nextMoment } from './days.ts'
import { readDefaulting } from './loans.ts'
import { joinPair } from './people.ts'
import { beginRehearsal, endRehearsal, moveTo, type Rehearsal, readRehearsal } from './state.ts'
import { stoppingPause, stuckSentence } from './stops.ts'
import { openWorld } from './world.ts'

type Place = {
  /** A single connection, whose clock is the rehearsal's. */
  readonly pool: Pool
  readonly owner: Pool
}

/**
 * Begins, or goes on where it was stopped, and ends at zero. Returns the cause of an end before
 * that as a sentence.
 */
export const rehearse = async (
  { pool, owner }: Place,
  given: DemoContext,
  percent: number,
): Promise<string | undefined> => {
  const begun = (await readRehearsal(owner)) ?? (await begin(owner, given, percent))
  if (begun.endedAt) return undefined
  // A copy of a live pool sends no mail, and its payees need not be 24 hours old.
  const config = { ...given.config, poolMode: 'sandbox' as const, mail: undefined }
  const means: DemoContext = { ...given, config }
  return withClock(owner, async () => {
    let moment = begun.moment
    await setClock(pool, moment.getTime())
    const world = openWorld(means, await joinPair(means), Object.keys(begun.defaulting))
    for (;;) {
      const paused = await stoppingPause(means.db)
      if (paused) return paused
      await liveDay(world)
      if (await isOver(world)) break
      const next = await nextMoment(world)
      if (!next) return stuckSentence(means.db)
      moment = next
      await moveTo(owner, moment)
      await setClock(pool, moment.getTime())
    }
    await endRehearsal(owner)
    return undefined
  })
}

const begin = async (owner: Pool, { db }: DemoContext, percent: number): Promise<Rehearsal> => {
  const { holders: _, ...sums } = await readRunOff(db)
  const opening = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, String(sum)]))
  const defaulting = await readDefaulting(db, percent)
  return beginRehearsal(owner, { percent, at: new Date(), opening, defaulting })
}

/** Throws for a live pool, a pool with nodes, and a product that runs. */
export const requireRehearsable = async (
  { pool }: Pick<Place, 'pool'>,
  { config, isCopy }: { readonly config: DemoContext['config']; readonly isCopy: boolean },
): Promise<void> => {
  if (config.poolMode === 'live' && !isCopy)
    throw new Error(
      'This pool is live. Restore a backup elsewhere (--for rehearsal), and rehearse there.',
    )
  if (config.chains.length > 0)
    throw new Error('CHAINS names nodes. Leave it out: a rehearsal moves no coins.')
  const { rows } = await pool.query<{ used: boolean }>(`
    SELECT EXISTS (SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()) AS used`)
  if (rows[0]?.used) throw new Error('Stop the product first. It would go by its own clock.')
}
