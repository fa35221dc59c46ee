import { Refusal } from '@pool/contract/base/refusals'

/**
 * Posts one after the other, and returns how many it posted. A refusal of these codes waits for the
 * next call. No failure holds up the others: the first one is thrown in the end.
 */
export const postEach = async <Each>(
  all: readonly Each[],
  post: (each: Each) => Promise<boolean>,
  passing: readonly string[],
): Promise<number> => {
  const failures: unknown[] = []
  let posted = 0
  for (const each of all) {
    try {
      if (await post(each)) posted += 1
    } catch (error) {
      if (!(error instanceof Refusal && passing.includes(error.code))) failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
  return posted
}
