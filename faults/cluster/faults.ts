/** The faults of a cluster, as data. Each strike looks at the cluster of that moment. */
import { spawnSync } from 'node:child_process'
import { rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isAlive } from '../../ops/cluster/services.mjs'
import type { Kind } from '../bounds.ts'
import type { Fault } from '../run.ts'
import { cancelled, killed, terminated } from './losing.ts'
import { NEW_TABLE, writeNextVersion } from './nextVersion.ts'
import { hasPromoted, leaderOf, othersOf, promoted, until } from './promotion.ts'
import type { Machine, Stage } from './stage.ts'

export type ClusterFault = {
  readonly title: string
  /** The bound of the longest gap of writes. */
  readonly kind: Kind
  readonly strike: (stage: Stage) => Promise<Fault>
  /** The rights that it needs of this user. */
  readonly needs?: 'disks' | 'networks'
  /** True when commits that were not acknowledged are lost with the primary. */
  readonly takesBack?: boolean
  /** True when no request may fail. */
  readonly isPlanned?: true
  /** The number of runs, one without it. */
  readonly runs?: number
  /** True for the few of an ordinary run. */
  readonly isShort?: true
}

/** The milliseconds that a cluster stays broken, longer than `ttl` where the lease matters. */
const HOLD_MS = 5_000
const PAST_TTL_MS = 25_000

const kill = (pid: number | undefined): void => void process.kill(pid ?? Number.NaN, 'SIGKILL')

/** Kills Patroni first, since it would start PostgreSQL again. */
const killDatabase = async (stage: Stage, machine: Machine): Promise<void> => {
  await stage.stop(`patroni ${machine.name}`, 'SIGKILL')
  const pid = stage.postmasterOf(machine)
  kill(pid)
  await until(() => !isAlive(pid))
}

const killOfPostgres = async (stage: Stage): Promise<Fault> => {
  const before = await leaderOf(stage)
  const pid = stage.postmasterOf(before.machine)
  return {
    inject: async () => {
      kill(pid)
      await promoted(stage, before)
    },
    isSeen: async () => !isAlive(pid) && (await hasPromoted(stage, before)),
  }
}

const killOfPatroni = async (stage: Stage): Promise<Fault> => {
  const before = await leaderOf(stage)
  const patroni = `patroni ${before.machine.name}`
  return {
    inject: async () => {
      await killDatabase(stage, before.machine)
      await promoted(stage, before)
    },
    isSeen: async () => !stage.isRunning(patroni) && (await hasPromoted(stage, before)),
    recover: async () => stage.start(patroni),
  }
}

/** The machine falls silent: its peers get no reset of their connections. */
const lossOfMachine = async (stage: Stage): Promise<Fault> => {
  const before = await leaderOf(stage)
  const { name, address } = before.machine
  const services = [`etcd ${name}`, `patroni ${name}`]
  return {
    inject: async () => {
      if (stage.places.canCut) stage.places.setLink(address, 'down')
      await killDatabase(stage, before.machine)
      await stage.stop(`etcd ${name}`, 'SIGKILL')
      await promoted(stage, before)
    },
    isSeen: async () =>
      !services.some((each) => stage.isRunning(each)) && (await hasPromoted(stage, before)),
    recover: async () => {
      if (stage.places.canCut) stage.places.setLink(address, 'up')
      for (const each of services) stage.start(each)
    },
  }
}

const switchover = async (stage: Stage): Promise<Fault> => {
  const before = await leaderOf(stage)
  const [candidate]: readonly Machine[] = await stage.machinesThat('synchronous')
  const body = { leader: before.machine.name, candidate: candidate?.name }
  return {
    inject: async () => {
      const { ok, status } = await stage.tellPatroni(before.machine, 'POST', 'switchover', body)
      if (!ok) throw new Error(`Patroni answered ${status} to the switchover.`)
      await promoted(stage, before)
    },
    isSeen: () => hasPromoted(stage, before),
  }
}

/** The primary goes on running, and neither etcd nor clients reach it. */
const cut = async (stage: Stage): Promise<Fault> => {
  const before = await leaderOf(stage)
  const { address } = before.machine
  return {
    inject: async () => {
      stage.places.setLink(address, 'down')
      await promoted(stage, before)
    },
    isSeen: async () => !stage.places.hasLink(address) && (await hasPromoted(stage, before)),
    recover: async () => stage.places.setLink(address, 'up'),
  }
}

const lossOfQuorum = async (stage: Stage): Promise<Fault> => {
  const { machine } = await leaderOf(stage)
  const lost = othersOf(stage, machine).map(({ name }) => `etcd ${name}`)
  const hasQuorum = async () => (await stage.askEtcd(machine, '/health')).status === 200
  return {
    inject: async () => {
      for (const name of lost) await stage.stop(name, 'SIGKILL')
      await until(async () => !(await hasQuorum()))
      await wait(PAST_TTL_MS)
    },
    isSeen: async () => !lost.some((name) => stage.isRunning(name)) && !(await hasQuorum()),
    recover: async () => {
      for (const each of lost) stage.start(each)
      await until(hasQuorum)
    },
  }
}

