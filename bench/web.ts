/**
 * Runs `npm run bench:web`: Lighthouse on the built web app with a thousand rows in every list.
 * Prints a table and writes bench/results/web.json. Missed targets do not fail it.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataDirectory } from '../server/testing/process.ts'
import { type Filled, fill, type Storage } from './fill.ts'
import { type Measured, measurePage } from './page.ts'

const ROWS = 1_000
/** The median of this many loads counts. */
const LOADS = Number(process.env.BENCH_LOADS ?? 3)
const RESULTS = join(import.meta.dirname, 'results')

type Scores = Pick<Measured, 'performance' | 'accessibility' | 'bestPractices' | 'seo'>
type Screen = {
  readonly path: string
  readonly by?: keyof Filled
  /** The least scores. A score that means nothing is absent: search engines see no dashboard. */
  readonly target: Partial<Scores>
  /** The most gzipped JavaScript of a first load, in bytes. */
  readonly scriptBudget: number
}

const FORM: Screen['target'] = { performance: 90, accessibility: 100, bestPractices: 100 }

const screens: readonly Screen[] = [
  {
    path: '/',
    target: { performance: 95, accessibility: 100, bestPractices: 100, seo: 100 },
    scriptBudget: 110_000,
  },
  { path: '/login', target: FORM, scriptBudget: 190_000 },
  { path: '/register', target: FORM, scriptBudget: 190_000 },
  { path: '/dashboard', by: 'investor', target: FORM, scriptBudget: 190_000 },
  { path: '/admin', by: 'staff', target: FORM, scriptBudget: 190_000 },
]

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** Loads one after the other, since two at once would measure each other. */
const loadsOf = async (url: string, storage: Storage | undefined): Promise<readonly Measured[]> => {
  const loads: Measured[] = []
  while (loads.length < LOADS) loads.push(await measurePage(url, storage))
  return loads
}

const middle = (loads: readonly Measured[]): Measured => {
  const [found] = loads
    .toSorted((a, b) => a.performance - b.performance)
    .slice(Math.floor(loads.length / 2))
  if (!found) throw new Error('BENCH_LOADS must be at least 1')
  return found
}

const row = (
  { path, target, scriptBudget }: Screen,
  measured: Measured,
): Readonly<Record<string, string>> => {
  const score = (name: keyof Scores) =>
    `${measured[name]}${target[name] === undefined ? '' : ` (≥ ${target[name]})`}`
  return {
    screen: path,
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best practices': score('bestPractices'),
    SEO: score('seo'),
    LCP: `${measured.largestContentfulPaint} ms`,
    CLS: String(measured.cumulativeLayoutShift),
    TBT: `${measured.totalBlockingTime} ms`,
    JavaScript: `${(measured.script / 1_000).toFixed(1)} kB (≤ ${scriptBudget / 1_000})`,
  }
}

const missed = ({ path, target, scriptBudget }: Screen, measured: Measured): readonly string[] => {
  const low = (Object.entries(target) as [keyof Scores, number][]).filter(
    ([name, least]) => measured[name] < least,
  )
  return [
    ...low.map(
      ([name, least]) =>
        `${path}: ${name} ${measured[name]}, target ${least}: ${measured.complaints.join(', ')}`,
    ),
    ...(measured.script > scriptBudget
      ? [`${path}: ${measured.script} bytes of JavaScript, target ${scriptBudget}`]
      : []),
  ]
}

const data = dataDirectory()
try {
  const environment = {
    DATA_DIR: data.dataDir,
    RATE_LIMITS: 'off',
    // One person confirms the investor's deposit.
    SECOND_APPROVAL_ABOVE: '1000000',
    POOL_SECOND_APPROVAL_ABOVE: '1000000',
    LOG_LEVEL: 'warn',
    SUPER_ADMIN_PASSWORD: crypto.randomUUID(),
  }
  const product = await data.start(environment)
  const sessions = await fill(environment, ROWS)
  const rows: Record<string, string>[] = []
  const failures: string[] = []
  const results: Record<string, readonly Measured[]> = {}
  for (const screen of screens) {
    const loads = await loadsOf(
      new URL(screen.path, product.url).href,
      screen.by && sessions[screen.by],
    )
    results[screen.path] = loads
    rows.push(row(screen, middle(loads)))
    failures.push(...missed(screen, middle(loads)))
  }
  await product.end('SIGTERM')
  const columns = Object.keys(rows[0] ?? {})
  const widths = columns.map((name) =>
    Math.max(name.length, ...rows.map((each) => each[name]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('   ')
  print(line(columns))
  for (const each of rows) print(line(columns.map((name) => each[name] ?? '')))
  print(failures.length === 0 ? '\nEvery target is met.' : `\n${failures.join('\n')}`)
  mkdirSync(RESULTS, { recursive: true })
  writeFileSync(
    join(RESULTS, 'web.json'),
    `${JSON.stringify({ measuredAt: new Date().toISOString(), rows: ROWS, screens: results }, null, 2)}\n`,
  )
} finally {
  await data.remove()
}
