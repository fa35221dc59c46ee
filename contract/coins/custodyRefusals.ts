/** The refusals of custody and of alarms, a part of contract/base/refusals.ts. */
import { sentences } from '../base/refusalSentences.ts'
import { skipRefusals } from '../chain/skipRefusals.ts'

const says = (status: number, sentence: string) => ({ status, narration: () => sentence })

export const custodyRefusals = {
  ...skipRefusals,
  custodyNeedsTwo: says(409, sentences.custodyNeedsTwo),
  addressOurs: says(409, sentences.addressOurs),
  addressOfInvestor: says(409, sentences.addressOfInvestor),
  pausedByBreak: says(409, sentences.pausedByBreak),
  breakChanged: says(409, sentences.breakChanged),
  feeSettled: says(409, 'This fee was booked already, or its coins have come back.'),
  alarmNotFound: says(404, 'This alarm is not on record.'),
  alarmSettled: says(409, 'Another member of staff has settled this alarm already.'),
  alarmNeedsTwo: says(409, sentences.alarmNeedsTwo),
  alarmChanged: says(409, sentences.alarmChanged),
}
