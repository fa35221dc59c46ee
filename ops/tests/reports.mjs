import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from '../root.mjs'

/** Tests of both suites from their JSON reports, in one form. */

const read = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Counts a suite. One that failed has at least one failure, with any report or none. */
export const counted = ({ succeeded, tests }) => {
  const failed = tests.filter(({ status }) => status === 'failed').length
  return {
    passed: tests.filter(({ status }) => status === 'passed' || status === 'flaky').length,
    failed: succeeded ? failed : Math.max(failed, 1),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one.
const COLOURS = /\u001b\[[\d;]*m/g
const SHOWN_LINES = 8
const SHOWN_LENGTH = 200

/** The first lines of what a failed try said, without colours, places and empty lines. */
const saidIn = (messages) =>
  messages
    .join('\n')
    .replace(COLOURS, '')
    .split('\n')
    .map((line) => line.trim().slice(0, SHOWN_LENGTH))
    .filter((line) => line !== '' && !line.startsWith('at '))
    .slice(0, SHOWN_LINES)

/** The tests without a browser. None without a report. */
export const unitTestsIn = (file) =>
  (read(file)?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status, duration = 0, failureMessages = [] }) => ({
      file: relative(ROOT, name).replaceAll('\\', '/'),
      name: fullName.trim(),
      seconds: duration / 1_000,
      status,
      said: saidIn(failureMessages),
    })),
  )

/**
 * The browser tests. A test that passed at its second try is flaky, and where `isStrict` it has
 * failed. None without a report.
 */
export const browserTestsIn = (file, isStrict = false) =>
  (read(file)?.suites ?? [])
    .flatMap((suite) => testsOf(suite, []))
    .map((test) =>
      isStrict && test.status === 'flaky' ? { ...test, status: 'failed', isFlaky: true } : test,
    )

const STATUSES = { expected: 'passed', unexpected: 'failed', flaky: 'flaky', skipped: 'skipped' }

const testsOf = ({ specs, suites = [] }, titles) => [
  ...specs.flatMap(({ file, title, tests }) =>
    tests.map(({ status, results }) => ({
      file: `e2e/${file}`,
      name: [...titles, title].join(' '),
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1_000,
      status: STATUSES[status],
      said: saidIn(results.flatMap(({ errors = [] }) => errors.map(({ message }) => message))),
    })),
  ),
  ...suites.flatMap((suite) => testsOf(suite, [...titles, suite.title])),
]

const endingOf = ({ file, name, status, isFlaky }) => {
  if (isFlaky) return `✗ ${file}  ${name}: passed at its second try, so it has failed.`
  if (status === 'failed') return `✗ ${file}  ${name}`
  return status === 'flaky' ? `⚠ ${file}  ${name}: passed at its second try.` : undefined
}

/** Names each test that failed or was flaky, with the first lines of what it said. */
export const endingLines = (tests) =>
  tests.flatMap((test) => {
    const ending = endingOf(test)
    return ending ? [ending, ...(test.said ?? []).map((line) => `    ${line}`)] : []
  })

const SLOWEST = 30
const sumOf = (timed) => timed.reduce((sum, { seconds }) => sum + seconds, 0)
const inSeconds = (seconds) => `${seconds.toFixed(1).padStart(7)} s`

/** The slowest tests, and the sum of the tests of each file that takes a second. */
export const timesOf = (tests) => {
  const bySeconds = (a, b) => b.seconds - a.seconds
  const files = [...new Set(tests.map(({ file }) => file))].map((file) => {
    const own = tests.filter((test) => test.file === file)
    return { file: `${file} (${own.length})`, seconds: sumOf(own) }
  })
  const long = files.filter(({ seconds }) => seconds >= 1).sort(bySeconds)
  const rest = files.filter(({ seconds }) => seconds < 1)
  return [
    `── The ${SLOWEST} slowest tests`,
    ...[...tests]
      .sort(bySeconds)
      .slice(0, SLOWEST)
      .map(({ seconds, file, name }) => `${inSeconds(seconds)}  ${file}  ${name}`),
    '',
    '── Seconds per file (tests)',
    ...long.map(({ seconds, file }) => `${inSeconds(seconds)}  ${file}`),
    `${inSeconds(sumOf(rest))}  ${rest.length} files below a second`,
  ].join('\n')
}
