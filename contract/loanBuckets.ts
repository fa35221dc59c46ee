/** Bands of days past due, as lenders report arrears. */

/** The most days past due of each band. */
const bands = { current: 0, to30: 30, to60: 60, to90: 90, over90: Number.POSITIVE_INFINITY }
export type LoanBucket = keyof typeof bands
export const loanBuckets = Object.keys(bands) as readonly LoanBucket[]

/** The band of a number of days past due. */
export const bucketOf = (daysPastDue: number): LoanBucket =>
  loanBuckets.find((bucket) => daysPastDue <= bands[bucket]) ?? 'over90'
