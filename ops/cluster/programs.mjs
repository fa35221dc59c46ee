// Finds the programs of Debian's packages, and the user that runs them.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['/usr/local/bin', '/usr/bin', '/usr/local/sbin', '/usr/sbin', '/bin', '/sbin']

/** The path of a program, undefined when it is missing. */
export const programAt = (name) =>
  FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path))

const VERSIONS = '/usr/lib/postgresql'

/** The folder of PostgreSQL's programs, the newest version. Undefined without one from 15 on. */
export const postgresqlAt = () =>
  (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
    .filter((version) => Number(version) >= 15)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(VERSIONS, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))

/** Debian's package of each program. */
const PACKAGES = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  psql: 'postgresql-client',
  setpriv: 'util-linux',
  openssl: 'openssl',
}

/** The packages that this machine lacks for a cluster. */
export const missingPackages = () => [
  ...Object.entries(PACKAGES).flatMap(([program, name]) => (programAt(program) ? [] : [name])),
  ...(postgresqlAt() ? [] : ['postgresql']),
]

/** The user of PostgreSQL when root runs the cluster, since PostgreSQL refuses root. */
export const serviceUser = () => {
  if (process.getuid() !== 0) return { uid: process.getuid(), gid: process.getgid() }
  const idOf = (option) =>
    Number(spawnSync('id', [option, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: idOf('-u'), gid: idOf('-g') }
}
