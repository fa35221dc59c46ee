/** The day since yesterday began, for staff. */
import * as contract from '@pool/contract/reports/today'
import { useQuery } from '@tanstack/react-query'
import { call } from '../http/client.ts'
import { asMoment, asNumber, asText, list, or, record, type Shape } from '../http/reading.ts'

const number = or(asNumber, 0)

const sum = record({ count: number, amount: number } satisfies Shape<contract.Today['moneyIn']>)

const today = record({
  since: asMoment,
  moneyIn: sum,
  moneyOut: sum,
  invested: sum,
  matured: sum,
  late: sum,
  decisions: list(
    record({
      username: or(asText, ''),
      count: number,
      amount: number,
    } satisfies Shape<contract.Today['decisions'][number]>),
  ),
  breaks: number,
  alarms: number,
  pauses: list(
    record({ name: or(asText, ''), since: asMoment } satisfies Shape<
      contract.Today['pauses'][number]
    >),
  ),
} satisfies Shape<contract.Today>)
/** The day since yesterday began, in dollars. */
export type ShownToday = ReturnType<typeof today>

export const useToday = (otherwise: string) =>
  useQuery({
    queryKey: ['today'],
    queryFn: async ({ signal }) =>
      today((await call(contract.readToday, { signal, texts: { otherwise } })).data),
  })
