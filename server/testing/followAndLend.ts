import { followPayouts } from '../coins/payouts/followPayouts.ts'
import { postSentLoans } from '../lending/loans/send.ts'

/** Follows payouts, and begins the loans that they confirm, as two jobs do. */
export const followAndLend = async (
  ...asked: Parameters<typeof followPayouts>
): ReturnType<typeof followPayouts> => {
  const done = await followPayouts(...asked)
  await postSentLoans(asked[0])
  return done
}
