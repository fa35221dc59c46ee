import { isSecond } from './tiers.mjs'

/**
 * Seconds of a processor that a file of tests may take, with the programs that it starts and
 * without the shared database: in the first tier, in the second, and in the browser.
 */
const FIRST = 50
const SECOND = 160
const BROWSER = 160

const budgetOf = (file) => {
  if (file.startsWith('e2e/')) return BROWSER
  return isSecond(file) ? SECOND : FIRST
}

/** Seconds of a processor by file. The browser's records are one for each test. */
const costsOf = (records) => {
  const costs = new Map()
  for (const { file, seconds } of records)
    if (seconds !== null) costs.set(file, (costs.get(file) ?? 0) + seconds)
  return [...costs]
}

/** Failed tests for the files over their budgets, from the records of a run. */
export const overBudget = (records) =>
  costsOf(records)
    .filter(([file, seconds]) => seconds > budgetOf(file))
    .map(([file, seconds]) => ({
      file,
      name: 'takes no more than its budget',
      seconds: 0,
      status: 'failed',
      said: [
        `It took ${seconds.toFixed(1)} s of a processor, and its budget is ${budgetOf(file)} s.`,
        'Prove a rule at a lower level, share a product, or move it to the second tier.',
      ],
    }))
