/** True in `npm run test:faults`. Other test runs shorten repeated suites. */
export const FULL = process.env.FAULTS === 'full'

/** Number of repetitions. */
export const rounds = ({
  full,
  short,
}: {
  readonly full: number
  readonly short: number
}): number => (FULL ? full : short)
