import { onDemand } from '../loading/onDemand.tsx'

/** The age of rows from a replica. */
export const AsOf = onDemand(async () => (await import('./DatedRows.tsx')).DatedRows)
