// Runs `npm run cluster`: a whole cluster on this machine, until Ctrl-C.
import { chmodSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildWeb } from '../build.mjs'
import { installProduct } from '../install.mjs'
import { stopWithParent } from '../parent.mjs'
import { step } from '../steps.mjs'
import { openCluster } from './cluster.mjs'
import { missingPackages } from './programs.mjs'

/** Lines that Patroni repeats every two seconds. */
const IDLE = /no action\. I am|Lock owner:/

stopWithParent()
const missing = missingPackages()
if (missing.length > 0) {
  console.error(`A cluster needs Debian's packages: apt-get install ${missing.join(' ')}`)
  process.exit(1)
}
await installProduct()
await buildWeb()

const kept = process.env.DATA_DIR
const directory = kept ? resolve(kept) : mkdtempSync(join(tmpdir(), 'pool-cluster-'))
mkdirSync(directory, { recursive: true })
// Under root, the services run as another user.
chmodSync(directory, 0o755)

const email = process.env.SUPER_ADMIN_EMAIL || 'admin@example.com'
const cluster = openCluster({
  directory,
  port: Number(process.env.PORT || 3000),
  settings: { LOG_FORMAT: 'text', SUPER_ADMIN_EMAIL: email },
})
const password = process.env.SUPER_ADMIN_PASSWORD || cluster.secrets.admin

let stopping
const stop = async (code) => {
  stopping ??= cluster.stopAll()
  await stopping
  if (!kept) rmSync(directory, { recursive: true, force: true })
  console.log('The cluster has stopped.')
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (!stopping) console.log('Stopping …')
    stop(0)
  })

/** One step of the start. A failure takes all of it down. */
const startStep = (doing, done, work) =>
  step({ doing, done }, async () => {
    try {
      if (!stopping) await work()
    } catch (error) {
      if (!stopping) {
        await cluster.stopAll()
        throw error
      }
    }
    // Leaves the rest to the stop under way.
    if (stopping) await new Promise(() => undefined)
  })

/** Prints the lines that a log gains. */
const follow = ({ name, log }) => {
  const file = openSync(log, 'r')
  const piece = Buffer.alloc(65_536)
  let rest = ''
  const read = (show) => {
    for (let length = readSync(file, piece); length > 0; length = readSync(file, piece)) {
      const lines = (rest + piece.toString('utf8', 0, length)).split('\n')
      rest = lines.pop()
      if (show) for (const line of lines) if (!IDLE.test(line)) console.log(`${name} │ ${line}`)
    }
  }
  read(false)
  setInterval(() => read(true), 500)
}

await startStep('Starting etcd, Patroni and PostgreSQL', 'Database ready', cluster.startDatabase)
await startStep('Making roles and database', 'Roles and database made', cluster.makeRoles)
await startStep('Starting two product nodes', 'Product ready', cluster.startProduct)

const addresses = (machines, port) => machines.map(({ address }) => `${address}:${port}`).join(', ')
const facts = [
  ['Address', cluster.url],
  ['Product nodes', addresses(cluster.productMachines, 3000)],
  ['Way to primary', addresses(cluster.productMachines, 5000)],
  ['PgBouncer', addresses(cluster.productMachines, 6432)],
  ['PostgreSQL', addresses(cluster.databaseMachines, 5432)],
  ['Patroni', addresses(cluster.databaseMachines, 8008)],
  ['etcd', addresses(cluster.databaseMachines, 2379)],
  ['Data and logs', directory],
  ...(cluster.secrets.isNew
    ? [
        ['Super admin', email],
        ['Password', password],
      ]
    : []),
  ['Stop', 'Ctrl-C'],
]
console.log(`\n${facts.map(([name, value]) => `  ${name.padEnd(15)} ${value}`).join('\n')}\n`)
for (const service of cluster.services) follow(service)
