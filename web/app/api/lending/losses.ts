/** Losses of investors' principal, for staff only. */
import { type LossBook, listLosses } from '@pool/contract/lending/losses'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asMoment, asNumber, asText, list, oneOf, or, record, type Shape } from '../http/reading.ts'

const readLine = record({
  loanId: or(asText, ''),
  borrower: or(asText, ''),
  at: asMoment,
  capital: or(asNumber, 0),
  covered: or(asNumber, 0),
  lost: or(asNumber, 0),
  borneBy: oneOf(['open', 'capital', 'investments']),
  returned: or(asNumber, 0),
} satisfies Shape<LossBook['lines'][number]>)

const readBook = record({
  open: or(asNumber, 0),
  free: or(asNumber, 0),
  lossId: asText,
  invested: or(asNumber, 0),
  noticeHours: or(asNumber, 0),
  sharedAt: asMoment,
  lines: list(readLine),
} satisfies Shape<LossBook>)

/** The losses as the screen shows them. */
export type ShownLosses = ReturnType<typeof readBook>

/** The open loss and write-offs. `otherwise` is said of a failure without a sentence. */
export const useLosses = (otherwise: string) =>
  useQuery({
    queryKey: ['losses'],
    queryFn: async ({ signal }) =>
      readBook((await call(listLosses, { signal, texts: { otherwise } })).data),
  })