const lossOfStandbys = async (stage: Stage): Promise<Fault> => {
  const { machine } = await leaderOf(stage)
  const standbys = othersOf(stage, machine)
  return {
    inject: async () => {
      await Promise.all(standbys.map((each) => killDatabase(stage, each)))
      await wait(HOLD_MS)
    },
    isSeen: () => standbys.every((each) => stage.postmasterOf(each) === undefined),
    recover: async () => {
      for (const { name } of standbys) stage.start(`patroni ${name}`)
      await until(() => stage.isWhole())
    },
  }
}

/** True without room for another page of a table. */
const isFull = (path: string): boolean => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize < 65_536
}

const fullDisk = async (stage: Stage): Promise<Fault> => {
  const { machine } = await leaderOf(stage)
  const filler = join(machine.data, 'filler')
  let wasFull = false
  return {
    inject: async () => {
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'], { stdio: 'ignore' })
      // A PostgreSQL that gives up frees some of it.
      wasFull = isFull(machine.data)
      await wait(2 * HOLD_MS)
      rmSync(filler)
    },
    isSeen: () => wasFull,
  }
}

/** Kills one service, and starts it again after a while. */
const killOf =
  (name: string) =>
  async (stage: Stage): Promise<Fault> => ({
    inject: async () => {
      await stage.stop(name, 'SIGKILL')
      await wait(HOLD_MS)
    },
    isSeen: () => !stage.isRunning(name),
    recover: async () => stage.start(name),
  })

/** Replaces the product nodes one after the other, by another version when given its program. */
const rollingRestart = async (stage: Stage, main?: string): Promise<Fault> => {
  const services = stage.productMachines.map(({ name }) => `product ${name}`)
  const before = services.map(stage.pidOf)
  return {
    inject: async () => {
      for (const machine of stage.productMachines) {
        await stage.stop(`product ${machine.name}`)
        stage.start(`product ${machine.name}`, main)
        await until(() => stage.isReady(machine))
      }
    },
    isSeen: () => services.every((each, index) => stage.pidOf(each) !== before[index]),
  }
}

/** The tables are migrated while both nodes serve as they did, and then each is replaced. */
const rollingUpgrade = async (stage: Stage): Promise<Fault> => {
  const server = writeNextVersion(stage.directory)
  const restart = await rollingRestart(stage, join(server, 'main.ts'))
  const { machine } = await leaderOf(stage)
  const hasMigrated = async () =>
    (await stage.sql(machine, `SELECT FROM pg_class WHERE relname = '${NEW_TABLE}'`)).length > 0
  return {
    ...restart,
    inject: async () => {
      await stage.migrate(server)
      await restart.inject()
    },
    isSeen: async () => (await restart.isSeen()) && (await hasMigrated()),
    recover: () => stage.upgradeOperator(server),
  }
}

export const faults: readonly ClusterFault[] = [
  {
    title: "kill -9 of the primary's PostgreSQL",
    kind: 'standstill',
    strike: killOfPostgres,
    runs: 3,
    isShort: true,
  },
  {
    title: 'a rolling restart',
    kind: 'nuisance',
    strike: (stage) => rollingRestart(stage),
    isPlanned: true,
  },
  { title: 'a rolling upgrade', kind: 'nuisance', strike: rollingUpgrade, isPlanned: true },
  { title: 'kill -9 of its Patroni and PostgreSQL', kind: 'standstill', strike: killOfPatroni },
  { title: 'the loss of its machine', kind: 'standstill', strike: lossOfMachine, runs: 3 },
  { title: 'a switchover', kind: 'standstill', strike: switchover, runs: 3 },
  { title: 'a primary that is cut off', kind: 'standstill', strike: cut, needs: 'networks' },
  { title: 'etcd without quorum', kind: 'nuisance', strike: lossOfQuorum },
  { title: 'the loss of both standbys', kind: 'standstill', strike: lossOfStandbys },
  { title: 'a full disk of the primary', kind: 'standstill', strike: fullDisk, needs: 'disks' },
  {
    title: 'kill -9 of a HAProxy to the primary',
    kind: 'oneOfTwo',
    strike: killOf('haproxy node-1'),
  },
  { title: 'kill -9 of a PgBouncer', kind: 'oneOfTwo', strike: killOf('pgbouncer node-1') },
  { title: 'kill -9 of a product node', kind: 'oneOfTwo', strike: killOf('product node-1') },
  {
    title: 'kill -9 of the HAProxy of browsers',
    kind: 'standstill',
    strike: killOf('haproxy front'),
  },
  {
    title: 'a cancelled wait for a standby',
    kind: 'standstill',
    strike: cancelled,
    takesBack: true,
  },
  {
    title: 'a terminated wait for a standby',
    kind: 'standstill',
    strike: terminated,
    takesBack: true,
  },
  { title: 'a killed wait for a standby', kind: 'standstill', strike: killed, takesBack: true },
]
