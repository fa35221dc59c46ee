/**
 * Suites that repeat something are shortened in every test run, and whole with FAULTS=full (`npm
 * run test:faults`).
 */
export const FULL = process.env.FAULTS === 'full'

/** How often something is repeated. */
export const rounds = ({
  full,
  short,
}: {
  readonly full: number
  readonly short: number
}): number => (FULL ? full : short)
