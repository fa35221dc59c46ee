// A cluster on one machine. `npm run cluster` and the suite of faults start it.
import { execFile, spawnSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { NODE } from '../install.mjs'
import { ROOT } from '../root.mjs'
import { doorsOf } from './doors.mjs'
import { layOut } from './layout.mjs'
import { programAt } from './programs.mjs'
import { end, isAlive, postmasterOf, startService, until } from './services.mjs'

const START_TIMEOUT_MS = 180_000

/** The status of a GET, undefined without an answer. */
const statusOf = (url) =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => undefined,
  )

/** Runs a program to its end. Returns its output, and throws when it fails. */
const output = (command, options, more) => {
  const { status, stdout, stderr, error } = spawnSync(command, options, {
    encoding: 'utf8',
    ...more,
  })
  if (status !== 0) throw new Error(error?.message ?? `${command}: ${stdout}${stderr}`)
  return stdout
}

/** True once a node's HAProxy has found the primary. At its start it takes every server. */
const leadsToPrimary = ({ address }, password) => {
  const query = 'SELECT pg_is_in_recovery()'
  const options = ['-X', '-A', '-t', '-h', address, '-p', '5000', '-U', 'pool_app', '-c', query]
  const env = { ...process.env, PGPASSWORD: password, PGCONNECT_TIMEOUT: '2' }
  const answer = spawnSync(programAt('psql'), [...options, 'pool'], { encoding: 'utf8', env })
  return answer.stdout.trim() === 'f'
}

/** Makes one key file for all nodes, as an operator does. */
const shareKeys = ([first, ...others]) => {
  const keys = join(first.data, 'keys')
  if (!existsSync(keys)) {
    const file = join(keys, 'integrity')
    const env = { ...process.env, DATABASE_URL: '', INTEGRITY_KEY_FILE: file }
    output(NODE, [join(ROOT, 'server/operator/commands/keys.ts'), 'rotate'], { env, cwd: ROOT })
  }
  for (const { data } of others) cpSync(keys, join(data, 'keys'), { recursive: true })
}

/** Lays a cluster out and returns ways to start, end and ask its parts. Nothing runs yet. */
export const openCluster = (options) => {
  // Long: the ways to start, end and ask its parts are short functions that share its state.
  const parts = layOut(options)
  const { databaseMachines, productMachines, services, secrets, user, directory } = parts
  const { askEtcd, hasCluster, tellPatroni } = doorsOf(parts)
  const running = new Map()

  const serviceNamed = (name) => services.find((each) => each.name === name)
  /** Starts a service. `main` is the program of another version of the product. */
  const start = (name, main) => {
    const { options, ...service } = serviceNamed(name)
    const used = main === undefined ? options : options.with(-1, main)
    running.set(name, startService({ ...service, options: used }, user))
  }
  const pidOf = (name) => running.get(name)
  const isRunning = (name) => isAlive(pidOf(name))
  const stop = async (name, how) => {
    if (running.has(name)) await end(running.get(name), how)
  }
  const namesOf = (kind) =>
    services.map(({ name }) => name).filter((name) => name.startsWith(`${kind} `))

  /** Machines whose Patroni answers 200 to a question: `primary`, `replica`, `synchronous`. */
  const machinesThat = async (question) => {
    const answers = databaseMachines.map(({ address }) =>
      statusOf(`http://${address}:8008/${question}`),
    )
    const statuses = await Promise.all(answers)
    return databaseMachines.filter((_, index) => statuses[index] === 200)
  }
  /** True with a primary, two standbys, and one of them synchronous unless none has to be. */
  const isWhole = async ({ synchronous = 1 } = {}) => {
    const questions = ['primary', 'replica', 'synchronous']
    const counts = await Promise.all(
      questions.map(async (each) => (await machinesThat(each)).length),
    )
    return counts.join() === `1,2,${synchronous}`
  }
  const isReady = async ({ address }) =>
    (await statusOf(`http://${address}:3000/api/v1/health/ready`)) === 200

  /** Waits while all services run. Throws the end of the log of one that has ended. */
  const whileRunning = (isSo, problem) =>
    until(
      () => {
        for (const name of running.keys())
          if (!isRunning(name))
            throw new Error(
              `${name} ended:\n${readFileSync(serviceNamed(name).log, 'utf8').slice(-2_000)}`,
            )
        return isSo()
      },
      () => `${problem} The logs are in ${join(directory, 'logs')}.`,
      START_TIMEOUT_MS,
    )

  const startDatabase = async () => {
    for (const name of namesOf('etcd')) start(name)
    for (const machine of databaseMachines)
      await whileRunning(() => hasCluster(machine), 'The members of etcd do not find each other.')
    for (const name of namesOf('patroni')) start(name)
    await whileRunning(isWhole, 'The database has no primary with two standbys.')
  }

  /** Makes roles and database on the primary, as an operator does. */
  const makeRoles = async () => {
    const [{ name, address }] = await machinesThat('primary')
    const { prefix } = serviceNamed(`patroni ${name}`)
    const variables = [`owner_password=${secrets.owner}`, `app_password=${secrets.app}`]
    const [command, ...rest] = [
      ...prefix,
      programAt('psql'),
      '-X',
      '-q',
      '-h',
      address,
      '-U',
      'postgres',
      ...variables.flatMap((each) => ['-v', each]),
      '-v',
      'ON_ERROR_STOP=1',
      '-f',
      join(import.meta.dirname, 'roles.sql'),
      'postgres',
    ]
    output(command, rest, { env: { ...process.env, PGPASSWORD: secrets.superuser } })
  }

  /** Brings the tables to the version of a server, as the unit of the migration does. */
  const migrate = (server = join(ROOT, 'server')) =>
    promisify(execFile)(NODE, [join(server, 'operator/commands/migrate.ts')], {
      env: parts.migration,
      cwd: ROOT,
    })

  const startProduct = async () => {
    shareKeys(productMachines)
    for (const kind of ['haproxy', 'pgbouncer']) for (const name of namesOf(kind)) start(name)
    for (const machine of productMachines)
      await whileRunning(
        () => leadsToPrimary(machine, secrets.app),
        'HAProxy does not find the primary.',
      )
    await migrate()
    for (const name of namesOf('product')) start(name)
    for (const machine of productMachines)
      await whileRunning(() => isReady(machine), `The product on ${machine.name} is not ready.`)
    const answers = async () => (await statusOf(`${parts.url}/api/v1/health/ready`)) === 200
    await whileRunning(answers, 'The product does not answer through HAProxy.')
  }

  /** Ends all: requests first, then the standbys' and the primary's database, then etcd. */
  const stopAll = async () => {
    for (const kind of ['product', 'pgbouncer', 'haproxy', 'patroni'])
      await Promise.all(namesOf(kind).map((name) => stop(name)))
    const left = databaseMachines.map(postmasterOf).filter((pid) => pid !== undefined)
    await Promise.all(left.map((pid) => end(pid, 'SIGINT')))
    await Promise.all(namesOf('etcd').map((name) => stop(name)))
  }

  return {
    ...parts,
    start,
    stop,
    pidOf,
    isRunning,
    machinesThat,
    isWhole,
    isReady,
    startDatabase,
    askEtcd,
    tellPatroni,
    makeRoles,
    migrate,
    startProduct,
    stopAll,
  }
}
