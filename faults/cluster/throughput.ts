/**
 * Runs `npm run bench:cluster`: compares investments a second through the cluster with those of one
 * node, and synchronous replication with none. They take turns, so other load weighs on both alike.
 */
import { join } from 'node:path'
import { median } from '../../bench/harness/arithmetic.ts'
import { makePeople } from '../../bench/harness/people.ts'
import { load } from '../../bench/harness/plan.ts'
import { end, startService } from '../../ops/cluster/services.mjs'
import { readConfig } from '../../server/base/configuration/config.ts'
import { openKeys } from '../../server/base/keys/keyFile.ts'
import { leaderOf, until } from './promotion.ts'
import { openStage, type Stage } from './stage.ts'

const PEOPLE = 2_000
const CONNECTIONS = 64
const TURNS = Number(process.env.TURNS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 8)
const STRAIGHT_PORT = 3_001

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const investments = async (host: string, port: number): Promise<number> => {
  const summary = await load({
    host,
    port,
    connections: CONNECTIONS,
    seconds: SECONDS,
    warmUp: 2,
    mix: [{ share: 1, request: { kind: 'invest', people: PEOPLE } }],
  })
  const { 200: done = 0, ...others } = summary.statuses
  if (done === 0 || Object.keys(others).length > 0)
    throw new Error(`answers other than 200: ${JSON.stringify(summary.statuses)}`)
  return summary.perSecond
}

/** Measures two ways in turns. Prints the medians and their ratio. */
const compare = async (
  names: readonly [string, string],
  ways: readonly [() => Promise<number>, () => Promise<number>],
): Promise<void> => {
  const found: [number[], number[]] = [[], []]
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const index of [0, 1] as const) {
      const rate = await ways[index]()
      found[index].push(rate)
      say(`  ${names[index]}: ${Math.round(rate)}/s`)
    }
  const [one, other] = [median(found[0]), median(found[1])]
  say(
    `${names[0]} ÷ ${names[1]}: ${(one / other).toFixed(2)} (${Math.round(one)} ÷ ${Math.round(other)}, medians of ${TURNS})`,
  )
}

/** Switches synchronous replication on the running cluster. */
const setSynchronous = async (stage: Stage, isOn: boolean): Promise<void> => {
  const { machine } = await leaderOf(stage)
  await stage.configure({ synchronous_mode: isOn, synchronous_mode_strict: isOn })
  type StandbySetting = { synchronous_standby_names: string }
  const names = async () =>
    (await stage.sql<StandbySetting>(machine, 'SHOW synchronous_standby_names'))[0]
      ?.synchronous_standby_names
  await until(async () => ((await names()) !== '') === isOn)
}

/** Starts a product node that asks the primary itself, without PgBouncer and HAProxy. */
const startStraight = async (stage: Stage) => {
  const [machine] = stage.productMachines
  const service = stage.services.find(({ name }) => name === `product ${machine?.name}`)
  if (!machine || !service) throw new Error('There is no product node.')
  const { address } = (await leaderOf(stage)).machine
  const url = new URL(stage.database.replace(/@[^/]+/, `@${address}:5432`))
  const env = { ...service.env, PORT: String(STRAIGHT_PORT), DATABASE_URL: url.href }
  const log = join(stage.directory, 'logs', 'straight.log')
  const pid = startService(
    { ...service, env: { ...env, DATABASE_DIRECT_URL: '' }, log },
    stage.user,
  )
  const origin = `http://${machine.address}:${STRAIGHT_PORT}`
  const isReady = () =>
    fetch(`${origin}/api/v1/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  await until(isReady)
  return { host: machine.address, stop: () => end(pid) }
}

const stage = await openStage({ DAY_SECONDS: '86400' })
try {
  const { pool, close } = stage.superuserOf((await leaderOf(stage)).machine)
  const keys = openKeys(readConfig({ DATA_DIR: stage.operator.dataDir }))
  await makePeople(pool, { count: PEOPLE, passwordHash: '-', keys })
  await close()
  await stage.operator.command('reserve', 'add', '10000000', '--note', 'For measurements')
  const straight = await startStraight(stage)
  const front = new URL(stage.url)
  const throughCluster = () => investments(front.hostname, Number(front.port))
  await compare(
    ['two nodes and PgBouncer', 'one node straight'],
    [throughCluster, () => investments(straight.host, STRAIGHT_PORT)],
  )
  await straight.stop()
  await compare(
    ['with synchronous replication', 'without'],
    [
      async () => {
        await setSynchronous(stage, true)
        return throughCluster()
      },
      async () => {
        await setSynchronous(stage, false)
        return throughCluster()
      },
    ],
  )
} finally {
  await stage.close()
}
