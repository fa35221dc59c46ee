/** True in `npm run test:long -- faults`. Other test runs shorten repeated suites. */
export const FULL = process.env.FAULTS === 'full'

/** Number of repetitions. `FAULTS_ROUNDS` sets another one for the long form. */
export const rounds = ({
  full,
  short,
}: {
  readonly full: number
  readonly short: number
}): number => (FULL ? Number(process.env.FAULTS_ROUNDS ?? full) : short)
