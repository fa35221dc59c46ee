/** Payouts that went wrong and coins that no batch explains, for staff only. */
import { alarmKinds, listAlarms, type PayoutAlarm, settleAlarm } from '@pool/contract/coins/payouts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, requireIdentity } from '../http/client.ts'
import { asMoment, asText, list, oneOf, or, record, type Shape } from '../http/reading.ts'
import { useSubmit } from '../http/submit.ts'

const sent = record({
  address: asText,
  amount: or(asText, ''),
  asset: or(asText, ''),
} satisfies Shape<PayoutAlarm['sent'][number]>)

const read = record({
  id: or(asText, ''),
  kind: oneOf(alarmKinds),
  network: or(asText, ''),
  batchId: asText,
  withdrawalId: asText,
  transaction: asText,
  state: asText,
  payee: asText,
  amount: asText,
  asset: asText,
  sent: list(sent),
  total: or(asText, ''),
  foundAt: asMoment,
  endedAt: asMoment,
  settledAt: asMoment,
  settledBy: asText,
  reason: asText,
} satisfies Shape<PayoutAlarm>)

/** An alarm as the screen shows it. Its kind is null where this page does not know it. */
export type Alarm = ReturnType<typeof read>

/** Read again with every change of a payment or an alarm. */
const KEY = ['chainPayments', 'alarms']

/** Alarms that wait for staff, then the others. */
export const useAlarms = (otherwise: string) =>
  useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      list(read)((await call(listAlarms, { signal, texts: { otherwise } })).data),
  })

type Settling = { readonly id: string; readonly reason: string }

/** Settles an alarm with a reason. */
export const useSettleAlarm = (otherwise: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: useSubmit(async ({ id, reason }: Settling) => {
      requireIdentity()
      await call(settleAlarm, { params: { id }, payload: { reason }, texts: { otherwise } })
    }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  })
}
