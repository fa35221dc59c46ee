/** The numbers of rows that wait for staff. */
import { type Counts, readCounts, setupSteps } from '@pool/contract/reports/today'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asNumber, list, oneOf, or, record, type Shape } from '../http/reading.ts'

const number = or(asNumber, 0)

const counts = record({
  decisions: number,
  toSend: number,
  lateLoans: number,
  mails: number,
  breaks: number,
  alarms: number,
  undone: list(or(oneOf(setupSteps), null)),
} satisfies Shape<Counts>)

/** The numbers beside the pages of staff. */
export const useCounts = (enabled: boolean) =>
  useQuery({
    queryKey: ['counts'],
    enabled,
    queryFn: async ({ signal }) =>
      counts((await call(readCounts, { signal, texts: { otherwise: '' } })).data),
  })
