/**
 * Runs `npm run bench`: measures the product beside its yardsticks and prints a table of ratios.
 * Names select scenarios. `BENCH=short` only shows that they work. Missed targets do not fail it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Figure, isReached, rounded } from './harness/arithmetic.ts'
import { fillIn, tableOf } from './harness/document.ts'
import { bytesTable, operationsTable, upkeepTable } from './harness/scalingTables.ts'
import { type Scenario, sizes } from './harness/scenario.ts'
import { BusyMachine } from './harness/turns.ts'
import { balances } from './scenarios/balances.ts'
import { batches } from './scenarios/batches.ts'
import { chains } from './scenarios/chains.ts'
import { day } from './scenarios/day.ts'
import { eventLoop } from './scenarios/eventLoop.ts'
import { groups } from './scenarios/groups.ts'
import { invest } from './scenarios/invest.ts'
import { liabilities } from './scenarios/liabilities.ts'
import { loans } from './scenarios/loans.ts'
import { logins } from './scenarios/logins.ts'
import { maturities } from './scenarios/maturities.ts'
import { memory } from './scenarios/memory.ts'
import { million } from './scenarios/million.ts'
import { operations } from './scenarios/operations.ts'
import { reads } from './scenarios/reads.ts'
import { reconciliation } from './scenarios/reconciliation.ts'
import { single } from './scenarios/single.ts'
import { size } from './scenarios/size.ts'
import { wholeBatch } from './scenarios/wholeBatch.ts'

const scenarios: readonly Scenario[] = [
  invest,
  single,
  balances,
  logins,
  maturities,
  reads,
  eventLoop,
  memory,
  day,
  million,
  operations,
  groups,
  size,
  chains,
  batches,
  wholeBatch,
  reconciliation,
  loans,
  liabilities,
]

const short = process.env.BENCH === 'short'
const RESULTS = join(import.meta.dirname, 'results')
const README = join(import.meta.dirname, 'README.md')
const SCALING = join(import.meta.dirname, '..', 'docs', 'scaling.md')

type Result = {
  readonly measuredAt: string
  readonly seconds: number
  readonly processors: string
  readonly figures: readonly Figure[]
}

const fileOf = ({ name }: Scenario): string => join(RESULTS, `${name}${short ? '.short' : ''}.json`)

/** The last result, also of an earlier run. */
const resultOf = (scenario: Scenario): Result | undefined => {
  try {
    return JSON.parse(readFileSync(fileOf(scenario), 'utf8')) as Result
  } catch {
    return undefined
  }
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const measure = async (scenario: Scenario): Promise<void> => {
  const since = performance.now()
  const figures = await scenario.run(sizes)
  const seconds = Math.round((performance.now() - since) / 1_000)
  const processors = `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}`
  const result: Result = { measuredAt: new Date().toISOString(), seconds, processors, figures }
  writeFileSync(fileOf(scenario), `${JSON.stringify(result, null, 2)}\n`)
}

const target = ({ least, most }: Figure): string =>
  least !== undefined ? `≥ ${least}` : most !== undefined ? `< ${most}` : ''
const verdicts = new Map([
  [true, 'yes'],
  [false, 'no'],
])

/** The rows of a scenario in the README, which stay where it has no result on this machine. */
const published = ({ name }: Scenario): readonly (readonly string[])[] =>
  readFileSync(README, 'utf8')
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => cells[0] === name && cells.length === 5)

const HEAD = ['scenario', 'figure', 'measured', 'target', 'reached']

/** A spread above it stands in the row. */
const MOST_SPREAD = 0.25

const measured = ({ value, spread = 0 }: Figure): string =>
  spread > MOST_SPREAD
    ? `${rounded(value)} (spread ${Math.round(100 * spread)} %)`
    : String(rounded(value))

const rowOf =
  ({ name }: Scenario) =>
  (figure: Figure): readonly string[] => [
    name,
    figure.name,
    measured(figure),
    target(figure),
    verdicts.get(isReached(figure) as boolean) ?? '',
  ]

const table = (): string => {
  const rows = scenarios.flatMap((scenario) => {
    const result = resultOf(scenario)
    if (!result) return short ? [] : published(scenario)
    return result.figures.filter(({ detail }) => !detail).map(rowOf(scenario))
  })
  return tableOf([HEAD, ...rows])
}

/** The figures that judge the design, of the scenarios that have a result. */
const decidingTable = (): string => {
  const rows = scenarios.flatMap((scenario) =>
    (resultOf(scenario)?.figures ?? []).filter(({ decides }) => decides).map(rowOf(scenario)),
  )
  return tableOf([HEAD, ...rows])
}

/** The figures that docs/scaling.md shows, of the scenarios that have a result. */
const fillInScaling = (): void => {
  const figures = [operations, size].map((scenario) => resultOf(scenario)?.figures ?? [])
  const [ofOperations = [], ofSize = []] = figures
  if (ofOperations.length > 0) fillIn(SCALING, 'operations', operationsTable(ofOperations))
  if (ofSize.length > 0) {
    fillIn(SCALING, 'upkeep', upkeepTable(ofSize))
    fillIn(SCALING, 'bytes', bytesTable(ofSize))
  }
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !scenarios.some((scenario) => scenario.name === name))
if (unknown.length > 0) {
  print(
    `There is no scenario ${unknown.join(', ')}. Choose from ${scenarios.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

mkdirSync(RESULTS, { recursive: true })
for (const scenario of scenarios) {
  if (asked.length > 0 && !asked.includes(scenario.name)) continue
  print(`\n── ${scenario.title} (${scenario.name})`)
  try {
    await measure(scenario)
  } catch (error) {
    const isExpected = error instanceof BusyMachine
    print(`  not measured: ${isExpected ? error.message : (error as Error).stack}`)
  }
}
print(`\n${table()}`)
print(`\nThe figures that judge the design:\n\n${decidingTable()}`)
if (!short) {
  fillIn(README, 'figures', table())
  fillInScaling()
}
