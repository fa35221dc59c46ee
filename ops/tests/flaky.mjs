import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../root.mjs'

const RECORD = join(ROOT, 'node_modules', '.cache', 'flaky.json')

const idOf = ({ file, name }) => `${file}  ${name}`

const recorded = (record) => {
  try {
    return JSON.parse(readFileSync(record, 'utf8'))
  } catch {
    return []
  }
}

/**
 * Fails each test that is flaky for the second time in a row on this machine. Records the flaky
 * ones for the next run, and keeps those that did not run.
 */
export const judgeFlaky = (tests, record = RECORD) => {
  const before = recorded(record)
  const ran = new Set(tests.map(idOf))
  const flaky = tests.filter(({ status }) => status === 'flaky').map(idOf)
  mkdirSync(dirname(record), { recursive: true })
  writeFileSync(record, JSON.stringify([...flaky, ...before.filter((id) => !ran.has(id))]))
  return tests.map((test) =>
    test.status === 'flaky' && before.includes(idOf(test))
      ? { ...test, status: 'failed', isFlakyAgain: true }
      : test,
  )
}

const endingOf = (test) => {
  if (test.isFlakyAgain) return `✗ ${idOf(test)}: flaky twice in a row, so it has failed.`
  if (test.status === 'failed') return `✗ ${idOf(test)}`
  return test.status === 'flaky'
    ? `⚠ ${idOf(test)}: passed at its second try. It fails if the next run finds the same.`
    : undefined
}

/** Names each test that failed or was flaky, with the first lines of what it said. */
export const endingLines = (tests) =>
  tests.flatMap((test) => {
    const ending = endingOf(test)
    return ending ? [ending, ...(test.said ?? []).map((line) => `    ${line}`)] : []
  })
