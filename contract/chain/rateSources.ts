/** Sources of a rate: two people, or the median of price URLs. Every screen reads them. */
export const rateSources = ['SET', 'MEDIAN'] as const
