/** A whole cluster under test, with ways to look at it and to break it. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCluster } from '../../ops/cluster/cluster.mjs'
import { postmasterOf } from '../../ops/cluster/services.mjs'
import { connect } from '../../server/base/db/connection.ts'
import { openLog } from '../../server/base/process/log.ts'
import { SETTINGS } from '../../server/testing/client.ts'
import { dataDirectory } from '../../server/testing/process.ts'
import { openPlaces } from './places.ts'

/** A database machine or a product machine. */
export type Machine = { readonly name: string; readonly address: string; readonly data: string }

export type Stage = Awaited<ReturnType<typeof openStage>>

/** The room of a database machine, which a full disk must fill soon. */
const DISK = '3g'

/** Mounts a disk of memory for each database machine, where this user may. */
const mountDisks = (directory: string): readonly string[] => {
  const disks = ['db-1', 'db-2', 'db-3'].map((name) => join(directory, name))
  const mounted: string[] = []
  for (const disk of disks) {
    mkdirSync(disk)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'tmpfs', disk], {
        stdio: 'ignore',
      })
      mounted.push(disk)
    } catch {
      // Faults that need the disks are left out.
    }
  }
  return mounted
}

/** Starts a cluster with two product nodes. `settings` are differing ones of the product. */
export const openStage = async (settings: Readonly<Record<string, string>> = {}) => {
  // Long: the ways to start and strike a cluster are short functions that share its state.
  const directory = mkdtempSync(join(tmpdir(), 'pool-cluster-'))
  // Under root, the services run as another user.
  chmodSync(directory, 0o755)
  const places = openPlaces()
  const disks = mountDisks(directory)
  const cluster = openCluster({
    directory,
    places,
    port: 3000,
    settings: { ...SETTINGS, LOG_LEVEL: 'warn', ...settings },
  })
  const databaseMachines: readonly Machine[] = cluster.databaseMachines
  const productMachines: readonly Machine[] = cluster.productMachines
  const { app, superuser } = cluster.secrets as { app: string; superuser: string }
  const hosts = productMachines.map(({ address }) => `${address}:5000`).join()
  const database = `postgres://pool_app:${app}@${hosts}/pool`
  const openOperator = (server?: string) =>
    dataDirectory(
      undefined,
      { DATA_DIR: productMachines[0]?.data ?? '', DATABASE_URL: database },
      server,
    )
  let operator = openOperator()

  const close = async () => {
    for (const { address } of databaseMachines)
      if (!places.hasLink(address)) places.setLink(address, 'up')
    await cluster.stopAll()
    await operator.remove()
    // An ending process may hold a file open there, so the mount goes with the last file.
    for (const disk of disks) execFileSync('umount', ['--lazy', disk])
    places.close()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    await cluster.startDatabase()
    await cluster.makeRoles()
    await cluster.startProduct()
  } catch (error) {
    await close()
    throw error
  }

  /** Connects to one machine's PostgreSQL as its superuser, through the file system. */
  const superuserOf = ({ data: host }: Machine) =>
    connect({ host, user: 'postgres', password: superuser, database: 'pool' }, 1, openLog('silent'))

  return {
    ...cluster,
    databaseMachines,
    productMachines,
    places,
    disks,
    /** The URL of the database, past PgBouncer. */
    database,
    operator: {
      directory,
      dataDir: productMachines[0]?.data ?? '',
      command: (...command: Parameters<typeof operator.command>) => operator.command(...command),
    },
    /** Lets the operator use the server of another version. */
    upgradeOperator: async (server: string): Promise<void> => {
      await operator.remove()
      operator = openOperator(server)
    },
    postmasterOf: (machine: Machine): number | undefined => postmasterOf(machine),
    /** Changes settings of Patroni while it runs. */
    configure: async (changed: Readonly<Record<string, boolean | number>>): Promise<void> => {
      const first = { address: databaseMachines[0]?.address }
      const { ok, status } = await cluster.tellPatroni(first, 'PATCH', 'config', changed)
      if (!ok) throw new Error(`Patroni answered ${status} to changed settings.`)
    },
    superuserOf,
    /** Asks one machine's PostgreSQL as its superuser. */
    sql: async <Row>(machine: Machine, text: string, values: readonly unknown[] = []) => {
      const { pool, close: end } = superuserOf(machine)
      try {
        return (await pool.query(text, [...values])).rows as Row[]
      } finally {
        await end()
      }
    },
    close,
  }
}
