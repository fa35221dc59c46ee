/**
 * Commits that only the primary has, which then dies. Standbys are stopped in their receivers of
 * the log, so that the primary goes on waiting for them.
 */
import { isAlive } from '../../ops/cluster/services.mjs'
import type { Fault } from '../run.ts'
import { hasPromoted, leaderOf, othersOf, promoted, until } from './promotion.ts'
import type { Machine, Stage } from './stage.ts'

/** Stops the standbys' receivers, and returns their process ids. */
const stallReplication = async (stage: Stage, primary: Machine): Promise<readonly number[]> => {
  const found = await Promise.all(
    othersOf(stage, primary).map((each) =>
      stage.sql<{ pid: number }>(each, 'SELECT pid FROM pg_stat_wal_receiver'),
    ),
  )
  const pids = found.flat().map(({ pid }) => pid)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  return pids
}

/** The backends whose commit waits for a standby. Questions for readiness are left out. */
const WAITING = "wait_event = 'SyncRep' AND query NOT LIKE '%readiness%'"

/** Ends a wait for a standby, on the primary. Returns the number of ended ones. */
type Ending = (stage: Stage, primary: Machine) => Promise<number>

const endBy =
  (act: 'pg_cancel_backend' | 'pg_terminate_backend'): Ending =>
  async (stage, primary) => {
    const text = `SELECT ${act}(pid) FROM pg_stat_activity WHERE ${WAITING}`
    return (await stage.sql(primary, text)).length
  }

/** The rows that this machine has since a moment. */
const rowsSince = async (stage: Stage, machine: Machine, moment: Date): Promise<Set<string>> => {
  const text = 'SELECT id FROM transactions WHERE created_at > $1'
  const rows = await stage.sql<{ id: string }>(machine, text, [moment])
  return new Set(rows.map(({ id }) => id))
}

/** Lets the primary die with its Patroni, and the standbys with what they have not read. */
const failOver = async (stage: Stage, primary: Machine, receivers: readonly number[]) => {
  await stage.stop(`patroni ${primary.name}`, 'SIGKILL')
  process.kill(stage.postmasterOf(primary) ?? Number.NaN, 'SIGKILL')
  for (const pid of receivers) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

/** Ends waits until the primary alone has rows and their repeats wait, then lets it die. */
const losing =
  (end: Ending) =>
  async (stage: Stage): Promise<Fault> => {
    const before = await leaderOf(stage)
    const primary = before.machine
    let alone = new Set<string>()
    return {
      inject: async () => {
        const receivers = await stallReplication(stage, primary)
        const moment = new Date()
        let ended = 0
        await until(async () => {
          ended += await end(stage, primary)
          alone = await rowsSince(stage, primary, moment)
          return ended > 0 && alone.size > 0
        })
        const repeated = `SELECT FROM pg_stat_activity WHERE ${WAITING}`
        await until(async () => (await stage.sql(primary, repeated)).length > 0)
        await failOver(stage, primary, receivers)
        await promoted(stage, before)
      },
      // Something was taken back: the new primary lacks rows that the old one had.
      isSeen: async () => {
        if (alone.size === 0 || !(await hasPromoted(stage, before))) return false
        const { machine } = await leaderOf(stage)
        const kept = await rowsSince(stage, machine, new Date(0))
        return [...alone].some((id) => !kept.has(id))
      },
      recover: async () => stage.start(`patroni ${primary.name}`),
    }
  }

/** The acknowledged commits that the standbys lack. */
const ENOUGH_ROWS = 20

/** Lets the primary die while the standbys lack what it acknowledged, without waiting for them. */
export const taken = async (stage: Stage): Promise<Fault> => {
  const before = await leaderOf(stage)
  const primary = before.machine
  return {
    inject: async () => {
      const receivers = await stallReplication(stage, primary)
      const moment = new Date()
      await until(async () => (await rowsSince(stage, primary, moment)).size >= ENOUGH_ROWS)
      await failOver(stage, primary, receivers)
      await promoted(stage, before)
    },
    isSeen: () => hasPromoted(stage, before),
    recover: async () => stage.start(`patroni ${primary.name}`),
  }
}

export const cancelled = losing(endBy('pg_cancel_backend'))
export const terminated = losing(endBy('pg_terminate_backend'))

/** A killed backend makes PostgreSQL start again, so Patroni lets a standby take over. */
export const killed = async (stage: Stage): Promise<Fault> => {
  const before = await leaderOf(stage)
  const primary = before.machine
  const waiting = `SELECT pid FROM pg_stat_activity WHERE ${WAITING}`
  let pid: number | undefined
  return {
    inject: async () => {
      const receivers = await stallReplication(stage, primary)
      await until(async () => {
        pid = (await stage.sql<{ pid: number }>(primary, waiting))[0]?.pid
        return pid !== undefined
      })
      process.kill(pid ?? Number.NaN, 'SIGKILL')
      await until(() => !isAlive(pid))
      await failOver(stage, primary, receivers)
      await promoted(stage, before)
    },
    isSeen: async () => pid !== undefined && (await hasPromoted(stage, before)),
    recover: async () => stage.start(`patroni ${primary.name}`),
  }
}
