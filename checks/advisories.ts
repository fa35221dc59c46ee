/**
 * Fails when a shipped package has a known advisory of high or critical severity.
 * Passes with a notice when the registry does not answer.
 */
import { spawnSync } from 'node:child_process'
import { ROOT } from './sources.ts'

const ADVISORIES_TIMEOUT_MS = 30_000

type Report = {
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly range: string }>
  >
  readonly metadata?: unknown
}

export type Verdict =
  | { readonly known: false }
  | { readonly known: true; readonly found: readonly string[] }

/** Reads the packages with a grave advisory from `npm audit --json`; not known without a report. */
export const readAudit = (text: string): Verdict => {
  const report = parsed(text)
  if (!report?.vulnerabilities || !report.metadata) return { known: false }
  const found = Object.entries(report.vulnerabilities)
    .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
    .map(
      ([name, { severity, range }]) =>
        `${name} ${range} has a known advisory of ${severity} severity`,
    )
  return { known: true, found }
}

const parsed = (text: string): Report | undefined => {
  try {
    return JSON.parse(text) as Report
  } catch {
    return undefined
  }
}

if (process.argv[1] === import.meta.filename) {
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: ADVISORIES_TIMEOUT_MS,
    maxBuffer: 64 * 1_024 * 1_024,
    shell: process.platform === 'win32',
  })
  const verdict = readAudit(stdout ?? '')
  if (!verdict.known)
    process.stdout.write('Skipped: the registry does not answer about advisories.\n')
  else for (const sentence of verdict.found) process.stderr.write(`${sentence}\n`)
  process.exit(verdict.known && verdict.found.length > 0 ? 1 : 0)
}
