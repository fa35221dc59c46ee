/** The refusals of custody and of alarms, a part of contract/base/refusals.ts. */
import { sentences } from '../base/refusalSentences.ts'
import { skipRefusals } from '../chain/skipRefusals.ts'

const define = (status: number, sentence: string) => ({ status, narration: () => sentence })

export const custodyRefusals = {
  ...skipRefusals,
  custodyNeedsTwo: define(409, sentences.custodyNeedsTwo),
  addressOurs: define(409, sentences.addressOurs),
  addressOfInvestor: define(409, sentences.addressOfInvestor),
  addressNotOwn: define(409, sentences.addressNotOwn),
  pausedByBreak: define(409, sentences.pausedByBreak),
  breakChanged: define(409, sentences.breakChanged),
  feeSettled: define(409, 'This fee was booked already, or its coins have come back.'),
  alarmNotFound: define(404, 'This alarm is not on record.'),
  alarmSettled: define(409, 'Another member of staff has settled this alarm already.'),
  alarmNeedsTwo: define(409, sentences.alarmNeedsTwo),
  alarmChanged: define(409, sentences.alarmChanged),
}
