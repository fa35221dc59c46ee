import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from '../root.mjs'
import { browserTestsIn, counted, endingLines, timesOf, unitTestsIn } from './reports.mjs'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pool-reports-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const written = (report: object): string => {
  const file = join(directory, 'report.json')
  writeFileSync(file, JSON.stringify(report))
  return file
}

test('both reports are read in one form', () => {
  const unit = unitTestsIn(
    written({
      testResults: [
        {
          name: join(ROOT, 'server/a.test.ts'),
          assertionResults: [
            {
              fullName: ' money moves',
              status: 'failed',
              duration: 1_500,
              failureMessages: ['\u001b[31mexpected 1\u001b[39m\n\n  to be 2'],
            },
          ],
        },
      ],
    }),
  )
  expect(unit).toEqual([
    {
      file: 'server/a.test.ts',
      name: 'money moves',
      seconds: 1.5,
      status: 'failed',
      said: ['expected 1', 'to be 2'],
    },
  ])
  const spec = (status: string, durations: readonly number[]) => ({
    file: 'b.spec.ts',
    title: status,
    tests: [
      {
        status,
        results: durations.map((duration, n) => ({
          duration,
          errors: n ? [] : [{ message: 'late' }],
        })),
      },
    ],
  })
  const browser = browserTestsIn(
    written({
      suites: [
        {
          title: 'b.spec.ts',
          specs: [spec('flaky', [2_000, 1_000])],
          suites: [{ title: 'a dialog', specs: [spec('unexpected', [4_000])] }],
        },
      ],
    }),
  )
  expect(browser).toEqual([
    { file: 'e2e/b.spec.ts', name: 'flaky', seconds: 3, status: 'flaky', said: ['late'] },
    {
      file: 'e2e/b.spec.ts',
      name: 'a dialog unexpected',
      seconds: 4,
      status: 'failed',
      said: ['late'],
    },
  ])
})

test('a suite without a report has one failure', () => {
  const tests = unitTestsIn(join(directory, 'none.json'))
  expect(counted({ succeeded: false, tests })).toEqual({ passed: 0, failed: 1 })
})

const timed = (file: string, name: string, seconds: number, status = 'passed') => ({
  file,
  name,
  seconds,
  status,
})

test('times begin with the slowest test and file', () => {
  const tests = [
    timed('a.test.ts', 'one', 1),
    timed('a.test.ts', 'two', 4),
    timed('b.test.ts', 'three', 3),
    timed('c.test.ts', 'four', 0.5),
  ]
  expect(timesOf(tests).split('\n')).toEqual([
    '── The 30 slowest tests',
    '    4.0 s  a.test.ts  two',
    '    3.0 s  b.test.ts  three',
    '    1.0 s  a.test.ts  one',
    '    0.5 s  c.test.ts  four',
    '',
    '── Seconds per file (tests)',
    '    5.0 s  a.test.ts (2)',
    '    3.0 s  b.test.ts (1)',
    '    0.5 s  1 files below a second',
  ])
})

test('a second try is named, and fails a strict run', () => {
  const report = written({
    suites: [
      {
        title: 'b.spec.ts',
        specs: [
          {
            file: 'b.spec.ts',
            title: 'a dialog',
            tests: [{ status: 'flaky', results: [{ duration: 1, errors: [{ message: 'late' }] }] }],
          },
        ],
      },
    ],
  })
  const lenient = browserTestsIn(report)
  expect(counted({ succeeded: true, tests: lenient })).toEqual({ passed: 1, failed: 0 })
  expect(endingLines(lenient)).toEqual([
    '⚠ e2e/b.spec.ts  a dialog: passed at its second try.',
    '    late',
  ])
  const strict = browserTestsIn(report, true)
  expect(counted({ succeeded: true, tests: strict })).toEqual({ passed: 0, failed: 1 })
  expect(endingLines(strict)[0]).toBe(
    '✗ e2e/b.spec.ts  a dialog: passed at its second try, so it has failed.',
  )
})
